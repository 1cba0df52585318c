#include "engine/mjcf/import.h"

#include <algorithm>
#include <filesystem>

#include "engine/mjcf/reader.h"
#include "engine/mjcf/translation.h"
#include "engine/urdf/inertia.h"

namespace cardan::mjcf {
namespace {

namespace fs = std::filesystem;

/// Puts the content of included files in the place of each <include>, which stays without effect.
class Includes {
 public:
  Includes(fs::path folder, std::vector<std::string>& files, Diagnostics& diagnostics)
      : folder_(std::move(folder)), files_(files), diagnostics_(diagnostics) {}

  void resolve(XmlElement& element) {
    std::vector<XmlElement> children;
    for (XmlElement& c : element.children) {
      if (c.name != "include") {
        resolve(c);
        children.push_back(std::move(c));
        continue;
      }
      for (XmlElement& inside : contentOf(c)) children.push_back(std::move(inside));
    }
    element.children = std::move(children);
  }

 private:
  std::vector<XmlElement> contentOf(const XmlElement& include) {
    constexpr size_t kMostFiles = 100;
    const XmlAttribute* file = include.attribute("file");
    if (!file || file->value.empty()) {
      diagnostics_.error(include.mark(), "<include> must have a 'file'");
      return {};
    }
    const std::string path = (folder_ / file->value).lexically_normal().string();
    if (std::ranges::find(files_, path) != files_.end() || files_.size() > kMostFiles) {
      diagnostics_.error(include.mark(*file),
                         "a file must be included once, found '" + path + "' again");
      return {};
    }
    std::error_code ignored;
    if (file->value.find('\0') != std::string::npos || !fs::is_regular_file(path, ignored)) {
      diagnostics_.error(include.mark(*file), "cannot read the included file '" + path + "'");
      return {};
    }
    files_.push_back(path);
    std::optional<XmlElement> root = readXml(path, diagnostics_);
    if (!root) return {};
    resolve(*root);
    return std::move(root->children);
  }

  fs::path folder_;
  std::vector<std::string>& files_;
  Diagnostics& diagnostics_;
};

/// Inertias that no body has are told, or mended, as of links.
void checkInertias(Robot& robot, bool isRefused, ImportReport& report, Diagnostics& diagnostics) {
  urdf::Robot links;
  for (const Body& b : robot.bodies) {
    urdf::Link& l = links.links.emplace_back();
    l.name = b.name;
    l.m = b.mass.m;
    l.r_CM = b.mass.r_CM;
    l.I = b.mass.I;
    l.inertiaAt = b.massAt;
    l.element = b.element;
  }
  urdf::checkInertias(links, isRefused, report, diagnostics);
  for (size_t i = 0; i < robot.bodies.size(); ++i) robot.bodies[i].mass.I = links.links[i].I;
}

/// A body that moves, and neither has a mass nor carries one.
void warnOfMassless(const Robot& robot, ImportReport& report) {
  std::vector<bool> hasMass(robot.bodies.size(), false);
  for (size_t i = robot.bodies.size(); i-- > 0;) {
    const Body& b = robot.bodies[i];
    hasMass[i] = hasMass[i] || b.mass.m > 0 || !b.mass.I.isZero(0);
    for (const Joint& j : b.joints) hasMass[i] = hasMass[i] || j.armature > 0;
    if (hasMass[i] && b.parent >= 0) hasMass[b.parent] = true;
    if (!hasMass[i] && !b.joints.empty())
      report.warn(b.name, b.element->mark(),
                  "body '" + b.name +
                      "' moves, but neither it nor what it carries has a mass: nothing determines "
                      "its acceleration");
  }
}

}  // namespace

std::optional<ImportedModel> importModel(XmlElement& root, const std::string& path,
                                         const urdf::ImportOptions& options, ImportReport& report,
                                         Diagnostics& diagnostics) {
  if (root.name != "mujoco") {
    diagnostics.error(root.mark(), "an MJCF file must hold a <mujoco>, found <" + root.name + ">" +
                                       (root.name == "robot" ? "; name a URDF file .urdf" : ""));
    return std::nullopt;
  }
  std::vector<std::string> files{fs::path(path).lexically_normal().string()};
  Includes(fs::path(path).parent_path(), files, diagnostics).resolve(root);
  Robot robot = readRobot(root, report, diagnostics);
  checkInertias(robot, options.strictInertia, report, diagnostics);
  if (diagnostics.errorCount() > 0) return std::nullopt;
  warnOfMassless(robot, report);
  report.robot = robot.name;
  report.links = std::ssize(robot.bodies);
  for (const Body& b : robot.bodies) {
    report.mass += b.mass.m;
    for (const Joint& j : b.joints) ++report.joints[nameOf(j.type)];
  }
  ImportedModel model = Translation(robot, path, options, report).make();
  model.files = std::move(files);
  return model;
}

}  // namespace cardan::mjcf
