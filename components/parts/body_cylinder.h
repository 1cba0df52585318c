/// BodyCylinder: a rigid cylinder, solid or hollow, whose mass properties follow from its measures
/// and density.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/contact/outside.h"
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

    CylinderMass mass() const;
  };

  void read(ParameterReader& r) override;
  void declare(Structure& s) override {
    parts_.declare(s);
    outside_.declare(s);
  }
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;
  void parametersChanged() override;

 private:
  Parameters p_;
  BodyComposite parts_;
  contact::Outside outside_;
  Animation animation_;
};

}  // namespace cardan
