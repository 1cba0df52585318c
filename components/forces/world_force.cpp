#include "components/forces/world_force.h"

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

template std::unique_ptr<Component> make<WorldForce>();

}  // namespace cardan
