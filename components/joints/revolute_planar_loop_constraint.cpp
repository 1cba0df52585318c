#include "components/joints/revolute_planar_loop_constraint.h"

#include "components/interfaces/describe.h"
#include "components/interfaces/picture.h"

namespace cardan {

void RevolutePlanarLoopConstraint::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  r.vector("n", n_, "1", "axis of rotation, resolved in frame_a and frame_b");
  animation_.cylinder(r);
  animation_.specular(r);
  r.require(n_.norm() > 0, "n", "must not be the zero vector");
}

void RevolutePlanarLoopConstraint::parametersChanged() {
  e_ = n_.normalized();
  // MSL's choice of the directions, which f_c refers to.
  const Vector3d nnx_a = std::abs(e_[0]) > 0.1   ? Vector3d::Unit(1)
                         : std::abs(e_[1]) > 0.1 ? Vector3d::Unit(2)
                                                 : Vector3d::Unit(0);
  ey_a_ = cross(e_, nnx_a).normalized();
  ex_a_ = cross(ey_a_, e_);
}

void RevolutePlanarLoopConstraint::declare(Structure& s) { frames_.declareCut(s, *this); }

void RevolutePlanarLoopConstraint::describe(Variables& v) const {
  describe::vector(v, "e", "1", "unit axis of rotation", [this] { return e_; });
  describe::orientation(v, "R_rel", "rotation from frame_a to frame_b",
                        [this](const auto& x) { return frames_.relativeRotation(x); });
  v.vector({"r_rel_a", "m", "from frame_a to frame_b, resolved in frame_a", Level::Position},
           [this](const auto& x) { return frames_.relativeMotion(x).r_rel; });
  v.array({"f_c", "N", "constraint forces at frame_a along ex_a and ey_a", Level::Force}, {2},
          [this](const auto& x, auto* out) {
            const auto f_a =
                frames::resolve2(x.frame(frames_.frame_a).R, x.connectorLoad(frames_.frame_a).f_0);
            out[0] = dot(ex_a_, f_a);
            out[1] = dot(ey_a_, f_a);
          });
}

std::string RevolutePlanarLoopConstraint::closureName(int row) const {
  return "displacement across the axis (" + std::to_string(row + 1) + " of 2)";
}

void RevolutePlanarLoopConstraint::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  picture::pin(s, animation_, frames_.frame_a, e_);
}

}  // namespace cardan
