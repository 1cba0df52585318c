/// SpringDamperParallel: a linear spring and a linear damper side by side between two frames.
#pragma once

#include "components/animation.h"
#include "components/forces/line_animation.h"
#include "components/interfaces/line_force_base.h"
#include "components/interfaces/picture.h"
#include "components/one_dimensional/compliant.h"
#include "components/one_dimensional/flanges.h"

namespace cardan {

/// Equations  f_d = d der(s);  f = c (s - s_unstretched) + f_d, pulling; s = distance of the frames
///            lossPower = f_d der(s)
/// Source     MSL 4.0 Forces.SpringDamperParallel
class SpringDamperParallel final : public ComponentOf<SpringDamperParallel> {
 public:
  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    r.real("c", c_, "N/m", "spring constant", kNotNegative);
    r.real("s_unstretched", s_unstretched_, "m", "length of the unstretched spring");
    r.real("d", d_, "N.s/m", "damping constant", kNotNegative);
    readDamperCylinders(r, animation_);
    animation_.specular(r);
    readCoil(r, animation_);
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
    line_.describeForce(v, Level::Velocity, [this](const auto& x) { return force(line_.line(x)); });
    v.scalar({"f_d", "N", "damping force", Level::Velocity},
             [this](const auto& x) { return d_ * line_.line(x).sd; });
    line_.describeLoss(v, d_);
    v.mechanics([this](const auto& x) {
      const auto line = line_.line(x);
      return one_dimensional::springEnergy(c_, (line.s - s_unstretched_));
    });
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    picture::damper(s, animation_, line_.frames);
    picture::coil(s, animation_, line_.frames, "shape");
  }

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
