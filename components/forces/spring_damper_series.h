/// SpringDamperSeries: a linear damper and a linear spring one behind the other between two frames.
#pragma once

#include "components/animation.h"
#include "components/forces/line_animation.h"
#include "components/interfaces/line_force_base.h"
#include "components/interfaces/picture.h"
#include "components/one_dimensional/compliant.h"
#include "components/one_dimensional/flanges.h"

namespace cardan {

/// Unknowns   s_damper [m], length of the damper; the spring takes the rest of the line
/// Equations  f = c (s - s_unstretched - s_damper), pulling; s = distance of the frames
///            d der(s_damper) = f
///            lossPower = f der(s_damper);  s_damper = s_damper_start at the start
/// Source     MSL 4.0 Forces.SpringDamperSeries
class SpringDamperSeries final : public ComponentOf<SpringDamperSeries> {
 public:
  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    r.real("c", c_, "N/m", "spring constant", kNotNegative);
    r.real("s_unstretched", s_unstretched_, "m", "length of the unstretched spring");
    r.real("d", d_, "N.s/m", "damping constant", kNotNegative);
    r.real("s_damper_start", s_damperStart_.start[0], "m", "length of the damper at the start");
    s_damperStart_.given = r.isGiven("s_damper_start");
    r.start("s_damper", s_damperStart_, "m", "length of the damper");
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
    s_damper_ = s.unknown({"s_damper", "m", "length of the damper"}, Kind::Differential);
    row_ = s.row("s_damper");
  }
  void describe(Variables& v) const override {
    v.start("s_damper", s_damperStart_);
    line_.describe(v);
    auto f = [this](const auto& x) { return c_ * stretch(x, line_.line(x)); };
    line_.describeForce(v, Level::Position, f);
    v.scalar({"lossPower", "W", "power that leaves through the heat port", Level::Velocity},
             [this, f](const auto& x) { return f(x) * x.rate(s_damper_); });
    v.mechanics([this](const auto& x) {
      return one_dimensional::springEnergy(c_, stretch(x, line_.line(x)));
    });
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    const auto middle = [this](const View<double>& x) { return x.unknown(s_damper_); };
    picture::damper(s, animation_, line_.frames,
                    [middle](const View<double>& x, double) { return middle(x); });
    picture::coil(s, animation_, line_.frames, "shape", middle);
  }

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
