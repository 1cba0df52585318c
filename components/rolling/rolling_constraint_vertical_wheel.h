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

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

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
