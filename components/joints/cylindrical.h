/// Cylindrical joint: frame_b slides along and turns about the axis n.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/joints/prismatic.h"
#include "components/joints/revolute.h"

namespace cardan {

/// Parts      prismatic (from frame_a), revolute (to frame_b), both along n
/// Source     MSL 4.0 Joints.Cylindrical
class Cylindrical final : public ComponentOf<Cylindrical> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  Prismatic::Parameters prismatic_;  ///< n, s, v, a
  Revolute::Parameters revolute_;    ///< n, phi, w, a (wd)
  Animation animation_;
};

}  // namespace cardan
