/// BodyBox: a rigid box, solid or hollow, whose mass properties follow from its measures and
/// density.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/contact/outside.h"
#include "components/interfaces/picture.h"
#include "components/parts/body_composite.h"

namespace cardan {

/// Parts      body (at frame_a), frameTranslation (frame_a to frame_b)
/// Equations  m = density length (width height - innerWidth innerHeight)
///            I = T' diag(mo (w^2 + h^2) - mi (wi^2 + hi^2), ...)/12 T
/// Source     MSL 4.0 Parts.BodyBox
class BodyBox final : public ComponentOf<BodyBox> {
 public:
  struct Parameters {
    Vector3d r{0.1, 0, 0};              ///< [m] frame_a to frame_b, resolved in frame_a
    Vector3d r_shape{0, 0, 0};          ///< [m] frame_a to the middle of the box's first face
    Vector3d lengthDirection{1, 0, 0};  ///< [1] any length but zero, resolved in frame_a
    Vector3d widthDirection{0, 1, 0};   ///< [1] resolved in frame_a
    double length = 0.1, width = 0.005, height = 0.005;  ///< [m]
    double innerWidth = 0, innerHeight = 0;              ///< [m]
    double density = 7700;                               ///< [kg/m3]

    SolidMass mass() const {
      SolidMass b;
      b.mo = density * length * width * height;
      b.mi = density * length * innerWidth * innerHeight;
      b.m = b.mo - b.mi;
      // As in MSL the axes of inertia follow r, where lengthDirection need not.
      b.R = frames::from_nxy(r, widthDirection);
      b.r_CM = r_shape + lengthDirection.normalized() * (length / 2);
      const double l2 = length * length, w2 = width * width, h2 = height * height;
      const double wi2 = innerWidth * innerWidth, hi2 = innerHeight * innerHeight;
      const Vector3d principal(b.mo * (w2 + h2) - b.mi * (wi2 + hi2),  //
                               b.mo * (l2 + h2) - b.mi * (l2 + hi2),   //
                               b.mo * (l2 + w2) - b.mi * (l2 + wi2));
      b.I = frames::resolveDyade1(b.R, Matrix3d((principal / 12).asDiagonal()));
      return b;
    }
  };

  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    r.vector("r", p_.r, "m", "from frame_a to frame_b, resolved in frame_a");
    r.vector("r_shape", p_.r_shape, "m",
             "from frame_a to the middle of the box's first face, resolved in frame_a");
    p_.lengthDirection = p_.r - p_.r_shape;
    r.vector("lengthDirection", p_.lengthDirection, "1",
             "along the box, resolved in frame_a; default: r - r_shape");
    r.vector("widthDirection", p_.widthDirection, "1", "along its width, resolved in frame_a");
    p_.length = (p_.r - p_.r_shape).norm();
    r.real("length", p_.length, "m", "length of the box; default: that of r - r_shape",
           kNotNegative);
    p_.width = p_.length / r.world().defaultWidthFraction;
    r.real("width", p_.width, "m", "width of the box; default: length/world.defaultWidthFraction",
           kNotNegative);
    p_.height = p_.width;
    r.real("height", p_.height, "m", "height of the box; default: width", kNotNegative);
    r.real("innerWidth", p_.innerWidth, "m", "width of the hole", kNotNegative);
    p_.innerHeight = p_.innerWidth;
    r.real("innerHeight", p_.innerHeight, "m", "height of the hole; default: innerWidth",
           kNotNegative);
    r.real("density", p_.density, "kg/m3", "density of the material, from which the mass follows",
           kNotNegative);
    animation_.color(r, "color", kBodyColor, "box");
    animation_.specular(r);
    parts_.body.readStart(r);
    parts_.body.readStates(r);
    outside_.read(r);

    r.require(!outside_.collides() || (p_.length > 0 && p_.width > 0 && p_.height > 0), "collide",
              "needs a body of a length and a width");
    r.require(p_.innerWidth <= p_.width, "innerWidth", "must not be greater than width");
    r.require(p_.innerHeight <= p_.height, "innerHeight", "must not be greater than height");
    r.require(p_.lengthDirection.norm() > 0, r.isGiven("lengthDirection") ? "lengthDirection" : "r",
              "must give the direction of the box: lengthDirection, by default r - r_shape, is the "
              "zero vector");
  }
  void declare(Structure& s) override {
    parts_.declare(s);
    outside_.declare(s);
  }
  void describe(Variables& v) const override {
    parts_.describe(v);
    SolidMass::describe(v, "box", [this] { return p_.mass(); });
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    s.add(Shape{.name = "shape",
                .type = "box",
                .place = parts_.frame_a(),
                .r_shape = p_.r_shape,
                .lengthDirection = p_.lengthDirection,
                .widthDirection = p_.widthDirection,
                .length = p_.length,
                .width = p_.width,
                .height = p_.height,
                .color = picture::rgb(animation_.colorValue("color")),
                .specular = animation_.specularValue()});
  }
  void parametersChanged() override {
    parts_.update(p_.r, p_.mass());
    outside_.set("box", {.r = p_.r_shape,
                         .lengthDirection = p_.lengthDirection,
                         .widthDirection = p_.widthDirection,
                         .length = p_.length,
                         .width = p_.width,
                         .height = p_.height});
  }

 private:
  Parameters p_;
  BodyComposite parts_;
  contact::Outside outside_;
  Animation animation_;
};

}  // namespace cardan
