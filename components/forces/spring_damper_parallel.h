/// SpringDamperParallel: a linear spring and a linear damper side by side between two frames.
#pragma once

#include "components/animation.h"
#include "components/interfaces/line_force_base.h"
#include "components/one_dimensional/flanges.h"

namespace cardan {

/// Equations  f_d = d der(s);  f = c (s - s_unstretched) + f_d, pulling; s = distance of the frames
///            lossPower = f_d der(s)
/// Source     MSL 4.0 Forces.SpringDamperParallel
class SpringDamperParallel final : public ComponentOf<SpringDamperParallel> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

  template <class S>
  void physics(View<S>& x) const {
    const Line<S> line = line_.line(x);
    addLineForce(line_.frames, x, line, force(line));
    heat_.addLoss(x, S(d_ * line.sd * line.sd));
  }

 private:
  template <class S>
  S force(const Line<S>& line) const {
    return c_ * (line.s - s_unstretched_) + d_ * line.sd;
  }

  double c_ = 1;              ///< [N/m]
  double s_unstretched_ = 0;  ///< [m]
  double d_ = 0;              ///< [N.s/m]
  Animation animation_;
  LineForceBase line_;
  one_dimensional::HeatPort heat_;
};

}  // namespace cardan
