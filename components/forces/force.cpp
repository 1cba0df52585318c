#include "components/forces/force.h"

#include "components/interfaces/picture.h"
#include "components/make.h"

namespace cardan {

void Force::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  load_.read(r);
  readForceArrow(r, animation_, "forceDiameter", "forceColor");
  readConnectionLine(r, animation_);
  r.input("force", 3, "N",
          "force on what frame_b is connected to, resolved as resolveInFrame says");
}

void Force::declare(Structure& s) {
  load_.declare(s);
  force_ = s.input("force", 3);
}

void Force::describe(Variables& v) const { load_.describe(v, "basicForce", "f", "N", force_); }

void Force::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  s.add(picture::load("forceArrow", load_.frames.frame_b, load_.resolve, force_,
                      animation_.realValue("N_to_m"), animation_.realValue("forceDiameter"),
                      animation_.colorValue("forceColor"), animation_.specularValue(), 1));
  picture::connectionLine(s, animation_, load_.frames);
}

template std::unique_ptr<Component> make<Force>();

}  // namespace cardan
