#include "components/catalogue_folders.h"
#include "components/translational/translational.h"

namespace cardan::folders {

Catalogue translational() {
  return package(
      "translational",
      {
          entry<translational::Fixed>("Translational.Fixed", "flange fixed in the housing"),
          entry<translational::Mass>("Translational.Mass",
                                     "sliding mass with two rigidly connected flanges"),
          entry<translational::IdealLever>("Translational.IdealLever", "lever about a pivot"),
          entry<translational::Rod>("Translational.Rod",
                                    "two rigidly connected flanges without mass, a length apart"),
          entry<translational::Spring>("Translational.Spring", "linear translational spring"),
          entry<translational::Damper>("Translational.Damper", "linear translational damper"),
          entry<translational::SpringDamper>("Translational.SpringDamper",
                                             "linear spring and damper in parallel"),
          entry<translational::ElastoGap>("Translational.ElastoGap",
                                          "spring and damper that push only while they touch"),
          entry<translational::SupportFriction>("Translational.SupportFriction",
                                                "Coulomb friction in a support"),
          entry<translational::Brake>(
              "Translational.Brake",
              "Coulomb friction against the housing under a controlled normal force"),
          entry<translational::MassWithStopAndFriction>(
              "Translational.MassWithStopAndFriction",
              "sliding mass with Stribeck friction between two hard stops"),
          entry<translational::RelativeStates>("Translational.RelativeStates",
                                               "start values of a relative motion"),
          entry<translational::RollingResistance>("Translational.RollingResistance",
                                                  "resistance of a rolling wheel"),
          entry<translational::Vehicle>("Translational.Vehicle",
                                        "vehicle with drag, rolling resistance and slope"),
          entry<translational::IdealGearR2T>("Translational.IdealGearR2T",
                                             "ideal gear from rotation to translation"),
          entry<translational::IdealRollingWheel>(
              "Translational.IdealRollingWheel",
              "ideal rolling wheel from rotation to translation"),
          entry<translational::InitializeFlange>(
              "Translational.InitializeFlange",
              "start position, speed and acceleration of a flange from signals"),
          entry<translational::PositionSensor>("Translational.PositionSensor",
                                               "position of a flange"),
          entry<translational::SpeedSensor>("Translational.SpeedSensor", "velocity of a flange"),
          entry<translational::AccSensor>("Translational.AccSensor", "acceleration of a flange"),
          entry<translational::RelPositionSensor>("Translational.RelPositionSensor",
                                                  "relative position of two flanges"),
          entry<translational::RelSpeedSensor>("Translational.RelSpeedSensor",
                                               "relative velocity of two flanges"),
          entry<translational::RelAccSensor>("Translational.RelAccSensor",
                                             "relative acceleration of two flanges"),
          entry<translational::ForceSensor>("Translational.ForceSensor",
                                            "force between two flanges"),
          entry<translational::PowerSensor>("Translational.PowerSensor",
                                            "power between two flanges"),
          entry<translational::MultiSensor>("Translational.MultiSensor",
                                            "force, power and velocity between two flanges"),
          entry<translational::Position>("Translational.Position",
                                         "flange follows a reference position"),
          entry<translational::Speed>("Translational.Speed", "flange follows a reference velocity"),
          entry<translational::Accelerate>("Translational.Accelerate",
                                           "flange moves with a given acceleration"),
          entry<translational::Move>("Translational.Move",
                                     "flange moves with given position, velocity and acceleration"),
          entry<translational::ConstantSpeed>("Translational.ConstantSpeed",
                                              "flange moves with a fixed velocity"),
          entry<translational::Force>("Translational.Force", "force from a signal"),
          entry<translational::Force2>("Translational.Force2",
                                       "force between two flanges from a signal"),
          entry<translational::ConstantForce>("Translational.ConstantForce", "constant force"),
          entry<translational::ForceStep>("Translational.ForceStep", "force that steps at a time"),
          entry<translational::LinearSpeedDependentForce>("Translational.LinearSpeedDependentForce",
                                                          "force linear in speed"),
          entry<translational::QuadraticSpeedDependentForce>(
              "Translational.QuadraticSpeedDependentForce", "force quadratic in speed"),
          entry<translational::InverseSpeedDependentForce>(
              "Translational.InverseSpeedDependentForce", "force reciprocal to speed"),
          entry<translational::SignForce>("Translational.SignForce",
                                          "force of constant size that changes sign with speed"),
          entry<translational::EddyCurrentForce>("Translational.EddyCurrentForce",
                                                 "eddy current brake"),
      });
}

}  // namespace cardan::folders
