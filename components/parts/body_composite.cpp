#include "components/parts/body_composite.h"

namespace cardan {

void BodyComposite::declare(Structure& s) {
  frame_a_ = s.frame("frame_a");
  s.frame("frame_b");
  innerTranslation_ =
      &s.part<FixedTranslation>("frameTranslation", FixedTranslation::Parameters{r});
  innerBody_ = &s.part<Body>("body", body);
  s.connect("frame_a", "frameTranslation.frame_a");
  s.connect("frame_b", "frameTranslation.frame_b");
  s.connect("frame_a", "body.frame_a");
}

void BodyComposite::update() {
  if (innerBody_) innerBody_->setParameters(body);
  if (innerTranslation_) innerTranslation_->setOffset(r);
}

void BodyComposite::update(const Vector3d& r_, const SolidMass& mass) {
  r = r_;
  body.m = mass.m;
  body.r_CM = mass.r_CM;
  body.setI(mass.I);
  update();
}

void BodyComposite::describe(Variables& v) const {
  for (const char* name : {"r_0", "v_0", "a_0"}) v.alias(name, std::string("body.") + name);
}

}  // namespace cardan
