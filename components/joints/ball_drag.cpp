#include "components/joints/ball_drag.h"

#include "components/interfaces/describe.h"

#include <numbers>

namespace cardan {

void BallFriction::declare(Structure& s) {
  frames_.declare(s);
  if (p_.isOfLoad()) load_ = s.input("load", 1);
  s.inertia(frames_.frame_a);
  s.inertia(frames_.frame_b);
  for (int i = 0; i < 3; ++i) {
    UnknownInfo info{"tau[" + std::to_string(i + 1) + "]", "N.m",
                     "friction torque, resolved in frame_b"};
    if (p_.constant > 0) info.nominal = p_.constant;
    tau_[i] = s.unknown(info, Kind::Algebraic);
  }
  row_ = s.row("friction", 3);
  modes_.declare(s);
}

SlipState BallFriction::state(const View<double>& x) const {
  const RelativeMotion<double> m = frames_.relativeMotion(x);
  const double most = sliding(x);
  return {frames::angularVelocity2(m.R_rel), m.z_rel, friction(x), most, p_.peak * most};
}

void BallFriction::describe(Variables& v) const {
  v.vector({"tau", "N.m", "friction torque, resolved in frame_b", Level::Force},
           [this](const auto& x) { return friction(x); });
  StartValue none;
  none.stateSelect = StateSelect::prefer;
  for (const char* element : {"tau[1]", "tau[2]", "tau[3]"}) v.start(element, none);
  v.scalar({"lossPower", "W", "power that friction takes", Level::Force}, [this](const auto& x) {
    return dot(friction(x), frames::angularVelocity2(frames_.relativeMotion(x).R_rel));
  });
  v.scalar({"mode", "1", "0 stuck, 1 sliding, 3 unknown", Level::Time},
           [this](const auto& x) { return modes_.mode(x) + 0.0 * x.time(); });
  describe::truth(v, {"locked", "1", "stuck and not about to slide", Level::Time},
                  [this](const auto& x) { return !modes_.isLoose(x); });
}

void ConeParameters::read(ParameterReader& r) {
  const bool given = r.isGiven("limits");
  r.begin("limits");
  r.vector("axis", axis, "1", "axis that leans, the same in frame_a and frame_b");
  r.real("max", max, "rad", "angle between both, at which the stop begins", kPositive);
  r.real("c", c, "N.m/rad", "stiffness of the stop", kPositive);
  r.real("d", d, "N.m.s/rad", "damping of the stop, which never pulls", kNotNegative);
  used = r.isGiven("max");
  if (!r.require(axis.norm() > 0, "axis", "must not be the zero vector")) axis = {1, 0, 0};
  r.require(max < std::numbers::pi, "max", "must be less than pi");
  r.require(!used || r.isGiven("c"), "max", "needs a stiffness c");
  r.end();
  r.require(!given || used, "limits", "must have max");
}

void ConeStop::declare(Structure& s) {
  frames_.declare(s);
  beyond_.declare(s, "beyond");
  released_.declare(s, "released");
}

void ConeStop::describe(Variables& v) const {
  v.scalar(
      {"angle", "rad", "angle between the axis of frame_a and that of frame_b", Level::Position},
      [this](const auto& x) { return leanAt(x).angle; });
  v.scalar({"tau", "N.m", "torque of the stop against the joint", Level::Velocity},
           [this](const auto& x) { return pushAt(x).flow; });
  v.scalar({"lossPower", "W", "power that the stop's damping takes", Level::Velocity},
           [this](const auto& x) { return pushAt(x).lossPower; });
  v.mechanics([this](const auto& x) {
    MechanicalSums<std::decay_t<decltype(x.time())>> sum;
    sum.potentialEnergy = pushAt(x).energy;
    return sum;
  });
}

void ConeStop::guards(const View<double>& x, Guards& g) const {
  const Lean<double> lean = leanAt(x);
  beyond_.guard(x, g, lean.angle - p_.max);
  if (beyond_.holds(x) && p_.d > 0) {
    released_.guard(x, g, pull(lean), p_.c * (lean.angle - p_.max));
  } else {
    g.crossing(1);
  }
}

bool ConeStop::transition(const View<double>& x, Modes& m) const {
  const Lean<double> lean = leanAt(x);
  const bool touch = beyond_.update(m, lean.angle - p_.max);
  const bool damped = beyond_.isSet(m) && p_.d > 0;
  const bool release = damped ? released_.update(m, pull(lean), p_.c * (lean.angle - p_.max))
                              : released_.update(m, -1, 0);
  return touch || release;
}

}  // namespace cardan
