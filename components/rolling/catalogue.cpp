#include "components/catalogue_folders.h"
#include "components/rolling/joint_rolling_wheel.h"
#include "components/rolling/joint_rolling_wheel_set.h"
#include "components/rolling/rolling_constraint_vertical_wheel.h"
#include "components/rolling/rolling_wheel.h"
#include "components/rolling/rolling_wheel_set.h"

namespace cardan::folders {

Catalogue rolling() {
  return joined(
      package("joints",
              {
                  entry<joints::RollingWheel>("Joints.RollingWheel",
                                              "rolling contact of a wheel without mass"),
                  entry<joints::RollingWheelSet>("Joints.RollingWheelSet",
                                                 "two rolling wheels without mass on one axle"),
                  entry<RollingConstraintVerticalWheel>("RollingConstraintVerticalWheel",
                                                        "no slip of a wheel that is kept upright"),
              }),
      package(
          "parts",
          {
              entry<RollingWheel>("RollingWheel", "wheel with mass that rolls on the ground"),
              entry<RollingWheelSet>("RollingWheelSet",
                                     "two wheels with mass on one axle that roll on the ground"),
          }));
}

}  // namespace cardan::folders
