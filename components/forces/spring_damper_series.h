/// SpringDamperSeries: a linear damper and a linear spring one behind the other between two frames.
#pragma once

#include "components/animation.h"
#include "components/interfaces/line_force_base.h"
#include "components/one_dimensional/flanges.h"

namespace cardan {

/// Unknowns   s_damper [m], length of the damper; the spring takes the rest of the line
/// Equations  f = c (s - s_unstretched - s_damper), pulling; s = distance of the frames
///            d der(s_damper) = f
///            lossPower = f der(s_damper);  s_damper = s_damper_start at the start
/// Source     MSL 4.0 Forces.SpringDamperSeries
class SpringDamperSeries final : public ComponentOf<SpringDamperSeries> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

  template <class S>
  void physics(View<S>& x) const {
    const Line<S> line = line_.line(x);
    const S f = c_ * stretch(x, line);
    addLineForce(line_.frames, x, line, f);
    x.row(row_) = d_ * x.rate(s_damper_) - f;
    heat_.addLoss(x, S(f * x.rate(s_damper_)));
  }

 private:
  template <class S>
  S stretch(const View<S>& x, const Line<S>& line) const {
    return line.s - s_unstretched_ - x.unknown(s_damper_);
  }

  double c_ = 1;                    ///< [N/m]
  double s_unstretched_ = 0;        ///< [m]
  double d_ = 0;                    ///< [N.s/m]
  StartValue s_damperStart_{true};  ///< [m]
  Animation animation_;
  LineForceBase line_;
  one_dimensional::HeatPort heat_;
  UnknownId s_damper_;
  RowId row_;
};

}  // namespace cardan
