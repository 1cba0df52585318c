#include "components/joints/cylindrical.h"

#include "components/make.h"

namespace cardan {

void Cylindrical::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  r.vector("n", prismatic_.n, "1", "axis, resolved in frame_a and frame_b");
  animation_.length(r, "cylinderDiameter", r.world().defaultJointWidth);
  animation_.color(r, "cylinderColor", kJointColor);
  animation_.specular(r);
  readCut(r, revolute_.cut);
  r.start("s", prismatic_.s, "m", "distance along the axis");
  r.start("phi", revolute_.phi, "rad", "angle about the axis");
  r.start("v", prismatic_.v, "m/s", "der(s)");
  r.start("w", revolute_.w, "rad/s", "der(phi)");
  r.start("a", prismatic_.a, "m/s2", "der(v)");
  r.start("wd", revolute_.a, "rad/s2", "der(w)");
  readStateSelect(r, {&prismatic_.s, &revolute_.phi, &prismatic_.v, &revolute_.w});
  if (!r.require(prismatic_.n.norm() > 0, "n", "must not be the zero vector"))
    prismatic_.n = {1, 0, 0};
  revolute_.n = prismatic_.n;
}

void Cylindrical::declare(Structure& s) {
  s.frame("frame_a");
  s.frame("frame_b");
  s.part<Prismatic>("prismatic", prismatic_);
  s.part<Revolute>("revolute", revolute_);
  s.connect("frame_a", "prismatic.frame_a");
  s.connect("prismatic.frame_b", "revolute.frame_a");
  s.connect("revolute.frame_b", "frame_b");
}

void Cylindrical::describe(Variables& v) const {
  v.alias("s", "prismatic.s");
  v.alias("phi", "revolute.phi");
  v.alias("v", "prismatic.v");
  v.alias("w", "revolute.w");
  v.alias("a", "prismatic.a");
  v.alias("wd", "revolute.a");
}

template std::unique_ptr<Component> make<Cylindrical>();

}  // namespace cardan
