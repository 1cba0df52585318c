/// Spring: a linear spring between two frames, with or without a mass on its line.
#pragma once

#include "components/animation.h"
#include "components/interfaces/line_force_base.h"

namespace cardan {

/// Equations  f = c (s - s_unstretched), pulling; s = distance of the frames
///            mass m at lengthFraction of the line, if any: MassOnLine
/// Source     MSL 4.0 Forces.Spring
class Spring final : public ComponentOf<Spring> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

  template <class S>
  void physics(View<S>& x) const {
    const Line<S> line = line_.line(x);
    addLineForce(line_.frames, x, line, force(line));
    mass_.addInertia(x, line_.frames);
  }

 private:
  template <class S>
  S stretch(const Line<S>& line) const {
    return line.s - s_unstretched_;
  }
  template <class S>
  S force(const Line<S>& line) const {
    return c_ * stretch(line);
  }

  double c_ = 1;              ///< [N/m]
  double s_unstretched_ = 0;  ///< [m]
  MassOnLine mass_;
  Animation animation_;
  LineForceBase line_;
};

}  // namespace cardan
