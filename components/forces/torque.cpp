#include "components/forces/torque.h"

#include "components/make.h"

namespace cardan {

void Torque::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  load_.read(r);
  readTorqueArrow(r, animation_, "torqueDiameter", "torqueColor");
  readConnectionLine(r, animation_);
  r.input("torque", 3, "N.m",
          "torque on what frame_b is connected to, resolved as resolveInFrame says");
}

void Torque::declare(Structure& s) {
  load_.declare(s);
  torque_ = s.input("torque", 3);
}

void Torque::describe(Variables& v) const { load_.describe(v, "basicTorque", "t", "N.m", torque_); }

template std::unique_ptr<Component> make<Torque>();

}  // namespace cardan
