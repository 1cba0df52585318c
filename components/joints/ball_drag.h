/// What resists the motion of a spherical joint: its friction and the cone that it stays in.
#pragma once

#include <numbers>

#include "components/component.h"
#include "components/interfaces/describe.h"
#include "components/interfaces/two_no_tree_frames.h"
#include "components/laws/relation.h"
#include "components/laws/stick_slip.h"
#include "components/one_dimensional/joint_drag.h"

namespace cardan {

/// Friction of a ball in its socket, against the angular velocity w of frame_b relative to frame_a.
///
/// Unknowns   tau [N.m], resolved in frame_b
/// Equations  sliding: tau = (torque + mu radius load) w/|w|;  stuck: der(w) = 0, together with
///            others stick_slip::sharedRow
/// Loads      t_b = tau, t_a = -tau
class BallFriction final : public ComponentOf<BallFriction> {
 public:
  explicit BallFriction(const one_dimensional::JointFrictionParameters& p) : p_(p) {}

  void read(ParameterReader&) override {}
  void declare(Structure& s) override {
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
  void describe(Variables& v) const override {
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
  void guards(const View<double>& x, Guards& g) const override { modes_.guards(x, g, state(x)); }
  bool transition(const View<double>& x, Modes& m) const override {
    SlipState now = state(x);
    now.w_before = stick_slip::entered(
        m, now.w, [this](const View<double>& before) { return state(before).w; });
    return modes_.transition(m, now);
  }

  template <class S>
  void physics(View<S>& x) const {
    const RelativeMotion<S> m = frames_.relativeMotion(x);
    const Vector3<S> tau = friction(x);
    const Vector3<S> w = frames::angularVelocity2(m.R_rel);
    if (x.isStriking()) {
      for (int i = 0; i < 3; ++i) x.row(row_, i) = tau[i];
    } else if (modes_.isLoose(x)) {
      const Vector3<S> row = tau - modes_.against(x, w) * sliding(x);
      for (int i = 0; i < 3; ++i) x.row(row_, i) = row[i];
    } else if (modes_.isShared(x)) {
      const S limit = p_.peak * sliding(x);
      const Vector3<S> share = modes_.shared(x, tau);
      for (int i = 0; i < 3; ++i)
        x.row(row_, i) = stick_slip::sharedRow(share[i], limit, w[i], m.z_rel[i]);
    } else {
      for (int i = 0; i < 3; ++i) x.row(row_, i) = m.z_rel[i];
    }
    const Vector3<S> t_0 = frames::resolve1(x.frame(frames_.frame_b).R, tau);
    frames_.addBalanced(x, {Vector3<S>::Zero(), t_0});
  }

 private:
  template <class S>
  Vector3<S> friction(const View<S>& x) const {
    return {x.unknown(tau_[0]), x.unknown(tau_[1]), x.unknown(tau_[2])};
  }
  /// [N.m]  sliding friction
  template <class S>
  S sliding(const View<S>& x) const {
    if (!p_.isOfLoad()) return S(p_.constant);
    return p_.constant + p_.mu * p_.radius * x.input(load_);
  }
  SlipState state(const View<double>& x) const {
    const RelativeMotion<double> m = frames_.relativeMotion(x);
    const double most = sliding(x);
    return {frames::angularVelocity2(m.R_rel), m.z_rel, friction(x), most, p_.peak * most};
  }

  one_dimensional::JointFrictionParameters p_;
  TwoNoTreeFrames frames_;
  SignalId load_;
  UnknownId tau_[3];
  RowId row_;
  SlipModes modes_;
};

/// `limits: {...}` of a spherical joint: the cone in which its axis stays.
struct ConeParameters {
  Vector3d axis{1, 0, 0};  ///< [1]  any length but zero, in frame_a and in frame_b
  double max = 0;          ///< [rad]        > 0, angle between both
  double c = 0;            ///< [N.m/rad]    > 0
  double d = 0;            ///< [N.m.s/rad]  >= 0
  bool used = false;

  void read(ParameterReader& r) {
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
};

/// The stop of a spherical joint at the edge of its cone: spring and damper against the angle
/// between the axis as frame_a has it and as frame_b has it.
///
/// Equations  u = angle - max;  t_b = flow e, e along axis_a x axis_b (see StopPush)
/// Modes      beyond: u > 0; released: the damper would pull
class ConeStop final : public ComponentOf<ConeStop> {
 public:
  explicit ConeStop(const ConeParameters& p) : p_(p), e_(p.axis.normalized()) {}

  void read(ParameterReader&) override {}
  void declare(Structure& s) override {
    frames_.declare(s);
    beyond_.declare(s, "beyond");
    released_.declare(s, "released");
  }
  void describe(Variables& v) const override {
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
  void guards(const View<double>& x, Guards& g) const override {
    const Lean<double> lean = leanAt(x);
    beyond_.guard(x, g, lean.angle - p_.max);
    if (beyond_.holds(x) && p_.d > 0) {
      released_.guard(x, g, pull(lean), p_.c * (lean.angle - p_.max));
    } else {
      g.crossing(1);
    }
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const Lean<double> lean = leanAt(x);
    const bool touch = beyond_.update(m, lean.angle - p_.max);
    const bool damped = beyond_.isSet(m) && p_.d > 0;
    const bool release = damped ? released_.update(m, pull(lean), p_.c * (lean.angle - p_.max))
                                : released_.update(m, -1, 0);
    return touch || release;
  }

  template <class S>
  void physics(View<S>& x) const {
    if (!beyond_.holds(x)) return;
    const Lean<S> lean = leanAt(x);
    const Vector3<S> t_b = lean.e * push(x, lean).flow;
    frames_.addBalanced(x, {Vector3<S>::Zero(), frames::resolve1(x.frame(frames_.frame_b).R, t_b)});
  }

 private:
  template <class S>
  struct Lean {
    S angle;       ///< [rad]
    S rate;        ///< [rad/s]
    Vector3<S> e;  ///< [1]  about which it grows, resolved in frame_b
  };
  template <class S>
  Lean<S> leanAt(const View<S>& x) const {
    const frames::Orientation<S> R = frames_.relativeMotion(x).R_rel;
    const Vector3<S> a = frames::resolve2(R, e_);
    const Vector3<S> across = cross(a, e_);
    const S sine = frames::length(across);
    const Vector3<S> e = frames::normalize(across);
    return {atan2(sine, dot(a, e_)), dot(e, frames::angularVelocity2(R)), e};
  }
  template <class S>
  one_dimensional::StopPush<S> push(const View<S>& x, const Lean<S>& lean) const {
    return one_dimensional::StopPush<S>::of(p_.c, p_.d, S(lean.angle - p_.max), lean.rate,
                                            released_.beyond(x));
  }
  /// As above, nothing within the cone.
  template <class S>
  one_dimensional::StopPush<S> pushAt(const View<S>& x) const {
    return beyond_.holds(x) ? push(x, leanAt(x)) : one_dimensional::StopPush<S>{};
  }
  double pull(const Lean<double>& lean) const {
    return -p_.c * (lean.angle - p_.max) - p_.d * lean.rate;
  }

  ConeParameters p_;
  Vector3d e_;
  TwoNoTreeFrames frames_;
  one_dimensional::Relation beyond_;
  one_dimensional::Kink released_;
};

}  // namespace cardan
