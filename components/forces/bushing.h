/// Bushing: an elastic mount, soft in all six directions.
#pragma once

#include "components/component.h"
#include "components/interfaces/two_no_tree_frames.h"

namespace cardan {

/// Springs, dampers and inerters along and about the three axes of frame_a, between two frames that, with
/// springs, turn against each other by less than half a turn.
///
/// Equations  u = r_rel - r_rel0;  f = c u + d der(u) + b der(u, 2), element by element, resolved in
///            frame_a, at frame_b;  theta = rotation vector from frame_a to frame_b;
///            t = J^-T (c_rot theta) + d_rot w_rel + b_rot der(w_rel), resolved in frame_b,
///            der(theta) = J^-1 w_rel, so that
///            1/2 u.(c u) + 1/2 theta.(c_rot theta) is the energy of the springs
class Bushing final : public ComponentOf<Bushing> {
 public:
  void read(ParameterReader& r) override {
    r.vector("c", c_, "N/m", "stiffness along the axes of frame_a", kNotNegative);
    r.vector("d", d_, "N.s/m", "damping along the axes of frame_a", kNotNegative);
    r.vector("c_rot", c_rot_, "N.m/rad", "stiffness about the axes", kNotNegative);
    r.vector("d_rot", d_rot_, "N.m.s/rad", "damping about the axes of frame_b", kNotNegative);
    r.vector("b", b_, "kg", "inertance along the axes of frame_a", kNotNegative);
    r.vector("b_rot", b_rot_, "kg.m2", "inertance about the axes of frame_b", kNotNegative);
    r.vector("r_rel0", r_rel0_, "m",
             "vector from frame_a to frame_b without load, resolved in frame_a");
  }
  void declare(Structure& s) override {
    frames_.declare(s);
    if (!hasInertance()) return;
    s.inertia(frames_.frame_a);
    s.inertia(frames_.frame_b);
  }
  void describe(Variables& v) const override {
    v.vector({"r_rel", "m", "vector from frame_a to frame_b, resolved in frame_a", Level::Position},
             [this](const auto& x) { return frames_.relativeMotion(x).r_rel; });
    v.vector({"theta", "rad", "rotation vector from frame_a to frame_b", Level::Position},
             [this](const auto& x) { return turn(frames_.relativeMotion(x)); });
    const Level level = hasInertance() ? Level::Acceleration : Level::Velocity;
    v.vector({"f", "N", "force on the bushing at frame_b, resolved in frame_a", level},
             [this](const auto& x) { return force(frames_.relativeMotion(x)); });
    v.vector({"t", "N.m", "torque on the bushing at frame_b, resolved in frame_b", level},
             [this](const auto& x) { return torque(frames_.relativeMotion(x)); });
    v.scalar({"lossPower", "W", "power of the dampers", Level::Velocity}, [this](const auto& x) {
      const auto m = frames_.relativeMotion(x);
      const auto& w = frames::angularVelocity2(m.R_rel);
      return dot(times(d_, m.v_rel), m.v_rel) + dot(times(d_rot_, w), w);
    });
    v.mechanics([this](const auto& x) {
      using S = std::decay_t<decltype(x.time())>;
      const RelativeMotion<S> m = frames_.relativeMotion(x);
      const Vector3<S> u = stretch(m), theta = turn(m);
      MechanicalSums<S> sum;
      sum.potentialEnergy = 0.5 * (dot(times(c_, u), u) + dot(times(c_rot_, theta), theta));
      const Vector3<S> w = frames::angularVelocity2(m.R_rel);
      sum.kineticEnergy = 0.5 * (dot(times(b_, m.v_rel), m.v_rel) + dot(times(b_rot_, w), w));
      return sum;
    });
  }

  template <class S>
  void physics(View<S>& x) const {
    const RelativeMotion<S> m = frames_.relativeMotion(x);
    const Wrench<S> load{frames::resolve1(x.frame(frames_.frame_a).R, force(m)),
                         frames::resolve1(x.frame(frames_.frame_b).R, torque(m))};
    frames_.addBalanced(x, load);
  }

 private:
  template <class S>
  static Vector3<S> times(const Vector3d& a, const Vector3<S>& b) {
    return {a[0] * b[0], a[1] * b[1], a[2] * b[2]};
  }
  template <class S>
  Vector3<S> stretch(const RelativeMotion<S>& m) const {
    return m.r_rel - r_rel0_;
  }
  template <class S>
  static Vector3<S> turn(const RelativeMotion<S>& m) {
    return frames::rotationVector(m.R_rel);
  }
  template <class S>
  Vector3<S> force(const RelativeMotion<S>& m) const {
    const Vector3<S> f = times(c_, stretch(m)) + times(d_, m.v_rel);
    return hasInertance() ? Vector3<S>(f + times(b_, m.a_rel)) : f;
  }
  template <class S>
  Vector3<S> torque(const RelativeMotion<S>& m) const {
    Vector3<S> t = times(d_rot_, frames::angularVelocity2(m.R_rel));
    if (hasInertance()) t += times(b_rot_, m.z_rel);
    if (c_rot_.isZero(0)) return t;  // at any angle
    const Vector3<S> theta = turn(m), k = times(c_rot_, theta), across = cross(theta, k);
    return k - 0.5 * across + coefficient(S(theta.squaredNorm())) * cross(theta, across) + t;
  }
  bool hasInertance() const { return !b_.isZero(0) || !b_rot_.isZero(0); }
  /// 1/a^2 - (1 + cos a)/(2 a sin a) of a^2, by its series where a is small.
  template <class S>
  static S coefficient(const S& a2) {
    if (cardan::value(a2) < 1e-3) return 1.0 / 12 + a2 * (1.0 / 720 + a2 * (1.0 / 30240));
    const S a = sqrt(a2);
    return 1.0 / a2 - (1.0 + cos(a)) / (2.0 * a * sin(a));
  }

  Vector3d c_{0, 0, 0};       ///< [N/m]        >= 0
  Vector3d d_{0, 0, 0};       ///< [N.s/m]      >= 0
  Vector3d c_rot_{0, 0, 0};   ///< [N.m/rad]    >= 0
  Vector3d d_rot_{0, 0, 0};   ///< [N.m.s/rad]  >= 0
  Vector3d b_{0, 0, 0};       ///< [kg]         >= 0
  Vector3d b_rot_{0, 0, 0};   ///< [kg.m2]      >= 0
  Vector3d r_rel0_{0, 0, 0};  ///< [m]  from frame_a to frame_b, unloaded, resolved in frame_a
  TwoNoTreeFrames frames_;
};

}  // namespace cardan
