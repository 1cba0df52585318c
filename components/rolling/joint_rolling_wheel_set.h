/// RollingWheelSet joint: two wheels on one axle, without mass, that roll on the plane z = 0 of the
/// world.
#pragma once

#include "components/component.h"
#include "components/interfaces/coordinate.h"
#include "components/joints/prismatic.h"
#include "components/joints/revolute.h"
#include "components/parts/fixed.h"
#include "components/parts/fixed_translation.h"
#include "components/parts/mounting_1d.h"
#include "components/rolling/rolling_constraint_vertical_wheel.h"
#include "components/start_value.h"

namespace cardan::joints {

/// Parts      fixed ({0, 0, radius}), prismatic1 (x), prismatic2 (y), revolute (phi): world to
///            frameMiddle;  rod1, revolute1 (theta1): to frame1;  rod2, revolute2 (theta2): to
///            frame2;  rolling1, rolling2 (without lateral constraint): contacts;  mounting1D:
///            support of axis1 and axis2
/// Source     MSL 4.0 Joints.RollingWheelSet
class RollingWheelSet final : public ComponentOf<RollingWheelSet> {
 public:
  struct Parameters {
    double radius = 0;                  ///< [m]      > 0, of one wheel
    double track = 0;                   ///< [m]      > 0, between the wheels
    StartValue x, y;                    ///< [m]      of the axle's middle
    StartValue phi;                     ///< [rad]    of the axle about the z axis
    StartValue theta1, theta2;          ///< [rad]    of the wheels relative to the axle
    StartValue der_theta1, der_theta2;  ///< [rad/s]

    /// The start values; `select` is for those that have no stateSelect of their own.
    void readStart(ParameterReader& r, StateSelect select) {
      r.start("x", x, "m", "x coordinate of the axle's middle");
      r.start("y", y, "m", "y coordinate of the axle's middle");
      r.start("phi", phi, "rad", "angle of the axle about the z axis");
      r.start("theta1", theta1, "rad", "angle of wheel 1");
      r.start("theta2", theta2, "rad", "angle of wheel 2");
      r.start("der_theta1", der_theta1, "rad/s", "first derivative of theta1");
      r.start("der_theta2", der_theta2, "rad/s", "first derivative of theta2");
      for (StartValue* s : {&x, &y, &phi, &theta1, &theta2, &der_theta1, &der_theta2}) {
        if (s->stateSelect == StateSelect::defaultSelect) s->stateSelect = select;
      }
    }
  };

  RollingWheelSet() = default;
  explicit RollingWheelSet(const Parameters& p) : p_(p) {}

  void read(ParameterReader& r) override {
    bool animation = true;
    r.boolean("animation", animation, "of no effect: this joint has no shape");
    r.real("radius", p_.radius, "m", "radius of one wheel", kPositive);
    r.require(r.isGiven("radius"), "radius", "must be given");
    r.real("track", p_.track, "m", "distance between the two wheels", kPositive);
    r.require(r.isGiven("track"), "track", "must be given");
    StateSelect select = StateSelect::defaultSelect;
    readStateSelect(r, "stateSelect", select);
    p_.readStart(r, select);
  }
  void declare(Structure& s) override {
    s.frame("frameMiddle");
    s.frame("frame1");
    s.frame("frame2");
    s.flange("axis1", Domain::Rotational);
    s.flange("axis2", Domain::Rotational);
    s.flange("support", Domain::Rotational);

    const auto slide = [](const Vector3d& n, const StartValue& start) {
      Prismatic::Parameters p;
      p.n = n;
      p.q = start;
      return p;
    };
    const auto turn = [](const Vector3d& n, const StartValue& phi, const StartValue& w, bool axis) {
      Revolute::Parameters p;
      p.n = n;
      p.q = phi;
      p.v = w;
      p.useAxisFlange = axis;
      return p;
    };
    const auto rod = [](double y) { return FixedTranslation::Parameters{{0, y, 0}}; };
    const auto rolling = [this](bool lateral) {
      return RollingConstraintVerticalWheel::Parameters{p_.radius, lateral};
    };
    const Vector3d y(0, 1, 0);
    s.part<Fixed>("fixed", Vector3d(0, 0, p_.radius));
    s.part<Prismatic>("prismatic1", slide({1, 0, 0}, p_.x));
    s.part<Prismatic>("prismatic2", slide(y, p_.y));
    s.part<Revolute>("revolute", turn({0, 0, 1}, p_.phi, {}, false));
    s.part<FixedTranslation>("rod1", rod(p_.track / 2));
    s.part<FixedTranslation>("rod2", rod(-p_.track / 2));
    s.part<Revolute>("revolute1", turn(y, p_.theta1, p_.der_theta1, true));
    s.part<Revolute>("revolute2", turn(y, p_.theta2, p_.der_theta2, true));
    s.part<RollingConstraintVerticalWheel>("rolling1", rolling(true));
    s.part<RollingConstraintVerticalWheel>("rolling2", rolling(false));
    s.part<Mounting1D>("mounting1D");

    s.connect("fixed.frame_b", "prismatic1.frame_a");
    s.connect("prismatic1.frame_b", "prismatic2.frame_a");
    s.connect("prismatic2.frame_b", "revolute.frame_a");
    s.connect("revolute.frame_b", "frameMiddle");
    s.connect("frameMiddle", "rod1.frame_a");
    s.connect("frameMiddle", "rod2.frame_a");
    s.connect("rod1.frame_b", "revolute1.frame_a");
    s.connect("rod2.frame_b", "revolute2.frame_a");
    s.connect("revolute1.frame_b", "frame1");
    s.connect("revolute2.frame_b", "frame2");
    s.connect("frame1", "rolling1.frame_a");
    s.connect("frame2", "rolling2.frame_a");
    s.connect("revolute1.axis", "axis1");
    s.connect("revolute2.axis", "axis2");
    s.connect("frameMiddle", "mounting1D.frame_a");
    s.connect("mounting1D.flange_b", "support");
  }
  void describe(Variables& v) const override {
    v.alias("x", "prismatic1.s");
    v.alias("y", "prismatic2.s");
    v.alias("phi", "revolute.phi");
    v.alias("theta1", "revolute1.phi");
    v.alias("theta2", "revolute2.phi");
    v.alias("der_theta1", "revolute1.w");
    v.alias("der_theta2", "revolute2.w");
  }

 private:
  Parameters p_;
};

}  // namespace cardan::joints
