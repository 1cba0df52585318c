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

}  // namespace

std::optional<ImportedModel> importModel(const XmlElement& root, const std::string& path,
                                         const ImportOptions& options, ImportReport& report,
                                         Diagnostics& diagnostics) {
  if (!isRobot(root, diagnostics)) return std::nullopt;
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
  return Translation(robot, *tree, bodies, path, options, report).make();
}

}  // namespace cardan::urdf
