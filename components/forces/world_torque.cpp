#include "components/forces/world_torque.h"

#include "components/make.h"

namespace cardan {

void WorldTorque::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  load_.read(r);
  readTorqueArrow(r, animation_, "diameter", "color");
  animation_.specular(r);
  r.input("torque", 3, "N.m",
          "torque on what frame_b is connected to, resolved as resolveInFrame says");
}

void WorldTorque::declare(Structure& s) {
  load_.declare(s);
  torque_ = s.input("torque", 3);
}

template std::unique_ptr<Component> make<WorldTorque>();

}  // namespace cardan
