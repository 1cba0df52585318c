#include "components/forces/torque.h"

#include "components/interfaces/picture.h"
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

void Torque::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  s.add(picture::load("torqueArrow", load_.frames.frame_b, load_.resolve, torque_,
                      animation_.realValue("Nm_to_m"), animation_.realValue("torqueDiameter"),
                      animation_.colorValue("torqueColor"), animation_.specularValue(), 2));
  picture::connectionLine(s, animation_, load_.frames);
}

template std::unique_ptr<Component> make<Torque>();

}  // namespace cardan
