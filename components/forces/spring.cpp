#include "components/forces/spring.h"

#include <algorithm>

#include "components/forces/line_animation.h"
#include "components/interfaces/picture.h"
#include "components/one_dimensional/compliant.h"

namespace cardan {

void Spring::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  animation_.boolean(r, "showMass", true, "the point mass is shown");
  r.real("c", c_, "N/m", "spring constant", kNotNegative);
  r.real("s_unstretched", s_unstretched_, "m", "length of the unstretched spring");
  mass_.read(r);
  readCoil(r, animation_);
  animation_.specular(r);
  animation_.length(
      r, "massDiameter",
      std::max(0.0, 0.9 * (animation_.realValue("width") - 2 * animation_.realValue("coilWidth"))),
      "diameter of the point mass; default: 0.9 (width - 2 coilWidth)");
  animation_.color(r, "massColor", kBodyColor, "point mass");
  line_.read(r);
  r.begin("lineForce");
  line_.readStart(r);
  r.end();
}

void Spring::declare(Structure& s) { line_.declare(s, mass_.at_a(), mass_.at_b()); }

void Spring::describe(Variables& v) const {
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

void Spring::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  picture::coil(s, animation_, line_.frames, "shape");
  if (animation_.shown("showMass") && mass_.m > 0) {
    picture::massOnLine(
        s, animation_, line_.frames, "massShape", animation_.realValue("massDiameter"),
        [h = mass_.lengthFraction](const View<double>&, double length) { return h * length; });
  }
}

}  // namespace cardan
