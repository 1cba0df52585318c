/// Damper: a linear damper between two frames.
#pragma once

#include "components/animation.h"
#include "components/interfaces/line_force_base.h"
#include "components/one_dimensional/flanges.h"

namespace cardan {

/// Equations  f = d der(s), pulling; s = distance of the frames;  lossPower = f der(s)
/// Source     MSL 4.0 Forces.Damper
class Damper final : public ComponentOf<Damper> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

  template <class S>
  void physics(View<S>& x) const {
    const Line<S> line = line_.line(x);
    addLineForce(line_.frames, x, line, S(d_ * line.sd));
    heat_.addLoss(x, S(d_ * line.sd * line.sd));
  }

 private:
  double d_ = 0;  ///< [N.s/m]
  Animation animation_;
  LineForceBase line_;
  one_dimensional::HeatPort heat_;
};

}  // namespace cardan
