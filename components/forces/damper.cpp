#include "components/forces/damper.h"

#include "components/forces/line_animation.h"
#include "components/interfaces/picture.h"

namespace cardan {

void Damper::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  r.real("d", d_, "N.s/m", "damping constant", kNotNegative);
  readDamperCylinders(r, animation_);
  animation_.specular(r);
  line_.read(r);
  line_.readStart(r);
  heat_.read(r);
}

void Damper::declare(Structure& s) {
  line_.declare(s);
  heat_.declare(s);
}

void Damper::describe(Variables& v) const {
  line_.describe(v);
  line_.describeForce(v, Level::Velocity, [this](const auto& x) { return d_ * line_.line(x).sd; });
  v.scalar({"lossPower", "W", "power that leaves through the heat port", Level::Velocity},
           [this](const auto& x) {
             const auto sd = line_.line(x).sd;
             return d_ * sd * sd;
           });
}

void Damper::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  picture::damper(s, animation_, line_.frames);
}

}  // namespace cardan
