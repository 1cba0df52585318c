#include "engine/mjcf/translation.h"

#include <algorithm>
#include <cmath>

#include "engine/expression/value.h"
#include "engine/urdf/shapes.h"

namespace cardan::mjcf {
namespace {

std::string inFileComment(const std::string& inFile, const std::string& inModel) {
  return inFile == inModel || inFile.empty() ? "" : "'" + inFile + "'";
}

/// A factor in front of a name: "", "-" or "2*".
std::string factor(double x) {
  if (x == 1) return "";
  return x == -1 ? "-" : formatNumber(x) + "*";
}

/// With its sign, behind other terms.
std::string term(double x, const std::string& name) {
  if (x == 0) return "";
  const std::string size = name.empty() ? formatNumber(std::abs(x)) : factor(std::abs(x)) + name;
  return (x < 0 ? " - " : " + ") + size;
}

}  // namespace

Translation::Translation(const Robot& robot, const std::string& path,
                         const urdf::ImportOptions& options, ImportReport& report)
    : robot_(robot), path_(path), options_(options), report_(report) {}

ImportedModel Translation::make() {
  model_.at = robot_.element->mark();
  model_.name = urdf::legalName(robot_.name.empty() ? "robot" : robot_.name);
  model_.source = robot_.name;
  model_.files = {path_};
  takeNames();
  findPoses();
  findFollowers();
  addWorld();
  addShapes(robot_.visuals, "world", "world.frame_b");
  for (size_t b = 0; b < robot_.bodies.size(); ++b) addBody(b);
  for (size_t k = 0; k < robot_.equalities.size(); ++k) addEquality(robot_.equalities[k], k);
  return std::move(model_);
}

/// With shapes of its own the robot needs none of those that components have by themselves.
void Translation::hide(ArgumentList& a) const {
  const bool hasShapes =
      !robot_.visuals.empty() ||
      std::ranges::any_of(robot_.bodies, [](const Body& b) { return !b.visuals.empty(); });
  if (hasShapes) a.addWord("animation", "false");
}

void Translation::takeNames() {
  for (const Body& b : robot_.bodies)
    bodyNames_.push_back(names_.take(b.name.empty() ? "body" : b.name, "_body"));
  jointsOf_.resize(robot_.bodies.size());
  for (size_t k = 0; k < robot_.joints.size(); ++k) {
    const Joint& j = robot_.joint(k);
    const size_t body = robot_.joints[k].body;
    jointsOf_[body].push_back(k);
    jointNames_.push_back(j.name.empty() ? names_.take(bodyNames_[body] + "_joint", "")
                                         : names_.take(j.name, "_joint"));
    if (!j.name.empty()) report_.jointNames.emplace_back(j.name, jointNames_.back());
  }
  for (size_t b = 0; b < robot_.bodies.size(); ++b) {
    if (!robot_.bodies[b].name.empty())
      report_.linkNames.emplace_back(robot_.bodies[b].name, bodyNames_[b]);
  }
}

void Translation::findPoses() {
  for (const Body& b : robot_.bodies)
    poses_.push_back(b.parent < 0 ? b.pose : poses_[b.parent] * b.pose);
}

void Translation::findFollowers() {
  follows_.assign(robot_.joints.size(), false);
  leads_.assign(robot_.joints.size(), false);
  for (const Equality& q : robot_.equalities) {
    if (q.type != EqualityType::joint) continue;
    follows_[q.first] = true;
    if (q.second >= 0) leads_[q.second] = true;
  }
}

std::string Translation::frameOf(int body) const {
  return body < 0 ? "world.frame_b" : bodyNames_[body] + ".frame_a";
}

bool Translation::isDriven(int joint) const {
  const Joint& j = robot_.joint(joint);
  const size_t k = joint;
  return j.hasAxis() && (j.damping > 0 || j.stiffness > 0 || j.armature > 0 || follows_[k] ||
                         leads_[k] || std::ranges::any_of(robot_.actuators, [&](const Actuator& a) {
                           return a.joint == joint;
                         }));
}

std::string Translation::add(const std::string& name, const std::string& type,
                             const ArgumentList& a, const XmlElement& e,
                             const std::string& comment) {
  model_.components.push_back({name, type, a.map(), comment, e.mark(), e.mark()});
  return name;
}

void Translation::connect(const std::string& a, const std::string& b, const XmlElement& e) {
  model_.connections.push_back({a, b, e.mark()});
}

void Translation::addWorld() {
  ArgumentList a(robot_.element->mark());
  const double g = robot_.gravity.stableNorm();
  a.add("g", g);
  if (g > 0) {
    const Vector3d n = robot_.gravity / g;
    a.add("n", n);
  }
  model_.world =
      ImportedModel::Part{"world", "", a.map(), "", robot_.element->mark(), robot_.element->mark()};
}

std::string Translation::addOffset(const std::string& from, const Pose& pose,
                                   const std::string& name, const XmlElement& e) {
  const bool isTurned = !pose.R.isIdentity(1e-15), isMoved = !pose.r.isZero(0);
  if (!isTurned && !isMoved) return from;
  ArgumentList a(e.mark());
  if (isMoved) a.add("r", urdf::rounded(pose.r));
  if (isTurned) {
    a.addWord("rotationType", "TwoAxesVectors");
    const Matrix3d R = urdf::rounded(pose.R);
    a.add("n_x", Vector3d(R.col(0))).add("n_y", Vector3d(R.col(1)));
  }
  hide(a);
  const std::string offset =
      add(helper(name), isTurned ? "FixedRotation" : "FixedTranslation", a, e);
  connect(from, offset + ".frame_a", e);
  return offset + ".frame_b";
}

void Translation::addBody(int body) {
  const size_t index = body;
  const Body& b = robot_.bodies[index];
  const XmlElement& e = *b.element;
  const std::string& name = bodyNames_[index];
  std::string from = addOffset(frameOf(b.parent), b.pose, name + "_origin", e);
  // Each joint moves the body about its own place, which those before it have moved.
  Vector3d at = Vector3d::Zero();
  for (const int joint : jointsOf_[index]) {
    const Joint& j = robot_.joint(joint);
    const Vector3d pos = j.type == JointType::free ? Vector3d(Vector3d::Zero()) : j.pos;
    from = addOffset(from, {pos - at, Matrix3d::Identity()}, jointName(joint) + "_origin", e);
    at = pos;
    connect(from, jointName(joint) + ".frame_a", e);
    from = jointName(joint) + ".frame_b";
    addJoint(joint);
  }
  from = addOffset(from, {-at, Matrix3d::Identity()}, name + "_offset", e);
  connect(from, name + ".frame_a", e);
  ArgumentList a(e.mark());
  const Matrix3d I = urdf::rounded(b.mass.I);
  a.add("m", urdf::rounded(b.mass.m, b.mass.m));
  if (!b.mass.r_CM.isZero(0)) a.add("r_CM", urdf::rounded(b.mass.r_CM));
  for (int i = 0; i < 3; ++i) a.add("I_" + std::to_string(11 * (i + 1)), I(i, i));
  for (const auto& [i, k] : {std::pair{1, 0}, {2, 0}, {2, 1}}) {
    if (I(i, k) != 0) a.add("I_" + std::to_string(10 * (i + 1) + k + 1), I(i, k));
  }
  hide(a);
  add(name, "Body", a, e, inFileComment(b.name, name));
  for (const int joint : jointsOf_[index]) {
    if (isDriven(joint)) addDrives(joint);
  }
  addShapes(b.visuals, name, name + ".frame_a");
}

void Translation::addShapes(const std::vector<urdf::Visual>& visuals, const std::string& owner,
                            const std::string& frame) {
  for (const urdf::Visual& v : visuals) {
    std::string reason;
    const auto shape = urdf::shapeOf(v, path_, options_, reason);
    const XmlElement& e = *v.element;
    if (!shape) {
      report_.leaveOut(e, "shape", owner, reason);
      continue;
    }
    report_.convert(e, "shape", owner);
    const std::string name = helper(owner + "_shape");
    model_.components.push_back({name, "Visualizers.FixedShape", *shape, "", e.mark(), e.mark()});
    connect(frame, name + ".frame_a", e);
  }
}

// Joints ------------------------------------------------------------------------------------------

void Translation::addJoint(int joint) {
  const Joint& j = robot_.joint(joint);
  const XmlElement& e = *j.element;
  const std::string& name = jointName(joint);
  const bool follows = follows_[joint];
  std::string comment = inFileComment(j.name, name);
  const auto remark = [&](const std::string& text) {
    comment += (comment.empty() ? "" : ", ") + text;
  };
  ArgumentList a(e.mark());
  const char* type = j.turns() ? "Revolute" : "Prismatic";
  if (j.type == JointType::free) {
    type = "FreeMotion";
    a.addFixed("r_rel_a").addFixed("v_rel_a");
    a.addWord("angles_fixed", "true").addWord("w_rel_a_fixed", "true");
  } else if (j.type == JointType::ball) {
    type = "Spherical";
    a.addWord("angles_fixed", "true").addWord("w_rel_a_fixed", "true");
    a.addWord("enforceStates", "true");
  } else {
    if (j.axis != (j.turns() ? Vector3d(0, 0, 1) : Vector3d(1, 0, 0))) a.add("n", j.axis);
    if (isDriven(joint)) a.addWord("useAxisFlange", "true");
    if (!follows) a.addFixed(j.turns() ? "phi" : "s").addFixed(j.turns() ? "w" : "v");
    if (j.friction > 0 && options_.friction) {
      a.addNode("friction",
                ArgumentList(e.mark()).add(j.turns() ? "torque" : "force", j.friction).map());
      report_.convert(e, "frictionloss", j.name);
    } else if (j.friction > 0) {
      report_.leaveOut(e, "frictionloss", j.name, "only with --friction");
    }
    if (j.ref != 0) remark("from " + formatNumber(j.ref));
    if (j.isLimited)
      remark(formatNumber(j.range[0]) + " to " + formatNumber(j.range[1]) +
             (j.turns() ? " rad" : " m"));
    if (j.isLimited && options_.limits) {
      addStops(j, a);
    } else if (j.isLimited) {
      report_.leaveOut(e, "range", j.name, "only with --limits");
    }
  }
  hide(a);
  add(name, type, a, e, comment);
  if (!j.hasAxis()) addMount(joint);
}

/// What acts in all directions that a ball or a free body has.
void Translation::addMount(int joint) {
  const Joint& j = robot_.joint(joint);
  if (!(j.damping > 0) && !(j.stiffness > 0) && !(j.armature > 0)) return;
  const XmlElement& e = *j.element;
  const std::string& name = jointName(joint);
  const bool isFree = j.type == JointType::free;
  ArgumentList a(e.mark());
  const auto addAll = [&](const char* along, const char* about, double value) {
    const Vector3d all = Vector3d::Constant(value);
    if (value > 0 && isFree) a.add(along, all);
    if (value > 0) a.add(about, all);
  };
  addAll("c", "c_rot", j.stiffness);
  addAll("d", "d_rot", j.damping);
  addAll("b", "b_rot", j.armature);
  const std::string mount = add(helper(name + "_mount"), "Bushing", a, e);
  // Its spring is at rest where the file shows the body.
  connect(name + ".frame_a", mount + ".frame_a", e);
  connect(mount + ".frame_b", name + ".frame_b", e);
}

std::string Translation::stopParameter(const char* name, double value, const XmlElement& e,
                                       const std::string& comment) {
  std::string& known = stopParameters_[name];
  if (known.empty()) {
    known = helper(name);
    model_.parameters.push_back({known, urdf::valueOf(value, e.mark()), comment, e.mark()});
  }
  return known;
}

void Translation::addStops(const Joint& j, ArgumentList& a) {
  const XmlElement& e = *j.element;
  if (j.range[0] > j.range[1]) {
    report_.leaveOut(e, "range", j.name, "its first number exceeds the second one");
    return;
  }
  const bool turns = j.turns();
  const std::string c = stopParameter(turns ? "stop_c" : "slide_stop_c", options_.limits->stiffness,
                                      e, turns ? "N.m/rad" : "N/m"),
                    d = stopParameter(turns ? "stop_d" : "slide_stop_d", options_.limits->damping,
                                      e, turns ? "N.m.s/rad" : "N.s/m");
  ArgumentList stops(e.mark());
  stops.add("min", j.range[0] - j.ref).add("max", j.range[1] - j.ref);
  a.addNode("limits", stops.addWord("c", c).addWord("d", d).map());
  report_.convert(e, "range", j.name);
}

/// What acts along the axis: a spring and a damper, an inertia, what is driven from outside.
void Translation::addDrives(int joint) {
  const Joint& j = robot_.joint(joint);
  const XmlElement& e = *j.element;
  const std::string& name = jointName(joint);
  const std::string room = j.turns() ? "Rotational." : "Translational.";
  const auto between = [&](const std::string& part, const char* a, const char* b) {
    connect(name + ".support", part + a, e);
    connect(part + b, name + ".axis", e);
  };
  if (j.stiffness > 0) {
    ArgumentList a(e.mark());
    a.add("c", j.stiffness);
    if (j.damping > 0) a.add("d", j.damping);
    if (const double rest = j.springRef - j.ref; rest != 0)
      a.add(j.turns() ? "phi_rel0" : "s_rel0", rest);
    between(add(helper(name + "_spring"), room + (j.damping > 0 ? "SpringDamper" : "Spring"), a, e),
            ".flange_a", ".flange_b");
  } else if (j.damping > 0) {
    between(add(helper(name + "_damper"), room + "Damper",
                ArgumentList(e.mark()).add("d", j.damping), e),
            ".flange_a", ".flange_b");
  }
  if (j.armature > 0) {
    const std::string rotor =
        add(helper(name + "_armature"), room + (j.turns() ? "Inertia" : "Mass"),
            ArgumentList(e.mark()).add(j.turns() ? "J" : "m", j.armature), e);
    connect(rotor + ".flange_a", name + ".axis", e);
  }
  addActuators(joint);
}

void Translation::addActuators(int joint) {
  const Joint& j = robot_.joint(joint);
  const std::string& name = jointName(joint);
  const std::string q = name + (j.turns() ? ".phi" : ".s"), w = name + (j.turns() ? ".w" : ".v");
  for (const Actuator& a : robot_.actuators) {
    if (a.joint != joint) continue;
    const XmlElement& e = *a.element;
    const std::string input = helper(a.name.empty() ? name + "_input" : a.name);
    model_.inputs.push_back(
        {input, urdf::wordOf("0", e.mark()), inFileComment(a.name, input), e.mark()});
    // The actuator's length is gear q, its force acts by the gear, too.
    const double constant = a.gear * (a.bias[0] + a.bias[1] * a.gear * j.ref);
    std::string force = factor(a.gear * a.gain) + input;
    force += term(a.gear * a.gear * a.bias[1], q) + term(a.gear * a.gear * a.bias[2], w);
    force += term(constant, "");
    const std::string drive = helper(input + "_drive");
    ArgumentList arguments(e.mark());
    arguments.addNode(j.turns() ? "tau" : "f", expressionNode(force, e.mark()));
    add(drive, j.turns() ? "Rotational.Torque2" : "Translational.Force2", arguments, e);
    connect(name + ".support", drive + ".flange_a", e);
    connect(drive + ".flange_b", name + ".axis", e);
  }
}

// Constraints -------------------------------------------------------------------------------------

void Translation::addEquality(const Equality& q, int index) {
  if (q.type == EqualityType::joint) {
    addFollower(q);
    return;
  }
  const XmlElement& e = *q.element;
  const XmlAttribute* given = e.attribute("name");
  const std::string base = given && !given->value.empty() ? urdf::legalName(given->value)
                                                          : "equality" + std::to_string(index + 1);
  const auto poseOfBody = [&](int b) { return b < 0 ? Pose{} : poses_[b]; };
  const Pose between = poseOfBody(q.first).inverse() * poseOfBody(q.second);
  if (q.type == EqualityType::weld) {
    // A rigid connection that closes a loop.
    const Pose pose = q.hasPose ? q.pose : between;
    ArgumentList a(e.mark());
    a.add("r", pose.r).addWord("rotationType", "TwoAxesVectors");
    a.add("n_x", Vector3d(pose.R.col(0))).add("n_y", Vector3d(pose.R.col(1)));
    hide(a);
    const std::string name = add(helper(base), "FixedRotation", a, e);
    connect(frameOf(q.first), name + ".frame_a", e);
    connect(name + ".frame_b", frameOf(q.second), e);
    return;
  }
  const std::string name = helper(base);
  const std::string a =
      addOffset(frameOf(q.first), {q.anchor, Matrix3d::Identity()}, name + "_anchor", e);
  // The same point in the second body, as the file shows them.
  const Vector3d other = (between.inverse() * Pose{q.anchor, Matrix3d::Identity()}).r;
  const std::string b =
      addOffset(frameOf(q.second), {other, Matrix3d::Identity()}, name + "_anchor", e);
  ArgumentList spherical(e.mark());
  hide(spherical);
  add(name, "Constraints.Spherical", spherical, e);
  connect(a, name + ".frame_a", e);
  connect(name + ".frame_b", b, e);
}

/// q1 = offset + ratio q2, as a gear between the axes of the two joints.
void Translation::addFollower(const Equality& q) {
  const XmlElement& e = *q.element;
  const Joint& j = robot_.joint(q.first);
  const std::string& name = jointName(q.first);
  const bool turns = j.turns();
  const std::string room = turns ? "Rotational." : "Translational.";
  if (q.second < 0) {
    const std::string fixed = add(helper(name + "_equality"), room + "Fixed",
                                  ArgumentList(e.mark()).add(turns ? "phi0" : "s0", q.offset), e);
    connect(fixed + ".flange", name + ".axis", e);
    return;
  }
  std::string axis = name + ".axis";
  if (q.offset != 0) {
    const std::string shift =
        add(helper(name + "_shift"), turns ? "Rotational.Disc" : "Translational.Rod",
            ArgumentList(e.mark()).add(turns ? "deltaPhi" : "L", q.offset), e);
    connect(shift + ".flange_b", axis, e);
    axis = shift + ".flange_a";
  }
  const std::string leader = jointName(q.second) + ".axis";
  const bool leaderTurns = robot_.joint(q.second).turns();
  const auto gear = [&](const char* type, double ratio) {
    return add(helper(name + "_equality"), type, ArgumentList(e.mark()).add("ratio", ratio), e);
  };
  constexpr const char* kRackAndPinion = "Rotational.IdealGearR2T";
  if (turns && leaderTurns) {
    const std::string g = gear("Rotational.IdealGear", q.ratio);
    connect(g + ".flange_a", axis, e);
    connect(leader, g + ".flange_b", e);
  } else if (turns) {
    const std::string g = gear(kRackAndPinion, q.ratio);
    connect(g + ".flangeR", axis, e);
    connect(leader, g + ".flangeT", e);
  } else if (leaderTurns) {
    const std::string g = gear(kRackAndPinion, 1 / q.ratio);
    connect(leader, g + ".flangeR", e);
    connect(g + ".flangeT", axis, e);
  } else {
    const std::string g = gear(kRackAndPinion, q.ratio), h = gear(kRackAndPinion, 1);
    connect(leader, g + ".flangeT", e);
    connect(g + ".flangeR", h + ".flangeR", e);
    connect(h + ".flangeT", axis, e);
  }
}

}  // namespace cardan::mjcf
