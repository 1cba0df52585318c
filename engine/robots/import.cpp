#include "engine/robots/import.h"

#include <filesystem>
#include <utility>

#include "engine/robots/mjcf/import.h"
#include "engine/robots/translation.h"
#include "engine/robots/urdf/import.h"

namespace cardan {
namespace {

std::optional<RobotImport> imported(std::optional<XmlElement> root, const std::string& path,
                                    const robots::ImportOptions& options,
                                    Diagnostics& diagnostics) {
  if (!root) return std::nullopt;
  const bool isMjcf = isMjcfFile(path);
  RobotImport result;
  std::vector<std::string> files{path};
  std::optional<robots::Robot> robot =
      isMjcf ? robots::mjcf::readRobot(*root, path, options, files, result.report, diagnostics)
             : robots::urdf::readRobot(*root, path, options, result.report, diagnostics);
  if (!robot) return std::nullopt;
  result.model = robots::translated(std::move(*robot));
  result.model.files = std::move(files);
  result.report.finish(*root, isMjcf ? "it means nothing in MJCF, or nothing for the mechanics"
                                     : "it means nothing in URDF");
  for (const ImportReport::Warning& w : result.report.warnings()) diagnostics.warning(w.at, w.text);
  return result;
}

}  // namespace

std::optional<RobotImport> importRobot(const std::string& path,
                                       const robots::ImportOptions& options,
                                       Diagnostics& diagnostics) {
  return imported(readXml(path, diagnostics), path, options, diagnostics);
}

std::optional<RobotImport> importRobotText(std::string_view text, const std::string& name,
                                           const robots::ImportOptions& options,
                                           Diagnostics& diagnostics) {
  return imported(parseXml(text, name, diagnostics), name, options, diagnostics);
}

ModelFormat robotFormat(const robots::ImportOptions& options) {
  return {isRobotFile,
          [options](const Catalogue&, const std::string& path,
                    Diagnostics& diagnostics) -> std::optional<ImportedModel> {
            robots::ImportOptions there = options;
            if (there.modelFolder.empty())
              there.modelFolder = std::filesystem::path(path).parent_path().string();
            auto robot = importRobot(path, there, diagnostics);
            if (!robot) return std::nullopt;
            return std::move(robot->model);
          }};
}

}  // namespace cardan
