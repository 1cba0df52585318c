/// BodyCylinder: a rigid cylinder, solid or hollow, whose mass properties follow from its measures
/// and density.
#pragma once

#include <numbers>

#include "components/animation.h"
#include "components/component.h"
#include "components/contact/outside.h"
#include "components/interfaces/picture.h"
#include "components/parts/body_composite.h"

namespace cardan {

/// Mass properties of a cylinder with a coaxial hole.
struct CylinderMass : SolidMass {
  double radius, innerRadius;  ///< [m]
  double I22;  ///< [kg.m2] about an axis through the centre of mass, across the cylinder
};

/// Parts      body (at frame_a), frameTranslation (frame_a to frame_b)
/// Equations  m = density pi length (radius^2 - innerRadius^2)
///            I = T' diag((mo R^2 - mi Ri^2)/2, I22, I22) T,
///            I22 = (mo (l^2 + 3 R^2) - mi (l^2 + 3 Ri^2))/12
/// Source     MSL 4.0 Parts.BodyCylinder
class BodyCylinder final : public ComponentOf<BodyCylinder> {
 public:
  struct Parameters {
    Vector3d r{0.1, 0, 0};              ///< [m] frame_a to frame_b, resolved in frame_a
    Vector3d r_shape{0, 0, 0};          ///< [m] frame_a to the middle of the cylinder's first face
    Vector3d lengthDirection{1, 0, 0};  ///< [1] any length but zero, resolved in frame_a
    double length = 0.1, diameter = 0.005, innerDiameter = 0;  ///< [m]
    double density = 7700;                                     ///< [kg/m3]

    CylinderMass mass() const {
      CylinderMass c;
      c.radius = diameter / 2;
      c.innerRadius = innerDiameter / 2;
      const double l2 = length * length, R2 = c.radius * c.radius,
                   Ri2 = c.innerRadius * c.innerRadius;
      c.mo = density * std::numbers::pi * length * R2;
      c.mi = density * std::numbers::pi * length * Ri2;
      c.m = c.mo - c.mi;
      c.I22 = (c.mo * (l2 + 3 * R2) - c.mi * (l2 + 3 * Ri2)) / 12;
      // As in MSL the axis of inertia follows r, where lengthDirection need not.
      c.R = frames::from_nxy(r, Vector3d(0, 1, 0));
      c.r_CM = r_shape + lengthDirection.normalized() * (length / 2);
      const Vector3d principal((c.mo * R2 - c.mi * Ri2) / 2, c.I22, c.I22);
      c.I = frames::resolveDyade1(c.R, Matrix3d(principal.asDiagonal()));
      return c;
    }
  };

  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    r.vector("r", p_.r, "m", "from frame_a to frame_b, resolved in frame_a");
    r.vector("r_shape", p_.r_shape, "m", "from frame_a to the middle of the cylinder's first face");
    p_.lengthDirection = p_.r - p_.r_shape;
    r.vector("lengthDirection", p_.lengthDirection, "1",
             "along the cylinder, resolved in frame_a; default: r - r_shape");
    p_.length = (p_.r - p_.r_shape).norm();
    r.real("length", p_.length, "m", "length of the cylinder; default: that of r - r_shape",
           kNotNegative);
    p_.diameter = p_.length / r.world().defaultWidthFraction;
    r.real("diameter", p_.diameter, "m",
           "diameter of the cylinder; default: length/world.defaultWidthFraction", kNotNegative);
    r.real("innerDiameter", p_.innerDiameter, "m", "diameter of the hole", kNotNegative);
    r.real("density", p_.density, "kg/m3", "density of the material, from which the mass follows",
           kNotNegative);
    animation_.color(r, "color", kBodyColor, "cylinder");
    animation_.specular(r);
    parts_.body.readStart(r);
    parts_.body.readStates(r);
    outside_.read(r);

    r.require(!outside_.collides() || (p_.length > 0 && p_.diameter > 0), "collide",
              "needs a body of a length and a width");
    r.require(p_.innerDiameter < p_.diameter, "innerDiameter", "must be less than diameter");
    r.require(
        p_.lengthDirection.norm() > 0, r.isGiven("lengthDirection") ? "lengthDirection" : "r",
        "must give the direction of the cylinder: lengthDirection, by default r - r_shape, is "
        "the zero vector");
  }
  void declare(Structure& s) override {
    parts_.declare(s);
    outside_.declare(s);
  }
  void describe(Variables& v) const override {
    parts_.describe(v);
    describe::scalar(v, "radius", "m", "radius of the cylinder",
                     [this] { return p_.mass().radius; });
    describe::scalar(v, "innerRadius", "m", "radius of the hole",
                     [this] { return p_.mass().innerRadius; });
    describe::scalar(v, "I22", "kg.m2", "inertia across the cylinder",
                     [this] { return p_.mass().I22; });
    SolidMass::describe(v, "cylinder", [this] { return p_.mass(); });
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    s.add(Shape{.name = "shape",
                .type = "pipecylinder",
                .place = parts_.frame_a(),
                .r_shape = p_.r_shape,
                .lengthDirection = p_.lengthDirection,
                .length = p_.length,
                .width = p_.diameter,
                .height = p_.diameter,
                .extra = p_.diameter > 0 ? p_.innerDiameter / p_.diameter : 0,
                .color = picture::rgb(animation_.colorValue("color")),
                .specular = animation_.specularValue()});
  }
  void parametersChanged() override {
    parts_.update(p_.r, p_.mass());
    outside_.set("cylinder", {.r = p_.r_shape,
                              .lengthDirection = p_.lengthDirection,
                              .length = p_.length,
                              .width = p_.diameter,
                              .height = p_.diameter});
  }

 private:
  Parameters p_;
  BodyComposite parts_;
  contact::Outside outside_;
  Animation animation_;
};

}  // namespace cardan
