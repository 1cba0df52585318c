#include "components/forces/world_force.h"

#include "components/interfaces/picture.h"
#include "components/make.h"

namespace cardan {

void WorldForce::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  load_.read(r);
  readForceArrow(r, animation_, "diameter", "color");
  animation_.specular(r);
  r.input("force", 3, "N",
          "force on what frame_b is connected to, resolved as resolveInFrame says");
}

void WorldForce::declare(Structure& s) {
  load_.declare(s);
  force_ = s.input("force", 3);
}

void WorldForce::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  s.add(picture::load("arrow", load_.frame.frame_b, load_.resolve, force_,
                      animation_.realValue("N_to_m"), animation_.realValue("diameter"),
                      animation_.colorValue("color"), animation_.specularValue(), 1));
}

template std::unique_ptr<Component> make<WorldForce>();

}  // namespace cardan
