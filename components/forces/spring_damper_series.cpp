#include "components/forces/spring_damper_series.h"

#include "components/forces/line_animation.h"
#include "components/interfaces/picture.h"
#include "components/one_dimensional/compliant.h"

namespace cardan {

void SpringDamperSeries::read(ParameterReader& r) {
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

void SpringDamperSeries::declare(Structure& s) {
  line_.declare(s);
  heat_.declare(s);
  s_damper_ = s.unknown({"s_damper", "m", "length of the damper"}, Kind::Differential);
  row_ = s.row("s_damper");
}

void SpringDamperSeries::describe(Variables& v) const {
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

void SpringDamperSeries::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  const auto middle = [this](const View<double>& x) { return x.unknown(s_damper_); };
  picture::damper(s, animation_, line_.frames,
                  [middle](const View<double>& x, double) { return middle(x); });
  picture::coil(s, animation_, line_.frames, "shape", middle);
}

}  // namespace cardan
