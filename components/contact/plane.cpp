#include "components/contact/plane.h"

#include "components/interfaces/picture.h"
#include "components/laws/joint_axis.h"

namespace cardan::contact {

void Plane::read(ParameterReader& r, bool bounded) {
  r.vector("n", n_, "1", "normal of the surface, to where it is free, resolved in frame_a");
  r.vector("lengthDirection", lengthDirection_, "1",
           "direction in the surface, along which length is measured, resolved in frame_a");
  if (!r.require(n_.norm() > 0, "n", "must not be the zero vector")) n_ = {0, 1, 0};
  const bool skew =
      cross(n_.normalized(), lengthDirection_).norm() > 1e-6 * lengthDirection_.norm();
  // The default is as good as any other.
  if (!skew && r.isGiven("lengthDirection")) {
    r.require(false, "lengthDirection", "must not be parallel to n, nor zero");
  }
  if (!bounded) return;
  r.real("length", length_, "m", "extent of a plate along lengthDirection; 0: unbounded",
         kNotNegative);
  r.real("width", width_, "m", "extent of a plate across lengthDirection", kNotNegative);
  r.require((length_ > 0) == (width_ > 0), "width", "and 'length' must both be given, or none");
}

void Plane::prepare() {
  if (!(n_.norm() > 0)) return;
  e_n_ = n_.normalized();
  Vector3d along = lengthDirection_ - e_n_ * e_n_.dot(lengthDirection_);
  if (!(along.norm() > 1e-6 * lengthDirection_.norm())) {
    along = JointAxis(e_n_).across1;
  }
  e_1_ = along.normalized();
  e_2_ = cross(e_n_, e_1_);
}

void Plane::readPicture(ParameterReader& r, Animation& a, double size) const {
  a.length(
      r, "planeSize", size,
      "edge of the square about frame_a that an unbounded plane is shown as; default: 20 radius");
  a.color(r, "planeColor", kRodColor, "plane");
}

void Plane::picture(Shapes& s, const Animation& a, FrameId frame_a, double thickness) const {
  const double length = isPlate() ? length_ : a.realValue("planeSize");
  const double width = isPlate() ? width_ : a.realValue("planeSize");
  const double below = isPlate() ? 0.5 * thickness : thickness;
  s.add(Shape{.name = "plane",
              .type = "box",
              .place = frame_a,
              .r_shape = Vector3d(e_1_ * (-0.5 * length) - e_n_ * (below - 0.5 * thickness)),
              .lengthDirection = e_1_,
              .widthDirection = e_2_,
              .length = length,
              .width = width,
              .height = thickness,
              .color = picture::rgb(a.colorValue("planeColor")),
              .specular = a.specularValue()});
}

}  // namespace cardan::contact
