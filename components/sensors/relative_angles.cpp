#include "components/sensors/relative_angles.h"

#include "components/interfaces/describe.h"
#include "components/make.h"

namespace cardan {

void RelativeAngles::read(ParameterReader& r) {
  angleParameters_.read(r);
  r.start("angles", angles_, "rad", "angles from frame_a to frame_b");
}

void RelativeAngles::declare(Structure& s) { frames_.declareAB(s, false); }

void RelativeAngles::describe(Variables& v) const {
  v.vector({"angles", "rad", "angles from frame_a to frame_b", Level::Position, true},
           [this](const auto& x) {
             return angleParameters_.angles(
                 frames::relativeRotation(x.frame(frames_.frame_a).R, x.frame(frames_.frame_b).R));
           });
  startOutput(v, "angles", angles_);
  describe::orientation(
      v, "R_rel", "orientation of frame_b relative to frame_a", [this](const auto& x) {
        return frames::relativeRotation(x.frame(frames_.frame_a).R, x.frame(frames_.frame_b).R);
      });
}

template std::unique_ptr<Component> make<RelativeAngles>();

}  // namespace cardan
