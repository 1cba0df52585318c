#include "engine/robots/mjcf/import.h"

#include <algorithm>
#include <filesystem>

#include "engine/robots/colliders.h"
#include "engine/robots/inertia.h"
#include "engine/robots/mjcf/reader.h"
#include "engine/robots/mjcf/vocabulary.h"
#include "engine/robots/model_values.h"
#include "engine/robots/shapes.h"

namespace cardan::robots::mjcf {
namespace {

namespace fs = std::filesystem;

/// Puts the content of included files in the place of each <include>, and the files whose parts are attached into
/// their <model>.
class Includes {
 public:
  Includes(fs::path folder, std::vector<std::string>& files, Diagnostics& diagnostics)
      : folder_(std::move(folder)), files_(files), diagnostics_(diagnostics) {}

  void resolve(XmlElement& element) {
    std::vector<XmlElement> children;
    for (XmlElement& c : element.children) {
      if (c.name != "include") {
        resolve(c);
        if (c.name == "model" && c.attribute("file")) readAttached(c);
        children.push_back(std::move(c));
        continue;
      }
      for (XmlElement& inside : contentOf(c)) children.push_back(std::move(inside));
    }
    element.children = std::move(children);
  }

 private:
  std::vector<XmlElement> contentOf(const XmlElement& include) {
    const XmlAttribute* file = include.attribute("file");
    if (!file || file->value.empty()) {
      diagnostics_.error(include.mark(), "<include> must have a 'file'");
      return {};
    }
    const std::string path = (folder_ / file->value).lexically_normal().string();
    if (std::ranges::find(files_, path) != files_.end()) {
      diagnostics_.error(include.mark(*file),
                         "a file must be included once, found '" + path + "' again");
      return {};
    }
    std::optional<XmlElement> root = read(path, include, "included");
    if (!root) return {};
    resolve(*root);
    return std::move(root->children);
  }

  /// Names in it are from its own folder on; a file may be there several times, but not in itself.
  void readAttached(XmlElement& model) {
    const std::string path = (folder_ / model.attribute("file")->value).lexically_normal().string();
    if (std::ranges::find(around_, path) != around_.end()) {
      diagnostics_.error(model.mark(), "a file must not attach itself, found '" + path + "' again");
      return;
    }
    std::optional<XmlElement> root = read(path, model, "attached");
    if (root && root->name != "mujoco")
      diagnostics_.error(root->mark(),
                         "an MJCF file must hold a <mujoco>, found <" + root->name + ">");
    if (!root || root->name != "mujoco") return;
    Includes inside(fs::path(path).parent_path(), files_, diagnostics_);
    inside.around_ = around_;
    inside.around_.push_back(path);
    inside.resolve(*root);
    model.children.push_back(std::move(*root));
  }

  std::optional<XmlElement> read(const std::string& path, const XmlElement& from,
                                 const std::string& how) {
    constexpr size_t kMostFiles = 100;
    const XmlAttribute& file = *from.attribute("file");
    std::error_code ignored;
    if (files_.size() > kMostFiles || file.value.find('\0') != std::string::npos ||
        !fs::is_regular_file(path, ignored)) {
      diagnostics_.error(from.mark(file), "cannot read the " + how + " file '" + path + "'");
      return std::nullopt;
    }
    files_.push_back(path);
    return readXml(path, diagnostics_);
  }

  fs::path folder_;
  std::vector<std::string>& files_;
  std::vector<std::string> around_;  ///< files that are being attached
  Diagnostics& diagnostics_;
};

/// A body that moves, and neither has a mass nor carries one.
void warnOfMassless(const Robot& robot, ImportReport& report) {
  const std::vector<bool> hasMass = carriesMass(robot);
  for (size_t i = robot.bodies.size(); i-- > 0;) {
    const Body& b = robot.bodies[i];
    if (!hasMass[i] && !b.joints.empty())
      report.warn(b.name, b.element->mark(),
                  "body '" + b.name +
                      "' moves, but neither it nor what it carries has a mass: nothing determines "
                      "its acceleration");
  }
}

void takeNames(Robot& robot, const ImportOptions& options, ImportReport& report) {
  if (!robot.colliders.empty() || options.ground) robot.names.take(kContactName, "");
  for (Body& b : robot.bodies) {
    b.component = robot.names.take(b.name.empty() ? "body" : b.name, "_body");
    if (!b.name.empty()) report.linkNames.emplace_back(b.name, b.component);
  }
  for (const auto& [body, place] : robot.joints) {
    Body& b = robot.bodies[body];
    Joint& j = b.joints[place];
    j.component = j.name.empty() ? robot.names.take(b.component + "_joint", "")
                                 : robot.names.take(j.name, "_joint");
    if (!j.name.empty()) report.jointNames.emplace_back(j.name, j.component);
  }
}

void findShapes(std::vector<Visual>& visuals, const std::string& owner, const std::string& path,
                const ImportOptions& options, ImportReport& report) {
  for (Visual& v : visuals) {
    std::string reason;
    v.shape = shapeOf(v, path, options, reason);
    if (v.shape) {
      report.convert(*v.element, "shape", owner);
    } else {
      report.leaveOut(*v.element, "shape", owner, reason);
    }
  }
}

void applyOptions(Joint& j, const ImportOptions& options, ImportReport& report) {
  const XmlElement& e = *j.element;
  if (!j.hasAxis()) return;
  if (j.friction > 0 && options.friction) {
    report.convert(e, "frictionloss", j.name);
  } else if (j.friction > 0) {
    report.leaveOut(e, "frictionloss", j.name, "only with --friction");
    j.friction = 0;
  }
  if (!j.isLimited) return;
  if (options.noLimits) {
    j.stops.reset();
    report.leaveOut(e, "range", j.name, "not with --no-limits");
    return;
  }
  j.stops = options.limits.value_or(Stops{rounded(j.stops->stiffness), rounded(j.stops->damping)});
  report.convert(e, "range", j.name);
}

/// What becomes of shapes, friction and limits.
void applyOptions(Robot& robot, const std::string& path, const ImportOptions& options,
                  ImportReport& report) {
  const XmlElement* rubbing = nullptr;
  findShapes(robot.visuals, "world", path, options, report);
  for (Body& b : robot.bodies) {
    for (Joint& j : b.joints) {
      if (!rubbing && j.hasAxis() && j.friction > 0) rubbing = j.element;
      applyOptions(j, options, report);
    }
    findShapes(b.visuals, b.component, path, options, report);
  }
  for (Tendon& t : robot.tendons) {
    if (!t.stops) continue;
    if (options.limits) t.stops = options.limits;
    if (!options.noLimits) continue;
    t.stops.reset();
    report.leaveOut(*t.element, "range", t.name, "not with --no-limits");
  }
  if (rubbing && !options.friction)
    report.warn("", rubbing->mark(),
                "'frictionloss' of joints is left out: --friction makes it Coulomb friction");
  robot.isComputed = true;
  robot.sharesStops = options.limits.has_value();
}

/// With the ground, which all that touches anything stands on.
void addContacts(Robot& robot, GeomContacts& contacts, const ImportOptions& options,
                 ImportReport& report) {
  if (options.ground) {
    robot.colliders.push_back(groundAt(*options.ground, *robot.element));
    ContactSettings& settings = contacts.settings.emplace_back();
    settings.type = settings.affinity = -1;  // all bits
  }
  makeContacts(contacts, robot, report);
}

}  // namespace

std::optional<Robot> readRobot(XmlElement& root, const std::string& path,
                               const ImportOptions& options, std::vector<std::string>& files,
                               ImportReport& report, Diagnostics& diagnostics) {
  if (root.name != "mujoco") {
    diagnostics.error(root.mark(), "an MJCF file must hold a <mujoco>, found <" + root.name + ">" +
                                       (root.name == "robot" ? "; name a URDF file .urdf" : ""));
    return std::nullopt;
  }
  files = {fs::path(path).lexically_normal().string()};
  Includes(fs::path(path).parent_path(), files, diagnostics).resolve(root);
  using Unknown = XmlVocabulary::Unknown;
  vocabulary().check(root, options.allowUnknown ? Unknown::leftOut : Unknown::refused, report,
                     diagnostics);
  GeomContacts contacts;
  Robot robot =
      readBodies(root, path, options.noContacts ? nullptr : &contacts, report, diagnostics);
  checkInertias(robot.bodies, options.strictInertia, report, diagnostics);
  if (diagnostics.errorCount() > 0) return std::nullopt;
  warnOfMassless(robot, report);
  report.robot = robot.name;
  report.links = std::ssize(robot.bodies);
  for (const Body& b : robot.bodies) {
    report.mass += b.mass.m;
    for (const Joint& j : b.joints) ++report.joints[j.word];
  }
  takeNames(robot, options, report);
  if (!options.noContacts) addContacts(robot, contacts, options, report);
  applyOptions(robot, path, options, report);
  return robot;
}

}  // namespace cardan::robots::mjcf
