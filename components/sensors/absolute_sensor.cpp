#include "components/sensors/absolute_sensor.h"

#include "components/interfaces/picture.h"
#include "components/make.h"
#include "components/sensors/arrow.h"

namespace cardan {

void AbsoluteSensor::read(ParameterReader& r) {
  r.boolean("animation", animation_, "an arrow from the origin of world to frame_a is shown");
  readResolveInFrameA(r, "resolveInFrame", resolveInFrame_,
                      "frame in which the outputs are resolved");
  r.boolean("get_r", get_r_, "there is an output r");
  r.boolean("get_v", get_v_, "there is an output v");
  r.boolean("get_a", get_a_, "there is an output a");
  r.boolean("get_angles", get_angles_, "there is an output angles");
  r.boolean("get_w", get_w_, "there is an output w");
  r.boolean("get_z", get_z_, "there is an output z");
  angleParameters_.read(r);
  readArrow(r, "arrowDiameter", "arrowColor", kSensorColor);
  readSpecularCoefficient(r);
  if (get_r_) r.start("r", r_, "m", "position of frame_a");
  if (get_v_) r.start("v", v_, "m/s", "velocity of frame_a");
  if (get_a_) r.start("a", a_, "m/s2", "acceleration of frame_a");
  if (get_angles_) r.start("angles", angles_, "rad", "angles from world to frame_a");
  if (get_w_) r.start("w", w_, "rad/s", "angular velocity of frame_a");
  if (get_z_) r.start("z", z_, "rad/s2", "angular acceleration of frame_a");
}

void AbsoluteSensor::declare(Structure& s) {
  frames_.declareA(s, resolveInFrame_ == ResolveInFrame::frame_resolve);
}

void AbsoluteSensor::describe(Variables& v) const {
  if (get_r_) {
    v.vector({"r", "m", "position of frame_a", Level::Position, true}, [this](const auto& x) {
      return frames_.resolve(x, resolveInFrame_, x.frame(frames_.frame_a).r_0);
    });
    startOutput(v, "r", r_);
  }
  if (get_v_) {
    v.vector({"v", "m/s", "velocity of frame_a", Level::Velocity, true}, [this](const auto& x) {
      return frames_.resolve(x, resolveInFrame_, x.frame(frames_.frame_a).v_0);
    });
    startOutput(v, "v", v_);
  }
  if (get_a_) {
    v.vector({"a", "m/s2", "acceleration of frame_a", Level::Acceleration, true},
             [this](const auto& x) {
               return frames_.resolve(x, resolveInFrame_, x.frame(frames_.frame_a).a_0);
             });
    startOutput(v, "a", a_);
  }
  if (get_angles_) {
    v.vector({"angles", "rad", "angles from world to frame_a", Level::Position, true},
             [this](const auto& x) { return angleParameters_.angles(x.frame(frames_.frame_a).R); });
    startOutput(v, "angles", angles_);
  }
  if (get_w_) {
    v.vector({"w", "rad/s", "angular velocity of frame_a", Level::Velocity, true},
             [this](const auto& x) {
               return frames_.resolve(x, resolveInFrame_,
                                      angularVelocity_0(x.frame(frames_.frame_a)));
             });
    startOutput(v, "w", w_);
  }
  if (get_z_) {
    v.vector({"z", "rad/s2", "angular acceleration of frame_a", Level::Acceleration, true},
             [this](const auto& x) {
               return frames_.resolve(x, resolveInFrame_,
                                      angularAcceleration_0(x.frame(frames_.frame_a)));
             });
    startOutput(v, "z", z_);
  }
}

void AbsoluteSensor::picture(Shapes& s) const {
  if (!animation_) return;
  s.add(picture::distanceArrow(FrameId{}, frames_.frame_a));
}

template std::unique_ptr<Component> make<AbsoluteSensor>();

}  // namespace cardan
