#include "components/catalogue_folders.h"
#include "components/forces/bushing.h"
#include "components/forces/damper.h"
#include "components/forces/gas_force_2.h"
#include "components/forces/line_force_around.h"
#include "components/forces/line_force_with_mass.h"
#include "components/forces/line_force_with_two_masses.h"
#include "components/forces/load_at_frames.h"
#include "components/forces/spring.h"
#include "components/forces/spring_damper_parallel.h"
#include "components/forces/spring_damper_series.h"

namespace cardan::folders {

Catalogue forces() {
  return package(
      "forces",
      {
          entry<WorldForce>("WorldForce", "force on a frame, from an input"),
          entry<WorldTorque>("WorldTorque", "torque on a frame, from an input"),
          entry<WorldForceAndTorque>("WorldForceAndTorque",
                                     "force and torque on a frame, from inputs"),
          entry<Force>("Force", "force between two frames, from an input"),
          entry<Torque>("Torque", "torque between two frames, from an input"),
          entry<ForceAndTorque>("ForceAndTorque",
                                "force and torque between two frames, from inputs"),
          entry<Spring>("Spring", "linear spring between two points, with mass if wanted"),
          entry<Bushing>("Bushing", "springs and dampers in all six directions"),
          entry<Damper>("Damper", "linear damper between two points"),
          entry<SpringDamperParallel>("SpringDamperParallel",
                                      "spring and damper side by side between two points"),
          entry<SpringDamperSeries>("SpringDamperSeries",
                                    "spring and damper one after the other between two points"),
          entry<LineForceWithMass>(
              "LineForceWithMass",
              "any translational part on the line between two points, with a mass"),
          entry<LineForceWithTwoMasses>(
              "LineForceWithTwoMasses",
              "any translational part on the line between two points, with two masses"),
          entry<LineForceAround>("LineForceAround",
                                 "any translational part on the line between two points around a "
                                 "sphere or a cylinder"),
          entry<GasForce2>("Examples.Loops.Utilities.GasForce2",
                           "gas force of an engine's cylinder"),
      });
}

}  // namespace cardan::folders
