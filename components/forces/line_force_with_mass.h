/// LineForceWithMass: the line between two frames as a place for translational parts, with or
/// without a mass on it.
#pragma once

#include "components/animation.h"
#include "components/forces/line_flanges.h"

namespace cardan {

/// Equations  flange_a.s = 0;  flange_b.s = length
///            frame_b.f = -e_rel_0 flange_b.f + (inertia of the mass)
///            frame_a.f = e_rel_0 flange_b.f + (the rest of it)
/// Source     MSL 4.0 Forces.LineForceWithMass
///
/// What pulls at one flange pulls with the opposite sign at the other, as in MSL where one of them
/// is open or where massless parts join them. (With both connected to parts that do not balance,
/// MSL takes flange_a.f at frame_a: a force from nowhere, which is not followed here.)
class LineForceWithMass final : public ComponentOf<LineForceWithMass> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

  template <class S>
  void physics(View<S>& x) const {
    mass_.addInertia(x, line_.frames);
    flanges_.transmit(x, line_);
  }

 private:
  MassOnLine mass_;
  Animation animation_;
  LineForceBase line_;
  LineFlanges flanges_;
};

}  // namespace cardan
