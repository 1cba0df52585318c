#include "components/catalogue_folders.h"
#include "components/sensors/absolute_sensor.h"
#include "components/sensors/cut_load.h"
#include "components/sensors/distance.h"
#include "components/sensors/power.h"
#include "components/sensors/relative_sensor.h"
#include "components/sensors/transform_vector.h"

namespace cardan::folders {

Catalogue sensors() {
  return package(
      "sensors",
      {
          entry<AbsoluteSensor>("AbsoluteSensor", "motion of a frame relative to the world"),
          entry<RelativeSensor>("RelativeSensor", "motion of one frame relative to another"),
          entry<AbsolutePosition>("AbsolutePosition", "position of a frame"),
          entry<AbsoluteVelocity>("AbsoluteVelocity", "velocity of a frame"),
          entry<AbsoluteAngles>("AbsoluteAngles", "angles that turn the world frame into a frame"),
          entry<AbsoluteAngularVelocity>("AbsoluteAngularVelocity", "angular velocity of a frame"),
          entry<RelativePosition>("RelativePosition", "position of one frame relative to another"),
          entry<RelativeVelocity>("RelativeVelocity", "velocity of one frame relative to another"),
          entry<RelativeAngles>("RelativeAngles", "angles that turn one frame into another"),
          entry<RelativeAngularVelocity>("RelativeAngularVelocity",
                                         "angular velocity of one frame relative to another"),
          entry<Distance>("Distance", "distance between two frames"),
          entry<CutForce>("CutForce", "force that passes between two frames"),
          entry<CutTorque>("CutTorque", "torque that passes between two frames"),
          entry<CutForceAndTorque>("CutForceAndTorque",
                                   "force and torque that pass between two frames"),
          entry<Power>("Power", "power that passes between two frames"),
          entry<TransformAbsoluteVector>("TransformAbsoluteVector",
                                         "a vector resolved in another frame"),
          entry<TransformRelativeVector>("TransformRelativeVector",
                                         "a vector resolved in another frame"),
      });
}

}  // namespace cardan::folders
