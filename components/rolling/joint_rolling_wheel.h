/// RollingWheel joint: a wheel without mass that rolls on the plane z = 0 of the world, upright or
/// leaning.
#pragma once

#include "components/component.h"
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
    void readStart(ParameterReader& r, StateSelect select);
  };
  static constexpr frames::Sequence kSequence{3, 2, 1};

  RollingWheel() = default;
  explicit RollingWheel(const Parameters& p) : p_(p) {}

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;

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
  void describeStart(Variables& v, const RememberedAngles& angles) const;
  void describeMotion(Variables& v, const RememberedAngles& angles) const;
  void describeContact(Variables& v) const;

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
