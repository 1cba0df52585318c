/// RollingWheelSet joint: two wheels on one axle, without mass, that roll on the plane z = 0 of the
/// world.
#pragma once

#include "components/component.h"
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
    void readStart(ParameterReader& r, StateSelect select);
  };

  RollingWheelSet() = default;
  explicit RollingWheelSet(const Parameters& p) : p_(p) {}

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  Parameters p_;
};

}  // namespace cardan::joints
