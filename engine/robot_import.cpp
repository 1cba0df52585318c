#include "engine/robot_import.h"

#include <utility>

#include "engine/mjcf/import.h"
#include "engine/urdf/import.h"

namespace cardan {
namespace {

std::optional<RobotImport> imported(std::optional<XmlElement> root, const std::string& path,
                                    const urdf::ImportOptions& options, Diagnostics& diagnostics) {
  if (!root) return std::nullopt;
  const bool isMjcf = isMjcfFile(path);
  RobotImport result;
  std::optional<ImportedModel> model =
      isMjcf ? mjcf::importModel(*root, path, options, result.report, diagnostics)
             : urdf::importModel(*root, path, options, result.report, diagnostics);
  if (!model) return std::nullopt;
  result.model = std::move(*model);
  result.report.finish(*root, isMjcf ? "it means nothing in MJCF, or nothing for the mechanics"
                                     : "it means nothing in URDF");
  for (const ImportReport::Warning& w : result.report.warnings()) diagnostics.warning(w.at, w.text);
  return result;
}

}  // namespace

std::optional<RobotImport> importRobot(const std::string& path, const urdf::ImportOptions& options,
                                       Diagnostics& diagnostics) {
  return imported(readXml(path, diagnostics), path, options, diagnostics);
}

std::optional<RobotImport> importRobotText(std::string_view text, const std::string& name,
                                           const urdf::ImportOptions& options,
                                           Diagnostics& diagnostics) {
  return imported(parseXml(text, name, diagnostics), name, options, diagnostics);
}

bool isMjcfFile(std::string_view path) { return path.ends_with(".xml"); }

bool isRobotFile(std::string_view path) {
  return isMjcfFile(path) || path.ends_with(".urdf") || path.ends_with(".xacro");
}

}  // namespace cardan
