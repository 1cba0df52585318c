#include "components/sensors/cut_torque.h"

#include "components/interfaces/picture.h"
#include "components/make.h"
#include "components/sensors/arrow.h"

namespace cardan {

void CutTorque::read(ParameterReader& r) {
  r.boolean("animation", animation_, "the load is shown as an arrow");
  r.boolean("positiveSign", positiveSign_,
            "the load on the sensor at frame_a; false: its negative, that at frame_b");
  readResolveInFrameA(r, "resolveInFrame", resolveInFrame_, "frame in which the load is resolved");
  readArrowScale(r, "Nm_to_m", r.world().defaultNm_to_m, "N.m/m");
  readArrow(r, "torqueDiameter", "torqueColor", kCutTorqueColor);
  readSpecularCoefficient(r);
  r.start("torque", torque_, "N.m", "cut-torque");
}

void CutTorque::declare(Structure& s) {
  frames_.declareAB(s, resolveInFrame_ == ResolveInFrame::frame_resolve);
  s.joint(frames_.frame_a, frames_.frame_b, sameFrame_, {}, {});
}

void CutTorque::describe(Variables& v) const {
  v.vector({"torque", "N.m", "cut-torque", Level::Force, true}, [this](const auto& x) {
    const auto& t_0 = x.connectorLoad(frames_.frame_a).t_0;
    return (frames_.resolve(x, resolveInFrame_, t_0) * (positiveSign_ ? 1.0 : -1.0)).eval();
  });
  startOutput(v, "torque", torque_);
}

void CutTorque::picture(Shapes& s) const {
  if (!animation_) return;
  s.add(picture::cutLoad(
      frames_, "torqueArrow", "Nm_to_m", "torqueDiameter", "torqueColor",
      [a = frames_.frame_a](const View<double>& x) { return x.connectorLoad(a).t_0; },
      positiveSign_, 2));
}

template std::unique_ptr<Component> make<CutTorque>();

}  // namespace cardan
