#include "engine/urdf/translation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/expression/value.h"
#include "engine/urdf/shapes.h"

namespace cardan::urdf {
namespace {

constexpr double kGravity = 9.81;  ///< [m/s2]  along -z, as simulators of URDF have it

/// 1, 2 or 5 times a power of ten, near x > 0.
double roundLength(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  for (const double f : {1.0, 2.0, 5.0}) {
    if (x < 1.5 * f * power) return f * power;
  }
  return 10 * power;
}

/// n_x of a Planar joint: any direction that is not close to the axis across the plane.
bool isNearX(const Vector3d& axis) { return std::abs(axis[0]) > 0.9 * axis.stableNorm(); }

std::string inFileComment(const std::string& inFile, const std::string& inModel) {
  return inFile == inModel ? "" : "'" + inFile + "'";
}

}  // namespace

Translation::Translation(const Robot& robot, const KinematicTree& tree,
                         const std::vector<int>& bodies, const std::string& path,
                         const ImportOptions& options, ImportReport& report)
    : robot_(robot),
      tree_(tree),
      bodies_(bodies),
      path_(path),
      options_(options),
      report_(report) {}

ImportedModel Translation::make() {
  model_.at = robot_.element->mark();
  model_.name = legalName(robot_.name.empty() ? "robot" : robot_.name);
  model_.source = robot_.name;
  model_.files = {path_};
  takeNames();
  findDriven();
  findShapes();
  warnOfMassless();
  addWorld();
  for (const int l : tree_.order) {
    const size_t link = l;
    const int carrier = tree_.jointTo[link];
    if (carrier < 0) {
      addRoot();
    } else if (bodies_[link] == l) {
      addJoint(carrier);
      addLink(link, argumentsAt(*robot_.links[link].element));
    }
  }
  return std::move(model_);
}

void Translation::takeNames() {
  for (const Link& l : robot_.links) linkNames_.push_back(names_.take(l.name, "_link"));
  for (const Joint& j : robot_.joints) jointNames_.push_back(names_.take(j.name, "_joint"));
  for (int i = 0; i < std::ssize(robot_.links); ++i) {
    const std::string& name = robot_.links[i].name;
    report_.linkNames.emplace_back(name, bodyName(i));
    if (bodies_[i] != i) report_.merged.emplace_back(name, robot_.links[bodies_[i]].name);
  }
  for (size_t j = 0; j < robot_.joints.size(); ++j) {
    const size_t child = tree_.childOf[j];
    if (bodies_[child] == tree_.childOf[j])
      report_.jointNames.emplace_back(robot_.joints[j].name, jointNames_[j]);
  }
}

void Translation::findDriven() {
  isDriven_.assign(robot_.joints.size(), false);
  for (size_t k = 0; k < robot_.joints.size(); ++k) {
    const Joint& j = robot_.joints[k];
    if (j.damping > 0) isDriven_[k] = j.hasAxis();
    if (!tree_.followers[k]) continue;
    isDriven_[k] = true;
    if (const int leader = tree_.followers[k]->leader; leader >= 0) isDriven_[leader] = true;
  }
}

void Translation::findShapes() {
  shapes_.resize(robot_.links.size());
  for (size_t i = 0; i < robot_.links.size(); ++i) {
    for (const Visual& v : robot_.links[i].visuals) {
      std::string reason;
      if (auto shape = shapeOf(v, path_, options_, reason)) {
        shapes_[i].push_back(std::move(*shape));
        report_.convert(*v.element, "visual", robot_.links[i].name);
        hasShapes_ = true;
      } else {
        report_.ignore(*v.element, "visual", robot_.links[i].name, reason);
      }
    }
  }
}

/// A joint that carries no mass, and follows none that does, has no equation for its acceleration.
void Translation::warnOfMassless() {
  std::vector<bool> hasMass(robot_.links.size(), false);  // it, or what it carries
  for (auto l = tree_.order.rbegin(); l != tree_.order.rend(); ++l) {
    const size_t i = *l;
    if (!robot_.links[i].isMassless()) hasMass[i] = true;
    if (hasMass[i] && tree_.jointTo[i] >= 0) hasMass[tree_.parentOf[tree_.jointTo[i]]] = true;
  }
  std::vector<bool> moves(robot_.joints.size(), false);  // a mass, of a leader: also by followers
  const auto leaderOf = [&](int j) { return tree_.followers[j] ? tree_.followers[j]->leader : j; };
  for (size_t j = 0; j < robot_.joints.size(); ++j) {
    if (leaderOf(j) >= 0 && hasMass[tree_.childOf[j]]) moves[leaderOf(j)] = true;
  }
  for (size_t j = 0; j < robot_.joints.size(); ++j) {
    const int leader = leaderOf(j);
    if (!robot_.joints[j].moves() || leader < 0 || moves[leader]) continue;
    const Link& l = robot_.links[tree_.childOf[j]];
    report_.warn(l.name, l.element->mark(),
                 "link '" + l.name + "' moves on joint '" + robot_.joints[j].name +
                     "', but neither it nor what it carries has a mass: nothing determines its "
                     "acceleration");
  }
}

/// Distance [m] of the farthest link from the root, all joints at zero.
double Translation::extent() const {
  std::vector<Pose> poses(robot_.links.size());
  double farthest = 0;
  for (const int l : tree_.order) {
    const size_t i = l;
    if (tree_.jointTo[i] < 0 || bodies_[i] != l) continue;
    const size_t carrier = tree_.jointTo[i];
    const int parent = bodies_[tree_.parentOf[carrier]];
    poses[i] = poses[parent] * robot_.joints[carrier].pose;
    farthest = std::max(farthest, poses[i].r.stableNorm());
  }
  return farthest;
}

void Translation::addWorld() {
  const XmlElement& e = *robot_.element;
  ArgumentList a = argumentsAt(e);
  a.add("g", kGravity).add("n", Vector3d(0, 0, -1));
  if (const double size = extent(); size > 1e-6 && size < 1e6 && roundLength(size) != 1)
    a.add("nominalLength", roundLength(size));
  model_.world = ImportedModel::Part{"world", "", a.map(), "", e.mark(), e.mark()};
}

void Translation::addRoot() {
  const size_t root = tree_.root;
  const XmlElement& e = *robot_.links[root].element;
  ArgumentList start = argumentsAt(e);
  if (options_.floating) {
    start.addFixed("r_0").addFixed("v_0").addWord("angles_fixed", "true");
    start.addWord("w_0_fixed", "true").addWord("enforceStates", "true");
  } else {
    connect("world.frame_b", linkNames_[root] + ".frame_a", e);
  }
  addLink(root, start);
}

std::string Translation::add(const std::string& name, const std::string& type,
                             const ArgumentList& arguments, const XmlElement& e,
                             const std::string& comment) {
  model_.components.push_back({name, type, arguments.map(), comment, e.mark(), e.mark()});
  return name;
}

void Translation::connect(const std::string& a, const std::string& b, const XmlElement& e) {
  model_.connections.push_back({a, b, e.mark()});
}

void Translation::addLink(size_t link, const ArgumentList& start) {
  const Link& l = robot_.links[link];
  ArgumentList a = argumentsAt(*l.element);
  a.add("m", l.m);
  if (l.r_CM != Vector3d::Zero()) a.add("r_CM", l.r_CM);
  for (int i = 0; i < 3; ++i) a.add("I_" + std::to_string(11 * (i + 1)), l.I(i, i));
  for (const auto& [i, k] : {std::pair{1, 0}, {2, 0}, {2, 1}}) {
    if (l.I(i, k) != 0) a.add("I_" + std::to_string(10 * (i + 1) + k + 1), l.I(i, k));
  }
  for (const YamlNode::Entry& e : start.map().entries) a.addNode(e.key, e.value);
  hide(a);
  add(linkNames_[link], "Body", a, *l.element, inFileComment(l.name, linkNames_[link]));
  addShapes(link);
}

void Translation::addShapes(size_t link) {
  for (size_t k = 0; k < shapes_[link].size(); ++k) {
    const YamlNode& shape = shapes_[link][k];
    const std::string name =
        helper(linkNames_[link] + "_shape" + (k > 0 ? std::to_string(k + 1) : ""));
    model_.components.push_back(
        {name, "Visualizers.FixedShape", shape, "", shape.mark(), shape.mark()});
    model_.connections.push_back({linkNames_[link] + ".frame_a", name + ".frame_a", shape.mark()});
  }
}

// Joints ------------------------------------------------------------------------------------------

void Translation::addJoint(size_t joint) {
  const Joint& j = robot_.joints[joint];
  const XmlElement& e = *j.element;
  const std::string& name = jointNames_[joint];
  std::string from = bodyName(tree_.parentOf[joint]) + ".frame_a";
  const std::string to = bodyName(tree_.childOf[joint]) + ".frame_a";
  ArgumentList a = argumentsAt(e);
  if (!j.moves()) {
    addOrigin(j, name, a);
  } else {
    if (j.pose.isTurned() || j.pose.isMoved()) {
      const std::string origin = helper(name + "_origin");
      ArgumentList place = argumentsAt(e);
      addOrigin(j, origin, place);
      connect(from, origin + ".frame_a", e);
      from = origin + ".frame_b";
    }
    addCoordinates(j, joint, a);
  }
  connect(from, name + ".frame_a", e);
  connect(name + ".frame_b", to, e);
  if (isDriven_[joint]) addDrives(j, joint);
  if (j.limit && !(j.hasAxis() && options_.limits))
    report_.leaveOut(*j.limit->element, "limit", j.name,
                     "only with --limits: URDF knows no stiffness");
  if (j.friction > 0 && !options_.friction)
    report_.leaveOut(*j.dynamics, "friction", j.name, "only with --friction");
}

/// A rigid offset: the name of a fixed joint, or what lies before a joint that moves.
void Translation::addOrigin(const Joint& j, const std::string& name, ArgumentList& a) {
  const Pose& p = j.pose;
  if (p.isMoved()) a.add("r", p.r);
  constexpr double kDegrees = 180 / std::numbers::pi;
  const SourceMark at = j.element->mark();
  if (!p.isTurned()) {
    // parallel
  } else if (p.composed) {
    a.addWord("rotationType", "TwoAxesVectors");
    a.add("n_x", Vector3d(p.composed->col(0))).add("n_y", Vector3d(p.composed->col(1)));
  } else if ((p.rpy.array() != 0).count() == 1) {
    const Vector3d axis = (p.rpy.array() != 0).cast<double>();
    a.add("n", axis).add("angle", p.rpy.sum() * kDegrees);
  } else {
    // Turned by roll, pitch and yaw about fixed axes: by yaw, pitch and roll about turning ones.
    a.addWord("rotationType", "PlanarRotationSequence");
    a.addNode("sequence", listOf({wordOf("3", at), wordOf("2", at), wordOf("1", at)}, at));
    a.add("angles", Vector3d(Vector3d(p.rpy[2], p.rpy[1], p.rpy[0]) * kDegrees));
  }
  hide(a);
  const bool isJoint = !j.moves();
  add(name, p.isTurned() ? "FixedRotation" : "FixedTranslation", a, *j.element,
      isJoint ? inFileComment(j.name, name) : "");
}

void Translation::addCoordinates(const Joint& j, size_t joint, ArgumentList& a) {
  const std::string& name = jointNames_[joint];
  std::string comment = inFileComment(j.name, name), type;
  if (j.hasAxis()) {
    type = j.turns() ? "Revolute" : "Prismatic";
    if (j.axis != (j.turns() ? Vector3d(0, 0, 1) : Vector3d(1, 0, 0))) a.add("n", j.axis);
    if (isDriven_[joint]) a.addWord("useAxisFlange", "true");
    const char* position = j.turns() ? "phi" : "s";
    if (!tree_.followers[joint]) {
      a.addFixed(position).addFixed(j.turns() ? "w" : "v");
    } else if (const double q = tree_.followers[joint]->offset; q != 0) {
      a.addNode(position, argumentsAt(*j.element).add("start", q).map());
    }
    if (j.friction > 0 && options_.friction) addFriction(j, a);
    if (j.limit && options_.limits) addStops(j, a);
    if (j.limit)
      comment += (comment.empty() ? "" : ", ") + formatNumber(j.limit->lower) + " to " +
                 formatNumber(j.limit->upper) + (j.turns() ? " rad" : " m");
  } else if (j.type == JointType::planar) {
    type = "Planar";
    if (j.axis != Vector3d(0, 0, 1)) a.add("n", j.axis);
    if (isNearX(j.axis)) a.add("n_x", Vector3d(0, 1, 0));
    for (const char* q : {"s_x", "s_y", "phi", "v_x", "v_y", "w"}) a.addFixed(q);
  } else {
    type = "FreeMotion";
    a.addFixed("r_rel_a").addFixed("v_rel_a");
    a.addWord("angles_fixed", "true").addWord("w_rel_a_fixed", "true");
  }
  hide(a);
  add(name, type, a, *j.element, comment);
}

void Translation::addDrives(const Joint& j, size_t joint) {
  const std::string& name = jointNames_[joint];
  if (j.damping > 0) addDamper(j, name);
  if (tree_.followers[joint]) addFollower(j, joint);
}

void Translation::addDamper(const Joint& j, const std::string& name) {
  const XmlElement& e = *j.dynamics;
  const std::string damper =
      add(helper(name + "_damper"), j.turns() ? "Rotational.Damper" : "Translational.Damper",
          argumentsAt(e).add("d", j.damping), e);
  connect(name + ".support", damper + ".flange_a", e);
  connect(damper + ".flange_b", name + ".axis", e);
}

void Translation::addFriction(const Joint& j, ArgumentList& a) {
  const XmlElement& e = *j.dynamics;
  a.addNode("friction", argumentsAt(e).add(j.turns() ? "torque" : "force", j.friction).map());
  report_.convert(e, "friction", j.name);
}

std::string Translation::stopParameter(const char* name, double value, const XmlElement& e,
                                       const std::string& comment) {
  std::string& known = stopParameters_[name];
  if (known.empty()) {
    known = helper(name);
    model_.parameters.push_back({known, valueOf(value, e.mark()), comment, e.mark()});
  }
  return known;
}

void Translation::addStops(const Joint& j, ArgumentList& a) {
  const XmlElement& e = *j.limit->element;
  const double lower = j.limit->lower, upper = j.limit->upper;
  if (lower > upper) {
    report_.leaveOut(e, "limit", j.name, "the lower one exceeds the upper one");
    return;
  }
  report_.convert(e, "limit", j.name);
  const bool turns = j.turns();
  const std::string c = stopParameter(turns ? "stop_c" : "slide_stop_c", options_.limits->stiffness,
                                      e, turns ? "N.m/rad" : "N/m"),
                    d = stopParameter(turns ? "stop_d" : "slide_stop_d", options_.limits->damping,
                                      e, turns ? "N.m.s/rad" : "N.s/m");
  ArgumentList stops = argumentsAt(e);
  stops.add("min", lower).add("max", upper).addWord("c", c).addWord("d", d);
  a.addNode("limits", stops.map());
}

/// q = multiplier q_leader + offset, as gears between the axes of the two joints.
void Translation::addFollower(const Joint& j, size_t joint) {
  const KinematicTree::Follower& f = *tree_.followers[joint];
  const XmlElement& e = *j.element->child("mimic");
  const std::string& name = jointNames_[joint];
  const bool turns = j.turns();
  if (f.leader < 0) {
    const std::string fixed =
        add(helper(name + "_mimic"), turns ? "Rotational.Fixed" : "Translational.Fixed",
            argumentsAt(e).add(turns ? "phi0" : "s0", f.offset), e);
    connect(fixed + ".flange", name + ".axis", e);
    return;
  }
  std::string axis = name + ".axis";
  if (f.offset != 0) {
    const std::string shift =
        add(helper(name + "_offset"), turns ? "Rotational.Disc" : "Translational.Rod",
            argumentsAt(e).add(turns ? "deltaPhi" : "L", f.offset), e);
    connect(shift + ".flange_b", axis, e);
    axis = shift + ".flange_a";
  }
  const std::string leader = jointNames_[f.leader] + ".axis";
  const bool leaderTurns = robot_.joints[f.leader].turns();
  const auto gear = [&](const char* suffix, const char* type, double ratio) {
    return add(helper(name + suffix), type, argumentsAt(e).add("ratio", ratio), e);
  };
  constexpr const char* kRackAndPinion = "Rotational.IdealGearR2T";
  if (turns && leaderTurns) {
    const std::string g = gear("_mimic", "Rotational.IdealGear", f.multiplier);
    connect(g + ".flange_a", axis, e);
    connect(leader, g + ".flange_b", e);
  } else if (turns) {
    const std::string g = gear("_mimic", kRackAndPinion, f.multiplier);
    connect(g + ".flangeR", axis, e);
    connect(leader, g + ".flangeT", e);
  } else if (leaderTurns) {
    const std::string g = gear("_mimic", kRackAndPinion, 1 / f.multiplier);
    connect(leader, g + ".flangeR", e);
    connect(g + ".flangeT", axis, e);
  } else {
    // Two racks on one shaft.
    const std::string g = gear("_mimic", kRackAndPinion, f.multiplier);
    const std::string h = gear("_mimic_rack", kRackAndPinion, 1);
    connect(leader, g + ".flangeT", e);
    connect(g + ".flangeR", h + ".flangeR", e);
    connect(h + ".flangeT", axis, e);
  }
}

}  // namespace cardan::urdf
