#include "engine/urdf/import.h"

#include <algorithm>
#include <numeric>

#include "engine/urdf/fixed_joints.h"
#include "engine/urdf/inertia.h"
#include "engine/urdf/reader.h"
#include "engine/urdf/translation.h"

namespace cardan::urdf {
namespace {

/// The first element of a template, nullptr if there is none.
const XmlElement* templateIn(const XmlElement& e) {
  if (e.name.starts_with("xacro:")) return &e;
  for (const XmlElement& child : e.children) {
    if (const XmlElement* found = templateIn(child)) return found;
  }
  return nullptr;
}

bool isRobot(const XmlElement& root, Diagnostics& diagnostics) {
  if (root.name != "robot") {
    diagnostics.error(root.mark(), "a URDF file must hold a <robot>, found <" + root.name + ">");
    return false;
  }
  const XmlElement* macro = templateIn(root);
  if (macro)
    diagnostics.error(macro->mark(), "this is a template of a URDF file, found <" + macro->name +
                                         ">; expand it first: xacro FILE > robot.urdf");
  return !macro;
}

std::optional<Import> imported(const XmlElement& root, const std::string& path,
                               const ImportOptions& options, Diagnostics& diagnostics) {
  if (!isRobot(root, diagnostics)) return std::nullopt;
  Import result;
  ImportReport& report = result.report;
  Robot robot = readRobot(root, report, diagnostics);
  const std::optional<KinematicTree> tree = makeTree(robot, diagnostics);
  checkInertias(robot, options.strictInertia, report, diagnostics);
  if (!tree || diagnostics.errorCount() > 0) return std::nullopt;
  report.robot = robot.name;
  report.links = std::ssize(robot.links);
  for (const Joint& j : robot.joints) ++report.joints[nameOf(j.type)];
  for (const Link& l : robot.links) report.mass += l.m;
  std::vector<int> bodies(robot.links.size());
  std::iota(bodies.begin(), bodies.end(), 0);
  if (options.mergeFixed) bodies = mergeFixedJoints(robot, *tree);
  result.model = Translation(robot, *tree, bodies, path, options, report).make();
  report.finish(root, "it means nothing in URDF");
  for (const ImportReport::Warning& w : report.warnings()) diagnostics.warning(w.at, w.text);
  return result;
}

}  // namespace

std::optional<Import> importModel(const std::string& path, const ImportOptions& options,
                                  Diagnostics& diagnostics) {
  const std::optional<XmlElement> root = readXml(path, diagnostics);
  return root ? imported(*root, path, options, diagnostics) : std::nullopt;
}

std::optional<Import> importText(std::string_view text, const std::string& name,
                                 const ImportOptions& options, Diagnostics& diagnostics) {
  const std::optional<XmlElement> root = parseXml(text, name, diagnostics);
  return root ? imported(*root, name, options, diagnostics) : std::nullopt;
}

bool isUrdfFile(std::string_view path) {
  return path.ends_with(".urdf") || path.ends_with(".xacro");
}

}  // namespace cardan::urdf
