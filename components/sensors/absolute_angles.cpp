#include "components/sensors/absolute_angles.h"

#include "components/make.h"

namespace cardan {

void AbsoluteAngles::read(ParameterReader& r) {
  angleParameters_.read(r);
  r.start("angles", angles_, "rad", "angles from world to frame_a");
}

void AbsoluteAngles::declare(Structure& s) { frames_.declareA(s, false); }

void AbsoluteAngles::describe(Variables& v) const {
  v.vector({"angles", "rad", "angles from world to frame_a", Level::Position, true},
           [this](const auto& x) { return angleParameters_.angles(x.frame(frames_.frame_a).R); });
  startOutput(v, "angles", angles_);
}

template std::unique_ptr<Component> make<AbsoluteAngles>();

}  // namespace cardan
