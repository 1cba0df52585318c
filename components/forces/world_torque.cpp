#include "components/forces/world_torque.h"

#include "components/interfaces/picture.h"
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

void WorldTorque::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  s.add(picture::load("arrow", load_.frame.frame_b, load_.resolve, torque_,
                      animation_.realValue("Nm_to_m"), animation_.realValue("diameter"),
                      animation_.colorValue("color"), animation_.specularValue(), 2));
}

template std::unique_ptr<Component> make<WorldTorque>();

}  // namespace cardan
