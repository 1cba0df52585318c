#include "components/sensors/cut_load.h"

#include <string>

#include "components/sensors/arrow.h"

namespace cardan {

CutLoad::CutLoad(bool hasForce, bool hasTorque) {
  if (hasForce) loads_.push_back({false, {"force", "N", "cut-force", Level::Force}});
  if (hasTorque) loads_.push_back({true, {"torque", "N.m", "cut-torque", Level::Force}});
}

void CutLoad::read(ParameterReader& r) {
  r.boolean("animation", animation_, "the load is shown as an arrow");
  r.boolean("positiveSign", positiveSign_,
            "the load on the sensor at frame_a; false: its negative, that at frame_b");
  readResolveInFrameA(r, "resolveInFrame", resolveInFrame_, "frame in which the load is resolved");
  for (const Load& load : loads_) {
    const double byDefault = load.isTorque ? r.world().defaultNm_to_m : r.world().defaultN_to_m;
    r.input(load.scale(), std::vector<double>{byDefault}, load.isTorque ? "N.m/m" : "N/m",
            std::string("length of the arrow = load divided by this; default: world.default") +
                load.scale());
  }
  for (const Load& load : loads_) readArrow(r, load.output.name, {0, 128, 0});
  readSpecularCoefficient(r);
  for (Load& load : loads_) load.output.read(r);
}

void CutLoad::declare(Structure& s) {
  frames_.declareAB(s, resolveInFrame_ == ResolveInFrame::frame_resolve);
  s.joint(frames_.frame_a, frames_.frame_b, sameFrame_, {}, {});
}

void CutLoad::describe(Variables& v) const {
  for (const Load& load : loads_) {
    load.output.describe(v, [this, load](const auto& x) {
      const auto& load_0 = load.of_0(x.connectorLoad(frames_.frame_a));
      return (frames_.resolve(x, resolveInFrame_, load_0) * (positiveSign_ ? 1.0 : -1.0)).eval();
    });
  }
}

void CutLoad::picture(Shapes& s) const {
  if (!animation_) return;
  for (const Load& load : loads_) {
    const std::string name = load.output.name;
    ArrowShape arrow = picture::sensorArrow(name + "Arrow", name);
    arrow.place = frames_.frame_b;
    arrow.r_head = PictureValue::vector(Level::Force, [this, load](const View<double>& x) {
      const Vector3d& load_0 = load.of_0(x.connectorLoad(frames_.frame_a));
      return Vector3d(frames::resolve2(x.frame(frames_.frame_b).R, load_0) *
                      (positiveSign_ ? -1 : 1));
    });
    arrow.scale = PictureValue::input(load.scale(), 1);
    arrow.heads = load.isTorque ? 2 : 1;
    arrow.headAtTail = true;
    s.add(std::move(arrow));
  }
}

}  // namespace cardan
