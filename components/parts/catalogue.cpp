#include "components/catalogue_folders.h"
#include "components/parts/bevel_gear_1d.h"
#include "components/parts/body.h"
#include "components/parts/body_box.h"
#include "components/parts/body_cylinder.h"
#include "components/parts/body_shape.h"
#include "components/parts/fixed.h"
#include "components/parts/fixed_rotation.h"
#include "components/parts/fixed_translation.h"
#include "components/parts/mounting_1d.h"
#include "components/parts/point_mass.h"
#include "components/parts/rotor_1d.h"
#include "components/parts/world.h"

namespace cardan::folders {

Catalogue parts() {
  return package(
      "parts",
      {
          entry<World>("World", "inertial frame, gravity and the defaults of all other components"),
          entry<Fixed>("Fixed", "frame fixed in the world at a given position"),
          entry<FixedTranslation>("FixedTranslation",
                                  "rigid offset between two frames: a rod, a weld"),
          entry<FixedRotation>("FixedRotation", "rigid offset and rotation between two frames"),
          entry<Body>("Body", "rigid body with mass and inertia tensor, shown as a sphere"),
          entry<BodyShape>("BodyShape", "rigid body with two frames"),
          entry<BodyBox>("BodyBox", "box with mass properties from its dimensions and density"),
          entry<BodyCylinder>("BodyCylinder",
                              "cylinder with mass properties from its dimensions and density"),
          entry<PointMass>("PointMass", "mass without extension, and so without orientation"),
          entry<Rotor1D>(
              "Rotor1D",
              "rotor on a moving housing, as a one-dimensional inertia with its reactions"),
          entry<BevelGear1D>("BevelGear1D",
                             "gear between two axes on a moving housing, with its reaction"),
          entry<Mounting1D>("Mounting1D", "flange held by a moving housing"),
      });
}

}  // namespace cardan::folders
