/// BodyShape: a rigid body with two parallel frames and a shape for animation.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/contact/outside.h"
#include "components/parts/body_composite.h"

namespace cardan {

/// Parts      body (at frame_a), frameTranslation (frame_a to frame_b)
/// Source     MSL 4.0 Parts.BodyShape
class BodyShape final : public ComponentOf<BodyShape> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override {
    parts_.declare(s);
    outside_.declare(s);
  }
  void describe(Variables& v) const override { parts_.describe(v); }
  void picture(Shapes& s) const override;
  void parametersChanged() override;

 private:
  BodyComposite parts_;
  contact::Outside outside_;
  Animation animation_;
};

}  // namespace cardan
