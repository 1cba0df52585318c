#include "engine/robots/urdf/import.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/robots/colliders.h"
#include "engine/robots/component_names.h"
#include "engine/robots/inertia.h"
#include "engine/robots/shapes.h"
#include "engine/robots/urdf/collisions.h"
#include "engine/robots/urdf/kinematic_tree.h"
#include "engine/robots/urdf/vocabulary.h"

namespace cardan::robots::urdf {
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

/// The robot that links make on their joints, from the root outwards.
class Assembly {
 public:
  Assembly(Parts& parts, const KinematicTree& tree, const ImportOptions& options,
           ImportReport& report)
      : parts_(parts), tree_(tree), options_(options), report_(report) {}

  Robot make(const std::string& path) {
    robot_.name = parts_.name;
    robot_.element = parts_.element;
    robot_.drivesComeFirst = robot_.numbersShapes = robot_.sharesStops = true;
    bodyOf_.resize(parts_.links.size());
    poses_.resize(parts_.links.size());
    for (const int l : tree_.order) addLink(l);
    addJoints();
    reportNames();
    for (size_t l = 0; l < bodyOf_.size(); ++l) {
      if (isWhole(l)) findShapes(bodyOf(l), path);
    }
    for (Body& b : robot_.bodies) {
      for (Joint& j : b.joints) applyOptions(j);
    }
    findColliders(path);
    warnOfMassless();
    robot_.nominalLength = nominalLength();
    return std::move(robot_);
  }

 private:
  Body& bodyOf(size_t link) { return robot_.bodies[bodyOf_[link]]; }
  /// It is a body, and no part of the one that carries it.
  bool isWhole(size_t link) { return bodyOf(link).element == parts_.links[link].element; }

  void addLink(size_t link) {
    Body& b = parts_.links[link];
    if (const int carrier = tree_.jointTo[link]; carrier >= 0) {
      const size_t parent = tree_.parentOf[carrier];
      Joint& j = parts_.joints[carrier];
      j.origin = poses_[parent] * j.origin;
      if (options_.mergeFixed && !j.moves()) {
        bodyOf_[link] = bodyOf_[parent];
        poses_[link] = j.origin;
        merge(b, bodyOf(link), j.origin);
        return;
      }
      b.parent = bodyOf_[parent];
      b.placedBy = j.element;
      b.joints = {j};
    } else {
      b.isLoose = options_.floating;
    }
    bodyOf_[link] = std::ssize(robot_.bodies);
    robot_.bodies.push_back(b);
  }

  static void merge(Body& part, Body& whole, const Pose& pose) {
    whole.mass = whole.mass + pose * part.mass;
    whole.mass.I = Matrix3d((whole.mass.I + whole.mass.I.transpose()) / 2);
    for (Visual& v : part.visuals) {
      v.pose = pose * v.pose;
      whole.visuals.push_back(std::move(v));
    }
  }

  /// In the order of the file, with those that follow others.
  void addJoints() {
    std::vector<int> indices(parts_.joints.size(), -1);
    for (size_t k = 0; k < indices.size(); ++k) {
      if (!isWhole(tree_.childOf[k])) continue;
      indices[k] = std::ssize(robot_.joints);
      robot_.joints.push_back({bodyOf_[tree_.childOf[k]], 0});
    }
    for (size_t k = 0; k < indices.size(); ++k) {
      const auto& f = tree_.followers[k];
      if (!f) continue;
      bodyOf(tree_.childOf[k]).joints[0].start = f->offset;
      Equality q;
      q.type = EqualityType::sum;
      q.terms.push_back({Share{indices[k]}});
      if (f->leader >= 0) q.terms.push_back({Share{indices[f->leader], -f->multiplier}});
      q.offset = -f->offset;
      q.isMimic = true;
      q.element = parts_.joints[k].mimic->element;
      robot_.equalities.push_back(q);
    }
  }

  void reportNames() {
    for (size_t l = 0; l < bodyOf_.size(); ++l) {
      const std::string& name = parts_.links[l].name;
      report_.linkNames.emplace_back(name, bodyOf(l).component);
      if (!isWhole(l)) report_.merged.emplace_back(name, bodyOf(l).name);
    }
    for (const auto& [body, unused] : robot_.joints) {
      const Joint& j = robot_.bodies[body].joints[0];
      report_.jointNames.emplace_back(j.name, j.component);
    }
  }

  void findShapes(Body& b, const std::string& path) {
    std::erase_if(b.visuals, [&](Visual& v) {
      std::string reason;
      v.shape = shapeOf(v, path, options_, reason);
      if (v.shape) {
        report_.convert(*v.element, "visual", b.name);
      } else {
        report_.ignore(*v.element, "visual", b.name, reason);
      }
      return !v.shape;
    });
  }

  void findColliders(const std::string& path) {
    Untouched untouched("<collision> of link");
    for (const auto& [link, shape] : parts_.collisions) {
      std::string why;
      if (auto c = colliderOf(shape, path, options_, why)) {
        c->body = bodyOf_[link];
        if (!isWhole(link)) c->pose = poses_[link] * c->pose;
        robot_.colliders.push_back(std::move(*c));
        continue;
      }
      const std::string& name = parts_.links[link].name;
      report_.ignore(*shape.element, "collision", name, why);
      untouched.add(name, "'" + name + "'", shape.element->mark(), why);
    }
    untouched.tell(report_);
  }

  void applyOptions(Joint& j) {
    const bool rubs = j.friction > 0;
    if (rubs && options_.friction) report_.convert(*j.forces, "friction", j.name);
    if (j.isLimited && !options_.limits) {
      report_.leaveOut(*j.limits, "limit", j.name, "only with --limits: URDF knows no stiffness");
    } else if (j.isLimited && j.range[0] > j.range[1]) {
      report_.leaveOut(*j.limits, "limit", j.name, "the lower one exceeds the upper one");
    } else if (j.isLimited) {
      report_.convert(*j.limits, "limit", j.name);
      j.stops = options_.limits;
    }
    if (!rubs || options_.friction) return;
    report_.leaveOut(*j.forces, "friction", j.name, "only with --friction");
    j.friction = 0;
  }

  /// A joint that carries no mass, and follows none that does, has no equation for its acceleration.
  void warnOfMassless() {
    const std::vector<bool> hasMass = carriesMass(robot_);
    std::vector<int> leaders(robot_.joints.size());
    for (size_t j = 0; j < leaders.size(); ++j) leaders[j] = j;
    for (const Equality& q : robot_.equalities)
      leaders[q.terms[0].of.joint] = q.terms.size() > 1 ? q.terms[1].of.joint : -1;
    std::vector<bool> moves(leaders.size(), false);  // a mass, of a leader: also by followers
    for (size_t j = 0; j < leaders.size(); ++j) {
      if (leaders[j] >= 0 && hasMass[robot_.joints[j].body]) moves[leaders[j]] = true;
    }
    for (size_t j = 0; j < leaders.size(); ++j) {
      if (!robot_.joint(j).moves() || leaders[j] < 0 || moves[leaders[j]]) continue;
      const Body& b = robot_.bodies[robot_.joints[j].body];
      report_.warn(b.name, b.element->mark(),
                   "link '" + b.name + "' moves on joint '" + robot_.joint(j).name +
                       "', but neither it nor what it carries has a mass: nothing determines its "
                       "acceleration");
    }
  }

  /// About the distance of the farthest link from the root, all joints at zero: 1, 2 or 5 times a power of ten.
  std::optional<double> nominalLength() const {
    double size = 0;
    for (const Pose& p : posesOf(robot_)) size = std::max(size, p.r.stableNorm());
    if (!(size > 1e-6 && size < 1e6)) return std::nullopt;
    const double power = std::pow(10.0, std::floor(std::log10(size)));
    double length = 10 * power;
    for (const double f : {5.0, 2.0, 1.0}) {
      if (size < 1.5 * f * power) length = f * power;
    }
    return length == 1 ? std::nullopt : std::optional(length);
  }

  Parts& parts_;
  const KinematicTree& tree_;
  const ImportOptions& options_;
  ImportReport& report_;
  Robot robot_;
  std::vector<int> bodyOf_;  ///< of a link
  std::vector<Pose> poses_;  ///< of links in their bodies
};

ComponentNames namesOf(Parts& parts) {
  ComponentNames names;
  if (!parts.collisions.empty()) names.take(kContactName, "");
  for (Body& l : parts.links) l.component = names.take(l.name, "_link");
  for (Joint& j : parts.joints) j.component = names.take(j.name, "_joint");
  return names;
}

}  // namespace

std::optional<Robot> readRobot(const XmlElement& root, const std::string& path,
                               const ImportOptions& options, ImportReport& report,
                               Diagnostics& diagnostics) {
  if (!isRobot(root, diagnostics)) return std::nullopt;
  using Unknown = XmlVocabulary::Unknown;
  vocabulary().check(root, options.allowUnknown ? Unknown::leftOut : Unknown::refusedIfClose,
                     report, diagnostics);
  Parts parts = readParts(root, !options.noContacts, report, diagnostics);
  const std::optional<KinematicTree> tree = makeTree(parts, diagnostics);
  checkInertias(parts.links, options.strictInertia, report, diagnostics);
  if (!tree || diagnostics.errorCount() > 0) return std::nullopt;
  report.robot = parts.name;
  report.links = std::ssize(parts.links);
  for (const Joint& j : parts.joints) ++report.joints[j.word];
  for (const Body& l : parts.links) report.mass += l.mass.m;
  ComponentNames names = namesOf(parts);
  Robot robot = Assembly(parts, *tree, options, report).make(path);
  robot.names = std::move(names);
  if (!options.noContacts) makeContacts(robot, options, report);
  return robot;
}

}  // namespace cardan::robots::urdf
