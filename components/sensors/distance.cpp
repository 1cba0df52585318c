#include "components/sensors/distance.h"

#include "components/interfaces/picture.h"
#include "components/sensors/arrow.h"

namespace cardan {

void Distance::read(ParameterReader& r) {
  r.boolean("animation", animation_, "an arrow from frame_a to frame_b is shown");
  readArrow(r, "arrow", kSensorColor);
  readSpecularCoefficient(r);
  r.real("s_small", s_small_, "m", "a smaller distance is smoothed", Range{1e-30});
  distance_.read(r);
}

void Distance::declare(Structure& s) { frames_.declareAB(s, false); }

void Distance::describe(Variables& v) const {
  distance_.describe(v, [this](const auto& x) {
    const auto r = (x.frame(frames_.frame_b).r_0 - x.frame(frames_.frame_a).r_0).eval();
    const auto L2 = dot(r, r);
    if (L2 > s_small_ * s_small_) return sqrt(L2);
    return L2 * (0.5 / s_small_) * (3.0 - L2 * (1 / (s_small_ * s_small_)));
  });
}

void Distance::picture(Shapes& s) const {
  if (!animation_) return;
  s.add(picture::distanceArrow(frames_.frame_a, frames_.frame_b));
}

}  // namespace cardan
