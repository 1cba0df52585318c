#include "components/parts/body_composite.h"

namespace cardan {

void BodyComposite::declare(Structure& s) {
  s.frame("frame_a");
  s.frame("frame_b");
  auto translation = std::make_unique<FixedTranslation>(FixedTranslation::Parameters{r});
  innerTranslation_ = translation.get();
  s.part("frameTranslation", std::move(translation));
  auto made = std::make_unique<Body>(body);
  innerBody_ = made.get();
  s.part("body", std::move(made));
  s.connect("frame_a", "frameTranslation.frame_a");
  s.connect("frame_b", "frameTranslation.frame_b");
  s.connect("frame_a", "body.frame_a");
}

void BodyComposite::update() {
  if (innerBody_) innerBody_->setParameters(body);
  if (innerTranslation_) innerTranslation_->setParameters({r});
}

void BodyComposite::describe(Variables& v) const {
  for (const char* name : {"r_0", "v_0", "a_0"}) v.alias(name, std::string("body.") + name);
}

}  // namespace cardan
