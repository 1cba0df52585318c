#include "components/rolling/rolling_constraint_vertical_wheel.h"

namespace cardan {

void RollingConstraintVerticalWheel::read(ParameterReader& r) {
  r.real("radius", p_.radius, "m", "radius of the wheel", kPositive);
  r.require(r.isGiven("radius"), "radius", "must be given");
  r.boolean("lateralSlidingConstraint", p_.lateralSlidingConstraint,
            "no slip across the track, else no lateral force");
}

void RollingConstraintVerticalWheel::declare(Structure& s) {
  frame_.declare(s);
  contact_ = s.constraint("rolling", "m", 0, p_.lateralSlidingConstraint ? 2 : 1);
}

void RollingConstraintVerticalWheel::describe(Variables& v) const {
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

}  // namespace cardan
