/// Damper: a linear damper between two frames.
#pragma once

#include "components/animation.h"
#include "components/forces/line_animation.h"
#include "components/interfaces/line_force_base.h"
#include "components/interfaces/picture.h"
#include "components/one_dimensional/flanges.h"

namespace cardan {

/// Equations  f = d der(s), pulling; s = distance of the frames;  lossPower = f der(s)
/// Source     MSL 4.0 Forces.Damper
class Damper final : public ComponentOf<Damper> {
 public:
  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    r.real("d", d_, "N.s/m", "damping constant", kNotNegative);
    readDamperCylinders(r, animation_);
    animation_.specular(r);
    line_.read(r);
    line_.readStart(r);
    heat_.read(r);
  }
  void declare(Structure& s) override {
    line_.declare(s);
    heat_.declare(s);
  }
  void describe(Variables& v) const override {
    line_.describe(v);
    line_.describeForce(v, Level::Velocity,
                        [this](const auto& x) { return d_ * line_.line(x).sd; });
    line_.describeLoss(v, d_);
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    picture::damper(s, animation_, line_.frames);
  }

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
