#include "components/catalogue_folders.h"
#include "components/joints/cylindrical.h"
#include "components/joints/free_motion.h"
#include "components/joints/free_motion_scalar_init.h"
#include "components/joints/planar.h"
#include "components/joints/prismatic.h"
#include "components/joints/revolute.h"
#include "components/joints/revolute_planar_loop_constraint.h"
#include "components/joints/spherical.h"
#include "components/joints/universal.h"

namespace cardan::folders {

Catalogue joints() {
  return package(
      "joints",
      {
          entry<Revolute>("Revolute", "hinge: rotation about one axis"),
          entry<Prismatic>("Prismatic", "slider: translation along one axis"),
          entry<Cylindrical>("Cylindrical", "rotation about and translation along one axis"),
          entry<Universal>("Universal",
                           "cardan joint: rotations about two axes, one after the other"),
          entry<Planar>("Planar", "motion in a plane: two translations and a rotation"),
          entry<Spherical>("Spherical", "ball joint: rotation about a point"),
          entry<FreeMotion>("FreeMotion", "free motion of one frame relative to another"),
          entry<FreeMotionScalarInit>("FreeMotionScalarInit",
                                      "free motion, each coordinate with its own start value"),
          entry<RevolutePlanarLoopConstraint>(
              "RevolutePlanarLoopConstraint",
              "rotation about one axis, closing a planar loop with two constraints"),
      });
}

}  // namespace cardan::folders
