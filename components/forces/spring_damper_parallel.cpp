#include "components/forces/spring_damper_parallel.h"

#include "components/forces/line_animation.h"
#include "components/interfaces/picture.h"
#include "components/one_dimensional/compliant.h"

namespace cardan {

void SpringDamperParallel::read(ParameterReader& r) {
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

void SpringDamperParallel::declare(Structure& s) {
  line_.declare(s);
  heat_.declare(s);
}

void SpringDamperParallel::describe(Variables& v) const {
  line_.describe(v);
  line_.describeForce(v, Level::Velocity, [this](const auto& x) { return force(line_.line(x)); });
  v.scalar({"f_d", "N", "damping force", Level::Velocity},
           [this](const auto& x) { return d_ * line_.line(x).sd; });
  v.scalar({"lossPower", "W", "power that leaves through the heat port", Level::Velocity},
           [this](const auto& x) {
             const auto sd = line_.line(x).sd;
             return d_ * sd * sd;
           });
  v.mechanics([this](const auto& x) {
    const auto line = line_.line(x);
    return one_dimensional::springEnergy(c_, (line.s - s_unstretched_));
  });
}

void SpringDamperParallel::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  picture::damper(s, animation_, line_.frames);
  picture::coil(s, animation_, line_.frames, "shape");
}

}  // namespace cardan
