#include "components/catalogue_folders.h"
#include "components/rotational/rotational.h"

namespace cardan::folders {

Catalogue rotational() {
  return package(
      "rotational",
      {
          entry<rotational::Fixed>("Rotational.Fixed", "flange fixed in the housing"),
          entry<rotational::Inertia>("Rotational.Inertia",
                                     "inertia with two rigidly connected flanges"),
          entry<rotational::Disc>(
              "Rotational.Disc",
              "two rigidly connected flanges without inertia, one turned against the other"),
          entry<rotational::Spring>("Rotational.Spring", "linear rotational spring"),
          entry<rotational::Damper>("Rotational.Damper", "linear rotational damper"),
          entry<rotational::SpringDamper>("Rotational.SpringDamper",
                                          "linear spring and damper in parallel"),
          entry<rotational::ElastoBacklash>("Rotational.ElastoBacklash",
                                            "backlash in series with spring and damper"),
          entry<rotational::BearingFriction>("Rotational.BearingFriction",
                                             "Coulomb friction in a bearing"),
          entry<rotational::Brake>(
              "Rotational.Brake",
              "Coulomb friction against the housing under a controlled normal force"),
          entry<rotational::Clutch>(
              "Rotational.Clutch",
              "Coulomb friction between two shafts under a controlled normal force"),
          entry<rotational::OneWayClutch>("Rotational.OneWayClutch",
                                          "freewheel and clutch in parallel"),
          entry<rotational::RelativeStates>("Rotational.RelativeStates",
                                            "start values of a relative motion"),
          entry<rotational::ElastoBacklash2>(
              "Rotational.ElastoBacklash2",
              "backlash in series with spring and damper, whose torque jumps at touch"),
          entry<rotational::LossyGear>("Rotational.LossyGear",
                                       "gear with mesh efficiency and bearing friction"),
          entry<rotational::IdealGear>("Rotational.IdealGear", "ideal gear"),
          entry<rotational::IdealPlanetary>("Rotational.IdealPlanetary", "ideal planetary gear"),
          entry<rotational::IdealGearR2T>("Rotational.IdealGearR2T",
                                          "ideal gear from rotation to translation"),
          entry<rotational::IdealRollingWheel>("Rotational.IdealRollingWheel",
                                               "ideal rolling wheel from rotation to translation"),
          entry<rotational::InitializeFlange>(
              "Rotational.InitializeFlange",
              "start angle, speed and acceleration of a flange from signals"),
          entry<rotational::AngleSensor>("Rotational.AngleSensor", "angle of a flange"),
          entry<rotational::SpeedSensor>("Rotational.SpeedSensor", "angular velocity of a flange"),
          entry<rotational::AccSensor>("Rotational.AccSensor", "angular acceleration of a flange"),
          entry<rotational::RelAngleSensor>("Rotational.RelAngleSensor",
                                            "relative angle of two flanges"),
          entry<rotational::RelSpeedSensor>("Rotational.RelSpeedSensor",
                                            "relative angular velocity of two flanges"),
          entry<rotational::RelAccSensor>("Rotational.RelAccSensor",
                                          "relative angular acceleration of two flanges"),
          entry<rotational::TorqueSensor>("Rotational.TorqueSensor", "torque between two flanges"),
          entry<rotational::PowerSensor>("Rotational.PowerSensor", "power between two flanges"),
          entry<rotational::MultiSensor>("Rotational.MultiSensor",
                                         "torque, power and angular velocity between two flanges"),
          entry<rotational::Position>("Rotational.Position", "flange follows a reference angle"),
          entry<rotational::Speed>("Rotational.Speed",
                                   "flange follows a reference angular velocity"),
          entry<rotational::Accelerate>("Rotational.Accelerate",
                                        "flange moves with a given angular acceleration"),
          entry<rotational::Move>(
              "Rotational.Move",
              "flange moves with given angle, angular velocity and acceleration"),
          entry<rotational::ConstantSpeed>("Rotational.ConstantSpeed",
                                           "flange turns with a fixed angular velocity"),
          entry<rotational::Torque>("Rotational.Torque", "torque from a signal"),
          entry<rotational::Torque2>("Rotational.Torque2",
                                     "torque between two flanges from a signal"),
          entry<rotational::ConstantTorque>("Rotational.ConstantTorque", "constant torque"),
          entry<rotational::TorqueStep>("Rotational.TorqueStep", "torque that steps at a time"),
          entry<rotational::LinearSpeedDependentTorque>("Rotational.LinearSpeedDependentTorque",
                                                        "torque linear in speed"),
          entry<rotational::QuadraticSpeedDependentTorque>(
              "Rotational.QuadraticSpeedDependentTorque", "torque quadratic in speed"),
          entry<rotational::InverseSpeedDependentTorque>("Rotational.InverseSpeedDependentTorque",
                                                         "torque reciprocal to speed"),
          entry<rotational::SignTorque>("Rotational.SignTorque",
                                        "torque of constant size that changes sign with speed"),
          entry<rotational::EddyCurrentTorque>("Rotational.EddyCurrentTorque",
                                               "eddy current brake"),
      });
}

}  // namespace cardan::folders
