#include "components/forces/force_and_torque.h"

#include "components/interfaces/picture.h"
#include "components/make.h"

namespace cardan {

void ForceAndTorque::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  load_.read(r);
  readForceArrow(r, animation_, "forceDiameter", "forceColor");
  readTorqueArrow(r, animation_, "torqueDiameter", "torqueColor");
  readConnectionLine(r, animation_);
  r.input("force", 3, "N",
          "force on what frame_b is connected to, resolved as resolveInFrame says");
  r.input("torque", 3, "N.m",
          "torque on what frame_b is connected to, resolved as resolveInFrame says");
}

void ForceAndTorque::declare(Structure& s) {
  load_.declare(s);
  force_ = s.input("force", 3);
  torque_ = s.input("torque", 3);
}

void ForceAndTorque::describe(Variables& v) const {
  load_.describe(v, "basicForce", "f", "N", force_);
  load_.describe(v, "basicTorque", "t", "N.m", torque_);
}

void ForceAndTorque::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  s.add(picture::load("forceArrow", load_.frames.frame_b, load_.resolve, force_,
                      animation_.realValue("N_to_m"), animation_.realValue("forceDiameter"),
                      animation_.colorValue("forceColor"), animation_.specularValue(), 1));
  s.add(picture::load("torqueArrow", load_.frames.frame_b, load_.resolve, torque_,
                      animation_.realValue("Nm_to_m"), animation_.realValue("torqueDiameter"),
                      animation_.colorValue("torqueColor"), animation_.specularValue(), 2));
  picture::connectionLine(s, animation_, load_.frames);
}

template std::unique_ptr<Component> make<ForceAndTorque>();

}  // namespace cardan
