/// RollingConstraintVerticalWheel: no slip of a wheel that other joints keep upright above the
/// plane z = 0.
#pragma once

#include "components/component.h"
#include "components/interfaces/one_frame.h"
#include "components/rolling/rolling_contact.h"

namespace cardan {

/// Equations  vContact_0.e_long_0 = 0;  vContact_0.e_lat_0 = 0 (with lateralSlidingConstraint, else
///            f_lat = 0);  f_a = -f_wheel_0;  t_a = -rContact_0 x f_wheel_0, resolved in frame_a
///            rContact_0 = {0, 0, -radius};  f_wheel_0 = f_lat e_lat_0 + f_long e_long_0
/// Source     MSL 4.0 Joints.Internal.RollingConstraintVerticalWheel
class RollingConstraintVerticalWheel final : public ComponentOf<RollingConstraintVerticalWheel> {
 public:
  struct Parameters {
    double radius = 0;                     ///< [m]  > 0
    bool lateralSlidingConstraint = true;  ///< no slip across the track either
  };

  RollingConstraintVerticalWheel() = default;
  explicit RollingConstraintVerticalWheel(const Parameters& p) : p_(p) {}

  void read(ParameterReader& r) override {
    r.real("radius", p_.radius, "m", "radius of the wheel", kPositive);
    r.require(r.isGiven("radius"), "radius", "must be given");
    r.boolean("lateralSlidingConstraint", p_.lateralSlidingConstraint,
              "no slip across the track, else no lateral force");
  }
  void declare(Structure& s) override {
    frame_.declare(s);
    contact_ = s.constraint("rolling", "m", 0, p_.lateralSlidingConstraint ? 2 : 1);
  }
  void describe(Variables& v) const override {
    const FrameId a = frame_.frame_a;
    v.vector({"f_wheel_0", "N", "contact force on the wheel, resolved in world", Level::Force},
             [this](const auto& x) {
               const auto c = contact(x);
               return (c.e_lat_0 * f_lat(x) + c.e_long_0 * f_long(x)).eval();
             });
    v.scalar({"f_lat", "N", "contact force on the wheel across its track", Level::Force},
             [this](const auto& x) { return f_lat(x); });
    v.scalar({"f_long", "N", "contact force on the wheel along its track", Level::Force},
             [this](const auto& x) { return f_long(x); });
    v.vector({"e_axis_0", "1", "along the wheel's axis, resolved in world", Level::Position},
             [this](const auto& x) { return contact(x).e_axis_0; });
    v.vector({"rContact_0", "m", "from the wheel's centre to the contact point, resolved in world",
              Level::Constant},
             [this](const auto&) { return Vector3d(0, 0, -p_.radius); });
    v.vector({"aux", "1", "e_n_0 x e_axis_0, resolved in world", Level::Position},
             [this](const auto& x) { return contact(x).aux; });
    v.vector({"e_n_0", "1", "normal of the road, resolved in world", Level::Constant},
             [](const auto&) { return Vector3d(0, 0, 1); });
    v.vector({"e_lat_0", "1", "across the track in the road, resolved in world", Level::Position},
             [this](const auto& x) { return contact(x).e_lat_0; });
    v.vector({"e_long_0", "1", "along the wheel's track, resolved in world", Level::Position},
             [this](const auto& x) { return contact(x).e_long_0; });
    v.vector({"v_0", "m/s", "velocity of the wheel's centre, resolved in world", Level::Velocity},
             [a](const auto& x) { return x.frame(a).v_0; });
    v.vector({"w_0", "rad/s", "angular velocity of the wheel, resolved in world", Level::Velocity},
             [a](const auto& x) { return frames::angularVelocity1(x.frame(a).R); });
    v.vector({"vContact_0", "m/s", "velocity of the wheel at the contact point, resolved in world",
              Level::Velocity},
             [this](const auto& x) { return contact(x).vContact_0; });
  }

  template <class S>
  void physics(View<S>& x) const {
    const auto c = contact(x);
    x.constrainVelocity(contact_, 0, dot(c.vContact_0, c.e_long_0));
    x.react(contact_, 0, frame_.frame_a, c.along(c.e_long_0));
    if (!p_.lateralSlidingConstraint) return;
    x.constrainVelocity(contact_, 1, dot(c.vContact_0, c.e_lat_0));
    x.react(contact_, 1, frame_.frame_a, c.along(c.e_lat_0));
  }

 private:
  template <class S>
  RollingContact<S> contact(const View<S>& x) const {
    return RollingContact<S>::straightBelow(x.frame(frame_.frame_a), p_.radius);
  }
  template <class S>
  S f_long(const View<S>& x) const {
    return -x.multiplier(contact_, 0);
  }
  template <class S>
  S f_lat(const View<S>& x) const {
    return p_.lateralSlidingConstraint ? S(-x.multiplier(contact_, 1)) : S(0);
  }

  Parameters p_;
  OneFrame_a frame_;
  ConstraintId contact_;
};

}  // namespace cardan
