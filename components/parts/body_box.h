/// BodyBox: a rigid box, solid or hollow, whose mass properties follow from its measures and
/// density.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/contact/outside.h"
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

    SolidMass mass() const;
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
