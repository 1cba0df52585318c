/// RollingWheel joint: a wheel without mass that rolls on the plane z = 0 of the world, upright or
/// leaning.
#pragma once

#include <algorithm>
#include <cmath>

#include "components/component.h"
#include "components/interfaces/coordinate.h"
#include "components/interfaces/one_frame.h"
#include "components/interfaces/orientation_states.h"
#include "components/rolling/rolling_contact.h"

namespace cardan::joints {

/// Equations  z = radius |e_n_0 x e_axis_0|                  (contact; one row on position level)
///            vContact_0.e_long_0 = 0;  vContact_0.e_lat_0 = 0     (no slip; two on velocity level)
///            f_a = -f_wheel_0;  t_a = -delta_0 x f_wheel_0, both resolved in frame_a
///            f_wheel_0 = f_n e_n_0 + f_lat e_lat_0 + f_long e_long_0
///            R_a = axesRotations({3, 2, 1}, angles, der_angles)
/// Source     MSL 4.0 Joints.RollingWheel
///
/// x, y, z and angles are measured at frame_a: a body there has its own coordinates, which know no
/// singular angle. Gravity should point along -z, else the ground pulls the wheel where it must.
class RollingWheel final : public ComponentOf<RollingWheel> {
 public:
  struct Parameters {
    double radius = 0;          ///< [m]      > 0
    StartValue x, y;            ///< [m]      of the wheel's centre
    StartVector<3> angles;      ///< [rad]    about the z, y, x axes, from world to frame_a
    StartVector<3> der_angles;  ///< [rad/s]

    /// The start values; `select` is for those that have no stateSelect of their own.
    void readStart(ParameterReader& r, StateSelect select) {
      r.start("x", x, "m", "x coordinate of the wheel's centre");
      r.start("y", y, "m", "y coordinate of the wheel's centre");
      r.start("angles", angles, "rad", "angles from world to frame_a about the z, y, x axes");
      r.start("der_angles", der_angles, "rad/s", "first derivatives of the angles");
      for (StartValue* s : {&x, &y}) {
        if (s->stateSelect == StateSelect::defaultSelect) s->stateSelect = select;
      }
      for (StartVector<3>* s : {&angles, &der_angles}) {
        if (s->stateSelect == StateSelect::defaultSelect) s->stateSelect = select;
      }
    }
  };
  static constexpr frames::Sequence kSequence{3, 2, 1};

  RollingWheel() = default;
  explicit RollingWheel(const Parameters& p) : p_(p) {}

  void read(ParameterReader& r) override {
    r.real("radius", p_.radius, "m", "radius of the wheel", kPositive);
    r.require(r.isGiven("radius"), "radius", "must be given");
    StateSelect select = StateSelect::always;
    readStateSelect(r, "stateSelect", select);
    p_.readStart(r, select);
  }
  void declare(Structure& s) override {
    frame_.declare(s);
    contact_ = s.constraint("contact", "m", 1, 2);
  }
  void describe(Variables& v) const override {
    const FrameId a = frame_.frame_a;
    const RememberedAngles angles =
        rememberAngles(v, kSequence, p_.angles.start, [a](const auto& x) { return x.frame(a).R; });
    describeStart(v, angles);
    describeMotion(v, angles);
    describeContact(v);
  }
  void guards(const View<double>& x, Guards& g) const override {
    const double left = kLying - std::abs(contact(x).e_axis_0[2]);
    g.crossing(left);
    if (left < 1e-9) g.terminate("a wheel lies nearly on the ground, where rolling is singular");
  }

  template <class S>
  void physics(View<S>& x) const {
    const auto c = contact(x);
    const FrameState<S>& wheel = x.frame(frame_.frame_a);
    const Vector3<S> e_n_0 = c.normal();
    x.constrain(contact_, 0, S(wheel.r_0[2] - p_.radius * c.upright), dot(c.vContact_0, e_n_0));
    x.constrainVelocity(contact_, 1, dot(c.vContact_0, c.e_long_0));
    x.constrainVelocity(contact_, 2, dot(c.vContact_0, c.e_lat_0));
    x.react(contact_, 0, frame_.frame_a, c.along(e_n_0));
    x.react(contact_, 1, frame_.frame_a, c.along(c.e_long_0));
    x.react(contact_, 2, frame_.frame_a, c.along(c.e_lat_0));
  }

 private:
  /// |e_n_0.e_axis_0| beyond which the wheel counts as lying, as in MSL's assertion.
  static constexpr double kLying = 0.99;

  static bool allFixed(const StartVector<3>& s) {
    return std::ranges::all_of(s.fixed, std::identity());
  }

  static StartVector<3> asGuess(StartVector<3> s) {
    s.fixed.fill(false);
    return s;
  }

  void describeStart(Variables& v, const RememberedAngles& angles) const {
    const FrameId a = frame_.frame_a;
    v.start("x", p_.x);
    v.start("y", p_.y);
    // An orientation that is fixed as a whole is met by one turn from any guess, and its rate is
    // regular at every angle; single angles are neither.
    const bool orientation = allFixed(p_.angles), rate = allFixed(p_.der_angles);
    v.start("angles", orientation ? asGuess(p_.angles) : p_.angles);
    v.start("der_angles", rate ? asGuess(p_.der_angles) : p_.der_angles);
    if (orientation) {
      v.initial(
          {"angles", "orientation at the start", Level::Position, true, true,
           p_.angles.stateSelect},
          3, [this, a](const auto& x, auto* out) {
            const auto R = frames::axesRotations(kSequence, p_.angles.start, Vector3d::Zero());
            const auto error = frames::rotationVector(frames::relativeRotation(R, x.frame(a).R));
            for (int i = 0; i < 3; ++i) out[i] = error[i];
          });
    }
    if (rate) {
      v.initial({"der_angles", "rates of the angles at the start", Level::Velocity, true, true,
                 p_.der_angles.stateSelect},
                3, [this, a, angles](const auto& x, auto* out) {
                  const auto w = frames::Internal::from_anglesd(
                      kSequence, angles.of(x, x.frame(a).R), p_.der_angles.start);
                  const auto w_a = frames::angularVelocity2(x.frame(a).R);
                  for (int i = 0; i < 3; ++i) out[i] = w_a[i] - w[i];
                });
    }
  }
  void describeMotion(Variables& v, const RememberedAngles& angles) const {
    const FrameId a = frame_.frame_a;
    const char* coordinates[] = {"x", "y", "z"};
    for (int i = 0; i < 3; ++i) {
      v.scalar({coordinates[i], "m", "coordinate of the wheel's centre", Level::Position},
               [a, i](const auto& x) { return x.frame(a).r_0[i]; });
    }
    VariableInfo phi{"angles", "rad", "angles from world to frame_a about the z, y, x axes",
                     Level::Position};
    VariableInfo phi_d{"der_angles", "rad/s", "first derivatives of the angles", Level::Velocity};
    phi.remembers = phi_d.remembers = true;
    v.vector(phi, [a, angles](const auto& x) { return angles.of(x, x.frame(a).R); });
    v.vector(phi_d, [a, angles](const auto& x) {
      return angles.motion(x, x.frame(a).R, x.frame(a).z_a).phi_d;
    });
    v.vector({"v_0", "m/s", "velocity of the wheel's centre, resolved in world", Level::Velocity},
             [a](const auto& x) { return x.frame(a).v_0; });
    v.vector({"w_0", "rad/s", "angular velocity of the wheel, resolved in world", Level::Velocity},
             [a](const auto& x) { return frames::angularVelocity1(x.frame(a).R); });
  }
  void describeContact(Variables& v) const {
    const FrameId a = frame_.frame_a;
    v.vector({"r_road_0", "m", "contact point, resolved in world", Level::Position},
             [this, a](const auto& x) {
               const auto c = contact(x);
               const auto r = (x.frame(a).r_0 + c.delta_0).eval();
               // On the road to the last digit, as MSL's road coordinates are.
               return std::decay_t<decltype(r)>(r[0], r[1], 0.0 * r[2]);
             });
    v.scalar({"s", "m", "x coordinate of the contact point", Level::Position},
             [this, a](const auto& x) { return x.frame(a).r_0[0] + contact(x).delta_0[0]; });
    v.scalar({"w", "m", "y coordinate of the contact point", Level::Position},
             [this, a](const auto& x) { return x.frame(a).r_0[1] + contact(x).delta_0[1]; });
    v.vector({"delta_0", "m", "from the wheel's centre to the contact point, resolved in world",
              Level::Position},
             [this](const auto& x) { return contact(x).delta_0; });
    v.scalar(
        {"err", "m", "distance of the contact point from the wheel's edge", Level::Position},
        [this, a](const auto& x) { return x.frame(a).r_0[2] / contact(x).upright - p_.radius; });
    v.vector({"e_axis_0", "1", "along the wheel's axis, resolved in world", Level::Position},
             [this](const auto& x) { return contact(x).e_axis_0; });
    v.vector({"aux", "1", "e_n_0 x e_axis_0, resolved in world", Level::Position},
             [this](const auto& x) { return contact(x).aux; });
    v.vector({"e_long_0", "1", "along the wheel's track, resolved in world", Level::Position},
             [this](const auto& x) { return contact(x).e_long_0; });
    v.vector({"e_lat_0", "1", "across the track in the road, resolved in world", Level::Position},
             [this](const auto& x) { return contact(x).e_lat_0; });
    v.vector({"e_n_0", "1", "normal of the road, resolved in world", Level::Constant},
             [](const auto&) { return Vector3d(0, 0, 1); });
    v.vector({"e_s_0", "1", "direction of the road, resolved in world", Level::Constant},
             [](const auto&) { return Vector3d(1, 0, 0); });
    v.vector({"vContact_0", "m/s", "velocity of the wheel at the contact point, resolved in world",
              Level::Velocity},
             [this](const auto& x) { return contact(x).vContact_0; });
    v.vector({"f_wheel_0", "N", "contact force on the wheel, resolved in world", Level::Force},
             [this](const auto& x) {
               const auto c = contact(x);
               return (c.normal() * contactForce(x, 0) + c.e_long_0 * contactForce(x, 1) +
                       c.e_lat_0 * contactForce(x, 2))
                   .eval();
             });
    v.scalar({"f_n", "N", "contact force on the wheel along the normal", Level::Force},
             [this](const auto& x) { return contactForce(x, 0); });
    v.scalar({"f_long", "N", "contact force on the wheel along its track", Level::Force},
             [this](const auto& x) { return contactForce(x, 1); });
    v.scalar({"f_lat", "N", "contact force on the wheel across its track", Level::Force},
             [this](const auto& x) { return contactForce(x, 2); });
  }

  template <class S>
  RollingContact<S> contact(const View<S>& x) const {
    return RollingContact<S>::atLowestPoint(x.frame(frame_.frame_a), p_.radius);
  }
  /// Contact forces on the wheel: normal, longitudinal, lateral.
  template <class S>
  S contactForce(const View<S>& x, int row) const {
    return -x.multiplier(contact_, row);
  }

  Parameters p_;
  OneFrame_a frame_;
  ConstraintId contact_;
};

}  // namespace cardan::joints
