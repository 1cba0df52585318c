/// Spring: a linear spring between two frames, with or without a mass on its line.
#pragma once

#include <algorithm>

#include "components/animation.h"
#include "components/forces/line_animation.h"
#include "components/interfaces/line_force_base.h"
#include "components/interfaces/picture.h"
#include "components/one_dimensional/compliant.h"

namespace cardan {

/// Equations  f = c (s - s_unstretched), pulling; s = distance of the frames
///            mass m at lengthFraction of the line, if any: MassOnLine
/// Source     MSL 4.0 Forces.Spring
class Spring final : public ComponentOf<Spring> {
 public:
  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    animation_.boolean(r, "showMass", true, "the point mass is shown");
    r.real("c", c_, "N/m", "spring constant", kNotNegative);
    r.real("s_unstretched", s_unstretched_, "m", "length of the unstretched spring");
    mass_.read(r);
    readCoil(r, animation_);
    animation_.specular(r);
    animation_.length(r, "massDiameter",
                      std::max(0.0, 0.9 * (animation_.realValue("width") -
                                           2 * animation_.realValue("coilWidth"))),
                      "diameter of the point mass; default: 0.9 (width - 2 coilWidth)");
    animation_.color(r, "massColor", kBodyColor, "point mass");
    line_.read(r);
    r.begin("lineForce");
    line_.readStart(r);
    r.end();
  }
  void declare(Structure& s) override { line_.declare(s, mass_.at_a(), mass_.at_b()); }
  void describe(Variables& v) const override {
    line_.describe(v);
    line_.describeForce(v, Level::Position, [this](const auto& x) { return force(line_.line(x)); });
    describeLinePoint(v, "lineForce.", "",
                      [this](const auto& x) { return mass_.point(x, line_.frames); });
    // MSL's inner parts
    for (const char* name : {"length", "s", "r_rel_0", "e_rel_0"})
      v.alias(std::string("lineForce.") + name, name);
    v.alias("spring.s_rel", "length");
    v.alias("spring.f", "f");
    v.mechanics([this](const auto& x) {
      auto sum = one_dimensional::springEnergy(c_, stretch(line_.line(x)));
      mass_.addSums(sum, x, line_.frames);
      return sum;
    });
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    picture::coil(s, animation_, line_.frames, "shape");
    if (animation_.shown("showMass") && mass_.m > 0) {
      picture::massOnLine(
          s, animation_, line_.frames, "massShape", animation_.realValue("massDiameter"),
          [h = mass_.lengthFraction](const View<double>&, double length) { return h * length; });
    }
  }

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
