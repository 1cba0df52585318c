#include "engine/robots/translation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/expression/value.h"
#include "engine/robots/colliders.h"
#include "engine/robots/contact_entries.h"
#include "engine/robots/inertia.h"
#include "engine/robots/model_values.h"

namespace cardan::robots {
namespace {

std::string inFileComment(const std::string& inFile, const std::string& inModel) {
  return inFile == inModel || inFile.empty() ? "" : "'" + inFile + "'";
}

/// A factor in front of a name: "", "-" or "2*".
std::string factor(double x) {
  if (x == 1) return "";
  return x == -1 ? "-" : formatNumber(x) + "*";
}

std::string within(const std::string& x, const std::array<double, 2>& range) {
  return "max(" + formatNumber(range[0]) + ", min(" + formatNumber(range[1]) + ", " + x + "))";
}

/// With its sign, behind other terms.
std::string term(double x, const std::string& name) {
  if (x == 0) return "";
  const std::string size = name.empty() ? formatNumber(std::abs(x)) : factor(std::abs(x)) + name;
  return (x < 0 ? " - " : " + ") + size;
}

/// Terms that nothing stands in front of.
std::string first(const std::string& terms) {
  if (terms.empty()) return "0";
  return terms.starts_with(" + ") ? terms.substr(3) : "-" + terms.substr(3);
}

/// As a factor.
std::string grouped(const std::string& sum) {
  const bool isOne = sum.find(' ') == std::string::npos && !sum.starts_with('-');
  return isOne ? sum : "(" + sum + ")";
}

class Translation {
 public:
  explicit Translation(Robot robot) : robot_(std::move(robot)) {}

  ImportedModel make() {
    model_.at = robot_.element->mark();
    model_.name = legalName(robot_.name.empty() ? "robot" : robot_.name);
    model_.source = robot_.name;
    addStrands();
    findFollowers();
    addWorld();
    addShapes(robot_.visuals, "world", "world.frame_b");
    for (size_t b = 0; b < robot_.bodies.size(); ++b) addBody(b);
    for (const Actuator& a : robot_.actuators) {
      if (a.thrust) addThrust(a, *a.thrust);
      for (const Share& s : a.along) {
        if (s.strand < 0) continue;
        const std::string& input = inputOf(a, robot_.strands[a.along[0].strand].component);
        drive(s, input, forceOf(a, s.coefficient, input), *a.element);
      }
    }
    for (const Tendon& t : robot_.tendons) {
      if (t.acts()) addTendon(t);
    }
    for (size_t k = 0; k < robot_.equalities.size(); ++k) addEquality(robot_.equalities[k], k);
    addColliders();
    return std::move(model_);
  }

 private:
  /// With shapes of its own the robot needs none of those that components have by themselves.
  void hide(ArgumentList& a) const {
    const bool hasShapes =
        !robot_.visuals.empty() ||
        std::ranges::any_of(robot_.bodies, [](const Body& b) { return !b.visuals.empty(); });
    if (hasShapes) a.addWord("animation", "false");
  }
  void findFollowers() {
    jointsOf_.resize(robot_.bodies.size());
    for (size_t k = 0; k < robot_.joints.size(); ++k) jointsOf_[robot_.joints[k].body].push_back(k);
    mimics_.assign(robot_.joints.size(), nullptr);
    follows_.assign(robot_.joints.size(), false);
    leads_.assign(robot_.joints.size(), false);
    for (const Equality& q : robot_.equalities) {
      if (q.type == EqualityType::sum) findFollower(q);
      if (q.isMimic) mimics_[q.terms[0].of.joint] = &q;
    }
    drives_.resize(robot_.joints.size());
    for (const Actuator& a : robot_.actuators) {
      for (const Share& s : a.along) {
        if (s.joint >= 0) drives_[s.joint].push_back({&a, s.coefficient});
      }
    }
    isPulled_.assign(robot_.joints.size(), false);
    for (const Tendon& t : robot_.tendons) {
      for (const Share& s : t.along) {
        if (s.joint >= 0) isPulled_[s.joint] = isPulled_[s.joint] || t.acts();
      }
    }
    // A constraint that the pose of the file violates moves what carries its second body but not its
    // first one, else the other way round.
    isOpen_.assign(robot_.joints.size(), false);
    for (const Equality& q : robot_.equalities) {
      if (q.isApart && !openBetween(q.second, q.first)) openBetween(q.first, q.second);
    }
  }
  /// One of the joints of a sum, that no other constraint moves, follows the others.
  void findFollower(const Equality& q) {
    bool isFound = false;
    for (const Equality::Term& t : q.terms) {
      if (t.of.joint < 0) continue;
      const bool follows = !isFound && !follows_[t.of.joint];
      if (follows) isFound = follows_[t.of.joint] = true;
      leads_[t.of.joint] = true;
    }
  }
  /// Of tendons that do something.
  void addStrands() {
    std::set<int> used;
    for (const Actuator& a : robot_.actuators) {
      for (const Share& s : a.along) used.insert(s.strand);
    }
    for (const Equality& q : robot_.equalities) {
      for (const Equality::Term& t : q.terms) used.insert(t.of.strand);
    }
    for (const Tendon& t : robot_.tendons) {
      for (const Share& s : t.along) {
        if (s.strand < 0 || (!t.acts() && !used.contains(s.strand))) continue;
        std::string& name = robot_.strands[s.strand].component;
        name = helper(legalName(t.name.empty() ? "tendon" : t.name) + "_line");
        addStrand(robot_.strands[s.strand], *t.element);
      }
    }
  }
  void addStrand(const Strand& strand, const XmlElement& e) {
    const auto place = [&](const Place& p, const char* suffix) {
      return addOffset(frameOf(p.body), p.pose, strand.component + suffix, e);
    };
    ArgumentList a(e.mark());
    if (strand.around) {
      a.addWord("shape", strand.around->isRound ? "sphere" : "cylinder");
      a.add("radius", tidy(strand.around->radius));
      if (strand.around->side) a.addWord("useSide", "true");
    }
    add(strand.component, strand.around ? "LineForceAround" : "LineForceWithMass", a, e);
    connect(place({strand.from.body, {strand.from.pose.r}}, "_a"), strand.component + ".frame_a",
            e);
    connect(place({strand.to.body, {strand.to.pose.r}}, "_b"), strand.component + ".frame_b", e);
    if (!strand.around) return;
    connect(place(strand.around->place, "_c"), strand.component + ".frame_c", e);
    if (const auto& side = strand.around->side)
      connect(place({side->body, {side->pose.r}}, "_side"), strand.component + ".frame_side", e);
  }
  /// The joints that carry `body` and not `other` start where constraints put them; false if there are none.
  bool openBetween(int body, int other) {
    std::set<int> common{-1};
    for (int b = other; b >= 0; b = robot_.bodies[b].parent) common.insert(b);
    bool isAny = false;
    for (int b = body; !common.contains(b); b = robot_.bodies[b].parent) {
      for (const int j : jointsOf_[b]) isOpen_[j] = isAny = true;
    }
    return isAny;
  }
  void addWorld() {
    ArgumentList a(robot_.element->mark());
    const double g = robot_.gravity.stableNorm();
    a.add("g", g);
    if (g > 0) {
      const Vector3d n = robot_.gravity / g;
      a.add("n", n);
    }
    if (robot_.nominalLength) a.add("nominalLength", *robot_.nominalLength);
    model_.world = ImportedModel::Part{
        "world", "", a.map(), "", robot_.element->mark(), robot_.element->mark()};
  }
  void addBody(int body) {
    const size_t index = body;
    const Body& b = robot_.bodies[index];
    const XmlElement& e = *b.placedBy;
    const std::string& name = b.component;
    std::string from = addOffset(frameOf(b.parent), b.pose, name + "_origin", e);
    // Each joint moves the body about its own place, which those before it have moved.
    Vector3d at = Vector3d::Zero();
    for (const int joint : jointsOf_[index]) {
      const Joint& j = robot_.joint(joint);
      if (j.moves()) {
        const Pose place = j.origin * Pose{j.pos - at};
        from = addOffset(from, place, j.component + "_origin", e);
        at = j.pos;
      }
      connect(from, j.component + ".frame_a", e);
      from = j.component + ".frame_b";
      addJoint(joint);
    }
    from = addOffset(from, Pose{-at}, name + "_offset", e);
    if (!b.isLoose) connect(from, name + ".frame_a", e);
    // A constraint that is a part of a joint stands beside it, and so does all that drives it.
    for (const int joint : jointsOf_[index]) {
      if (robot_.drivesComeFirst && isDriven(joint)) addDrives(joint);
    }
    addMass(b);
    addLift(body);
    addDrag(body);
    for (const int joint : jointsOf_[index]) {
      if (!robot_.drivesComeFirst && isDriven(joint)) addDrives(joint);
    }
    addShapes(b.visuals, name, name + ".frame_a");
  }
  void addMass(const Body& b) {
    const XmlElement& e = *b.element;
    ArgumentList a(e.mark());
    const Matrix3d I = tidy(b.mass.I);
    a.add("m", tidy(b.mass.m));
    if (b.mass.r_CM != Vector3d::Zero()) a.add("r_CM", tidy(b.mass.r_CM));
    for (int i = 0; i < 3; ++i) a.add("I_" + std::to_string(11 * (i + 1)), I(i, i));
    for (const auto& [i, k] : {std::pair{1, 0}, {2, 0}, {2, 1}}) {
      if (I(i, k) != 0) a.add("I_" + std::to_string(10 * (i + 1) + k + 1), I(i, k));
    }
    if (b.isLoose) {
      a.addFixed("r_0").addFixed("v_0").addWord("angles_fixed", "true");
      a.addWord("w_0_fixed", "true").addWord("enforceStates", "true");
    }
    hide(a);
    add(b.component, "Body", a, e, inFileComment(b.name, b.component));
  }
  /// Joints ------------------------------------------------------------------------------------------
  void addJoint(int joint) {
    const Joint& j = robot_.joint(joint);
    const bool isOpen = isOpen_[joint];
    ArgumentList a(j.element->mark());
    std::string type;
    if (j.type == JointType::fixed) {
      type = isTurned(j.origin) ? "FixedRotation" : "FixedTranslation";
      addPlace(j.origin, a);
      add(j.component, type, a, *j.element, inFileComment(j.name, j.component));
      return;
    }
    if (j.type == JointType::free) {
      type = "FreeMotion";
      if (!isOpen) a.addFixed("r_rel_a");
      a.addFixed("v_rel_a");
      if (!isOpen) a.addWord("angles_fixed", "true");
      a.addWord("w_rel_a_fixed", "true");
    } else if (j.type == JointType::ball) {
      type = "Spherical";
      if (!isOpen) a.addWord("angles_fixed", "true");
      a.addWord("w_rel_a_fixed", "true");
      a.addWord("enforceStates", "true");
    } else if (j.type == JointType::planar) {
      type = "Planar";
      if (j.axis != Vector3d(0, 0, 1)) a.add("n", j.axis);
      // Any direction that is not close to the axis across the plane.
      if (std::abs(j.axis[0]) > 0.9 * j.axis.stableNorm()) a.add("n_x", Vector3d(0, 1, 0));
      for (const char* q : {"s_x", "s_y", "phi", "v_x", "v_y", "w"}) a.addFixed(q);
    } else {
      type = j.turns() ? "Revolute" : "Prismatic";
      addAxis(joint, a);
    }
    hide(a);
    add(j.component, type, a, *j.element, commentOf(j));
    if (!j.hasAxis()) addMount(j);
  }
  void addAxis(int joint, ArgumentList& a) {
    const Joint& j = robot_.joint(joint);
    const char* q = j.turns() ? "phi" : "s";
    if (j.axis != (j.turns() ? Vector3d(0, 0, 1) : Vector3d(1, 0, 0))) a.add("n", j.axis);
    if (isDriven(joint)) a.addWord("useAxisFlange", "true");
    if (!follows_[joint]) {
      if (!isOpen_[joint]) a.addFixed(q);
      a.addFixed(j.turns() ? "w" : "v");
    } else if (j.start != 0) {
      a.addNode(q, ArgumentList(j.element->mark()).add("start", j.start).map());
    }
    if (j.friction > 0)
      a.addNode(
          "friction",
          ArgumentList(j.forces->mark()).add(j.turns() ? "torque" : "force", j.friction).map());
    if (j.stops) addStops(j, a);
  }
  std::string commentOf(const Joint& j) const {
    std::string comment = inFileComment(j.name, j.component);
    const auto remark = [&](const std::string& text) {
      comment += (comment.empty() ? "" : ", ") + text;
    };
    if (!j.hasAxis()) return comment;
    if (j.ref != 0) remark("from " + formatNumber(j.ref));
    if (j.isLimited)
      remark(formatNumber(j.range[0]) + " to " + formatNumber(j.range[1]) +
             (j.turns() ? " rad" : " m"));
    return comment;
  }
  /// What acts in all directions that a ball or a free body has.
  void addMount(const Joint& j) {
    if (!(j.damping > 0) && !(j.stiffness > 0) && !(j.armature > 0)) return;
    const XmlElement& e = *j.element;
    const std::string& name = j.component;
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
  /// What acts along the axis: a spring and a damper, an inertia, what is driven from outside.
  void addDrives(int joint) {
    const Joint& j = robot_.joint(joint);
    const XmlElement& e = *j.forces;
    const std::string& name = j.component;
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
      between(
          add(helper(name + "_spring"), room + (j.damping > 0 ? "SpringDamper" : "Spring"), a, e),
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
    if (mimics_[joint]) addSum(*mimics_[joint]);
  }
  /// What holds a part of its weight, at its centre of mass.
  void addLift(int body) {
    const Body& b = robot_.bodies[body];
    const Vector3d force = -b.liftedWeight * b.mass.m * robot_.gravity;
    if (force.isZero(0)) return;
    const XmlElement& e = *b.element;
    const std::string centre =
        addOffset(frameOf(body), Pose{b.mass.r_CM}, b.component + "_centre", e);
    ArgumentList a(e.mark());
    a.add("force", tidy(force));
    hide(a);
    connect(centre, add(helper(b.component + "_lift"), "WorldForce", a, e) + ".frame_b", e);
  }
  /// What a fluid does to a box of the body's mass and inertia.
  /// Source  MuJoCo's documentation, Computation, Passive forces: inertia model
  void addDrag(int body) {
    const Body& b = robot_.bodies[body];
    bool moves = false;
    for (int at = body; at >= 0 && !moves; at = robot_.bodies[at].parent)
      moves = !robot_.bodies[at].joints.empty();
    if (!robot_.fluid.isThere() || !moves || !(b.mass.m > 0)) return;
    const XmlElement& e = *b.element;
    PrincipalAxes p = principalAxes(b.mass.I);
    if (p.axes.determinant() < 0) p.axes.col(0) *= -1;
    const std::string centre =
        addOffset(frameOf(body), Pose{b.mass.r_CM, p.axes}, b.component + "_box", e);
    const auto sensor = [&](const char* suffix, const char* type) {
      const std::string name = add(helper(b.component + suffix), type, ArgumentList(e.mark()), e);
      connect(centre, name + ".frame_a", e);
      return name;
    };
    const std::string speed = sensor("_speed", "AbsoluteVelocity"),
                      turn = sensor("_turn", "AbsoluteAngularVelocity");
    Vector3d edge;
    for (int i = 0; i < 3; ++i)
      edge[i] = std::sqrt(std::max(1e-15, p.moments.sum() - 2 * p.moments[i]) * 6 / b.mass.m);
    const double d = edge.mean(), density = robot_.fluid.density;
    const double linear = std::numbers::pi * robot_.fluid.viscosity * d;
    std::vector<YamlNode> force, torque;
    for (int i = 0; i < 3; ++i) {
      const double x = edge[(i + 1) % 3], y = edge[(i + 2) % 3];
      const std::string index = "[" + std::to_string(i + 1);
      std::string v = speed + ".v" + index + "]";
      std::string wind;
      for (int k = 0; k < 3; ++k)
        wind += term(-rounded(robot_.fluid.wind[k]),
                     speed + ".frame_a.R.T" + index + ", " + std::to_string(k + 1) + "]");
      v = grouped(v + wind);
      const auto drag = [&](double proportional, double quadratic, const std::string& s) {
        return expressionNode(first(term(-rounded(proportional), s) +
                                    term(-rounded(quadratic), "noEvent(abs(" + s + "))*" + s)),
                              e.mark());
      };
      force.push_back(drag(3 * linear, density * x * y / 2, v));
      torque.push_back(drag(linear * d * d,
                            density * edge[i] * (std::pow(x, 4) + std::pow(y, 4)) / 64,
                            turn + ".w" + index + "]"));
    }
    addLoads(centre, b.component + "_drag", std::move(force), std::move(torque), e);
  }
  /// Resolved in the frame that they act at.
  void addLoads(const std::string& frame, const std::string& name, std::vector<YamlNode> force,
                std::vector<YamlNode> torque, const XmlElement& e) {
    ArgumentList a(e.mark());
    a.addWord("resolveInFrame", "frame_b");
    a.addNode("force", listOf(std::move(force), e.mark()));
    a.addNode("torque", listOf(std::move(torque), e.mark()));
    hide(a);
    connect(frame, add(helper(name), "WorldForceAndTorque", a, e) + ".frame_b", e);
  }
  /// Each by itself; together, where what they can do together is limited.
  void addActuators(int joint) {
    const Joint& j = robot_.joint(joint);
    const std::string& name = jointName(joint);
    std::string sum;
    for (const auto& [a, share] : drives_[joint]) {
      const XmlElement& e = *a->element;
      const std::string& input = inputOf(*a, name);
      const std::string force = forceOf(*a, share, input);
      if (j.driveRange) {
        sum += (sum.empty() ? "" : " + ") + force;
      } else {
        drive({joint}, input, force, e);
      }
    }
    if (!sum.empty()) drive({joint}, name, within(sum, *j.driveRange), *j.element);
  }
  /// `at`: what it acts on.
  const std::string& inputOf(const Actuator& a, const std::string& at) {
    std::string& input = inputs_[&a];
    if (input.empty()) {
      const SourceMark mark = a.element->mark();
      input = helper(a.name.empty() ? at + "_input" : a.name);
      model_.inputs.push_back({input, wordOf("0", mark), inFileComment(a.name, input), mark});
      if (a.lag) addState(a, input);
    }
    return input;
  }
  std::string controlOf(const Actuator& a, const std::string& input) const {
    return a.controlRange ? within(input, *a.controlRange) : input;
  }
  /// What counts in place of the input, and stays within its range.
  void addState(const Actuator& a, const std::string& input) {
    const SourceMark at = a.element->mark();
    const std::string& x = states_[&a] = helper(input + "_state");
    ArgumentList start(at);
    const auto& range = a.stateRange;
    start.add("start", range ? std::clamp(0.0, (*range)[0], (*range)[1]) : 0.0);
    model_.variables.push_back({x, start.addWord("fixed", "true").map(), "", at});
    std::string rate = controlOf(a, input);
    if (*a.lag > 0) rate = "(" + rate + " - " + x + ")/" + formatNumber(*a.lag);
    if (range)
      rate = "if " + x + " <= " + formatNumber((*range)[0]) + " then max(0, " + rate +
             ") else if " + x + " >= " + formatNumber((*range)[1]) + " then min(0, " + rate +
             ") else " + rate;
    const std::string equation = "der(" + x + ") = " + rate;
    model_.equations.push_back({"", wordOf(equation, at), "", at});
  }
  /// What acts at a place of a body, as rotors do.
  void addThrust(const Actuator& a, const Thrust& thrust) {
    const XmlElement& e = *a.element;
    const int body = thrust.at.body;
    const std::string owner = body < 0 ? "world" : robot_.bodies[body].component;
    const std::string& input = inputOf(a, owner);
    const std::string place = addOffset(frameOf(body), thrust.at.pose, input + "_site", e);
    std::vector<YamlNode> loads[2];
    for (int i = 0; i < 6; ++i) {
      const std::string load = thrust.gears[i] == 0 ? "0" : forceOf(a, thrust.gears[i], input);
      loads[i / 3].push_back(expressionNode(load, e.mark()));
    }
    addLoads(place, input + "_drive", std::move(loads[0]), std::move(loads[1]), e);
  }
  void drive(const Share& s, const std::string& drives, const std::string& force,
             const XmlElement& e) {
    const bool turns = isTurning(s);
    ArgumentList arguments(e.mark());
    arguments.addNode(turns ? "tau" : "f", expressionNode(force, e.mark()));
    const std::string part =
        add(helper(drives + "_drive"), turns ? "Rotational.Torque2" : "Translational.Force2",
            arguments, e);
    const std::string& name = nameOf(s);
    connect(name + (s.strand >= 0 ? ".flange_a" : ".support"), part + ".flange_a", e);
    connect(part + ".flange_b", axisOf(s), e);
  }
  bool isTurning(const Share& s) const { return s.joint >= 0 && robot_.joint(s.joint).turns(); }
  const std::string& nameOf(const Share& s) const {
    return s.strand >= 0 ? robot_.strands[s.strand].component : jointName(s.joint);
  }
  std::string axisOf(const Share& s) const {
    return nameOf(s) + (s.strand >= 0 ? ".flange_b" : ".axis");
  }
  /// The terms of c der^n(q), q a sum of coordinates.
  std::string terms(double c, const std::vector<Share>& along, int n) const {
    std::string text;
    for (const Share& s : along) {
      const char* q = isTurning(s) ? (n > 0 ? ".w" : ".phi") : n > 0 ? ".v" : ".s";
      text += term(c * s.coefficient, nameOf(s) + (s.joint >= 0 ? q
                                                   : n > 0      ? ".speed"
                                                                : ".length"));
    }
    return text;
  }
  /// What a sum of coordinates is in the pose of the file.
  double shownLength(const std::vector<Share>& along) const {
    double q = 0;
    for (const Share& s : along) {
      if (s.joint >= 0) q += s.coefficient * robot_.joint(s.joint).ref;
    }
    return q;
  }
  /// On a joint: the actuator's length is gear q, its force acts by the gear, too, and by the joint's share.
  std::string forceOf(const Actuator& a, double share, const std::string& input) const {
    const double gear = a.gear * share, k = a.forceRange ? 1 : gear;
    const double shown = a.gear * shownLength(a.along);
    const auto linear = [&](const std::array<double, 3>& law, const std::string& rest) {
      return rest + terms(k * a.gear * law[1], a.along, 0) + terms(k * a.gear * law[2], a.along, 1);
    };
    const std::string u = states_.contains(&a) ? states_.at(&a) : controlOf(a, input);
    std::string force = factor(k * a.gain[0]) + u;
    if (a.gain[1] != 0 || a.gain[2] != 0)
      force = "(" + linear(a.gain, formatNumber(k * (a.gain[0] + a.gain[1] * shown))) + ")*" + u;
    force = linear(a.bias, force) + term(k * (a.bias[0] + a.bias[1] * shown), "");
    return a.forceRange ? factor(gear) + within(force, *a.forceRange) : force;
  }
  /// Its length and its pull are results of the model.
  void addTendon(const Tendon& t) {
    const XmlElement& e = *t.element;
    const std::string length =
        t.name.empty() ? helper("tendon") : robot_.names.take(t.name, "_tendon");
    const std::string pull = helper(length + "_force");
    const auto variable = [&](const std::string& name, const std::string& text,
                              const std::string& comment) {
      model_.variables.push_back({name, expressionNode(first(text), e.mark()), comment, e.mark()});
    };
    variable(length, terms(1, t.along, 0) + term(shownLength(t.along), ""),
             inFileComment(t.name, length));
    std::string force = terms(-t.damping, t.along, 1);
    if (t.stiffness > 0) {
      const auto& [from, to] = t.slack;
      force +=
          term(-t.stiffness,
               grouped(length + (from == to ? term(-from, "") : " - " + within(length, t.slack))));
    }
    if (t.stops) {
      const std::string c = stopParameter(length + "_stop_c", t.stops->stiffness, e, "N/m"),
                        d = stopParameter(length + "_stop_d", t.stops->damping, e, "N.s/m");
      const std::string speed = "*" + grouped(first(terms(1, t.along, 1)));
      const auto stop = [&](const char* beyond, double end, const char* pushing) {
        return "if " + length + beyond + formatNumber(end) + " then " + pushing + "(0, -" + c +
               "*" + grouped(length + term(-end, "")) + " - " + d + speed + ") else ";
      };
      force += " + (" + stop(" < ", t.range[0], "max") + stop(" > ", t.range[1], "min") + "0)";
    }
    variable(pull, force, "");
    for (const Share& s : t.along) {
      if (s.coefficient != 0)
        drive(s, s.strand >= 0 ? nameOf(s) : length + "_" + nameOf(s), factor(s.coefficient) + pull,
              e);
    }
  }
  void addStops(const Joint& j, ArgumentList& a) {
    const XmlElement& e = *j.limits;
    const bool turns = j.turns();
    const std::string base =
        robot_.sharesStops ? (turns ? "stop" : "slide_stop") : j.component + "_stop";
    ArgumentList stops(e.mark());
    stops.add("min", j.range[0] - j.ref).add("max", j.range[1] - j.ref);
    stops.addWord("c",
                  stopParameter(base + "_c", j.stops->stiffness, e, turns ? "N.m/rad" : "N/m"));
    stops.addWord("d",
                  stopParameter(base + "_d", j.stops->damping, e, turns ? "N.m.s/rad" : "N.s/m"));
    a.addNode("limits", stops.map());
  }
  /// Constraints -------------------------------------------------------------------------------------
  void addEquality(const Equality& q, int index) {
    const XmlElement& e = *q.element;
    if (q.type == EqualityType::sum) {
      if (!q.isMimic) addSum(q);
      return;
    }
    const XmlAttribute* given = e.attribute("name");
    const std::string base = given && !given->value.empty()
                                 ? legalName(given->value)
                                 : "equality" + std::to_string(index + 1);
    const std::string name = helper(base);
    if (q.type == EqualityType::weld) {
      // A rigid connection that closes a loop.
      const Pose pose = q.inFirst * q.inSecond.inverse();
      ArgumentList a(e.mark());
      a.add("r", pose.r).addWord("rotationType", "TwoAxesVectors");
      a.add("n_x", Vector3d(pose.R.col(0))).add("n_y", Vector3d(pose.R.col(1)));
      hide(a);
      add(name, "FixedRotation", a, e);
      connect(frameOf(q.first), name + ".frame_a", e);
      connect(name + ".frame_b", frameOf(q.second), e);
      return;
    }
    const auto anchor = [&](int body, const Pose& pose) {
      return addOffset(frameOf(body), Pose{pose.r}, name + "_anchor", e);
    };
    const std::string a = anchor(q.first, q.inFirst), b = anchor(q.second, q.inSecond);
    ArgumentList spherical(e.mark());
    hide(spherical);
    add(name, "Constraints.Spherical", spherical, e);
    connect(a, name + ".frame_a", e);
    connect(name + ".frame_b", b, e);
  }
  void addSum(const Equality& q) {
    const XmlElement& e = *q.element;
    std::vector<YamlNode> rows[2];
    size_t powers = 1;
    for (const Equality::Term& t : q.terms) powers = std::max(powers, t.factors.size());
    const std::string name = helper(nameOf(q.terms[0].of) + (q.isMimic ? "_mimic" : "_equality"));
    for (const Equality::Term& t : q.terms) {
      std::vector<double> factors = t.factors.empty() ? std::vector{1.0} : t.factors;
      factors.resize(powers);
      std::vector<YamlNode> row;
      for (const double f : factors)
        row.push_back(valueOf(rounded(t.of.coefficient * f), e.mark()));
      const bool turns = isTurning(t.of);
      rows[turns ? 0 : 1].push_back(listOf(std::move(row), e.mark()));
      connect(name + (turns ? ".flangeR[" : ".flangeT[") +
                  std::to_string(rows[turns ? 0 : 1].size()) + "]",
              axisOf(t.of), e);
    }
    ArgumentList a(e.mark());
    if (!rows[0].empty()) a.addNode("turning", listOf(std::move(rows[0]), e.mark()));
    if (!rows[1].empty()) a.addNode("sliding", listOf(std::move(rows[1]), e.mark()));
    if (q.offset != 0) a.add("offset", rounded(q.offset));
    add(name, "Rotational.Coupling", a, e);
  }
  void addShapes(const std::vector<Visual>& visuals, const std::string& owner,
                 const std::string& frame) {
    int number = 0;
    for (const Visual& v : visuals) {
      if (!v.shape) continue;
      const bool isNumbered = robot_.numbersShapes && ++number > 1;
      const XmlElement& e = *v.element;
      const std::string name =
          helper(owner + "_shape" + (isNumbered ? std::to_string(number) : ""));
      model_.components.push_back(
          {name, "Visualizers.FixedShape", *v.shape, "", e.mark(), e.mark()});
      connect(frame, name + ".frame_a", e);
    }
  }
  void addColliders() {
    std::vector<const Collider*> inOrder;
    for (const Collider& c : robot_.colliders) {
      if (!c.component.empty()) inOrder.push_back(&c);
    }
    std::ranges::stable_sort(inOrder, {}, &Collider::body);
    for (const Collider* c : inOrder) {
      const XmlElement& e = *c->element;
      model_.components.push_back({c->component, "Contact.Shape", argumentsOf(*c),
                                   inFileComment(c->name, c->component), e.mark(), e.mark()});
      connect(frameOf(c->body), c->component + ".frame_a", e);
    }
    if (!inOrder.empty()) model_.contacts = contactEntries(robot_.contacts, robot_.element->mark());
  }
  /// Where the far frame of a rigid offset lies.
  void addPlace(const Pose& pose, ArgumentList& a) const {
    if (pose.isMoved()) a.add("r", tidy(pose.r));
    constexpr double kDegrees = 180 / std::numbers::pi;
    if (!isTurned(pose)) {
      // parallel
    } else if (!pose.rpy) {
      a.addWord("rotationType", "TwoAxesVectors");
      const Matrix3d R = tidy(pose.R);
      a.add("n_x", Vector3d(R.col(0))).add("n_y", Vector3d(R.col(1)));
    } else if ((pose.rpy->array() != 0).count() == 1) {
      const Vector3d axis = (pose.rpy->array() != 0).cast<double>();
      a.add("n", axis).add("angle", pose.rpy->sum() * kDegrees);
    } else {
      // Turned by roll, pitch and yaw about fixed axes: by yaw, pitch and roll about turning ones.
      const SourceMark& at = a.at();
      a.addWord("rotationType", "PlanarRotationSequence");
      a.addNode("sequence", listOf({wordOf("3", at), wordOf("2", at), wordOf("1", at)}, at));
      a.add("angles", Vector3d(pose.rpy->reverse() * kDegrees));
    }
    hide(a);
  }
  bool isTurned(const Pose& pose) const { return pose.isTurned(robot_.isComputed ? 1e-15 : 0); }
  /// Adds what lies at `pose`, where that is anywhere else; returns its far frame.
  std::string addOffset(const std::string& from, const Pose& pose, const std::string& name,
                        const XmlElement& e) {
    if (!isTurned(pose) && !pose.isMoved()) return from;
    ArgumentList a(e.mark());
    addPlace(pose, a);
    const std::string offset =
        add(helper(name), isTurned(pose) ? "FixedRotation" : "FixedTranslation", a, e);
    connect(from, offset + ".frame_a", e);
    return offset + ".frame_b";
  }
  std::string add(const std::string& name, const std::string& type, const ArgumentList& a,
                  const XmlElement& e, const std::string& comment = "") {
    model_.components.push_back({name, type, a.map(), comment, e.mark(), e.mark()});
    return name;
  }
  void connect(const std::string& a, const std::string& b, const XmlElement& e) {
    model_.connections.push_back({a, b, e.mark()});
  }
  std::string helper(const std::string& name) { return robot_.names.take(name, ""); }
  std::string frameOf(int body) const {
    return body < 0 ? "world.frame_b" : robot_.bodies[body].component + ".frame_a";
  }
  const std::string& jointName(int joint) const { return robot_.joint(joint).component; }
  /// Of a joint, or of all.
  std::string stopParameter(const std::string& name, double value, const XmlElement& e,
                            const std::string& unit) {
    std::string& known = stopParameters_[name];
    if (known.empty()) {
      known = helper(name);
      model_.parameters.push_back({known, valueOf(value, e.mark()), unit, e.mark()});
    }
    return known;
  }
  bool isDriven(int joint) const {
    const Joint& j = robot_.joint(joint);
    const size_t k = joint;
    return j.hasAxis() && (j.damping > 0 || j.stiffness > 0 || j.armature > 0 || follows_[k] ||
                           leads_[k] || isPulled_[k] || !drives_[k].empty());
  }
  /// Without the digits that a computation leaves.
  template <class Value>
  Value tidy(const Value& v) const {
    return robot_.isComputed ? rounded(v) : v;
  }

  Robot robot_;
  ImportedModel model_;
  std::vector<std::vector<int>> jointsOf_;  ///< of a body: into robot_.joints
  std::vector<bool> follows_, leads_;       ///< of a joint: in a constraint
  std::vector<const Equality*> mimics_;     ///< of a joint
  std::vector<bool> isOpen_;                ///< of a joint: its start follows from a constraint
  std::vector<std::vector<std::pair<const Actuator*, double>>> drives_;  ///< of a joint, its share
  std::vector<bool> isPulled_;                              ///< of a joint: by a tendon
  std::map<const Actuator*, std::string> inputs_, states_;  ///< their names
  std::map<std::string, std::string> stopParameters_;
};

}  // namespace

ImportedModel translated(Robot robot) { return Translation(std::move(robot)).make(); }

}  // namespace cardan::robots
