#include "components/forces/world_force_and_torque.h"

#include "components/make.h"

namespace cardan {

void WorldForceAndTorque::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  load_.read(r);
  readForceArrow(r, animation_, "forceDiameter", "forceColor");
  readTorqueArrow(r, animation_, "torqueDiameter", "torqueColor");
  animation_.specular(r);
  r.input("force", 3, "N",
          "force on what frame_b is connected to, resolved as resolveInFrame says");
  r.input("torque", 3, "N.m",
          "torque on what frame_b is connected to, resolved as resolveInFrame says");
}

void WorldForceAndTorque::declare(Structure& s) {
  load_.declare(s);
  force_ = s.input("force", 3);
  torque_ = s.input("torque", 3);
}

template std::unique_ptr<Component> make<WorldForceAndTorque>();

}  // namespace cardan
