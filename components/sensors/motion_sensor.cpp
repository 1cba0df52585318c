#include "components/sensors/motion_sensor.h"

#include <string>

#include "components/interfaces/describe.h"
#include "components/sensors/absolute_sensor.h"
#include "components/sensors/arrow.h"
#include "components/sensors/relative_sensor.h"

namespace cardan {

template <class Law>
void MotionSensor<Law>::read(ParameterReader& r) {
  if (q_ == Measured::angles) {
    law_.angleParameters.read(r);
  } else {
    law_.readFrame(r, q_, std::string("frame in which ") + output_.name + " is resolved");
  }
  output_.read(r);
}

template <class Law>
void MotionSensor<Law>::describe(Variables& v) const {
  output_.describe(v, [this](const auto& x) { return law_.value(q_, x); });
}

template <class Law>
void AllMotionSensor<Law>::read(ParameterReader& r) {
  r.boolean("animation", animation_, Law::kArrow);
  law_.readFrames(r);
  for (Choice& c : choices_) {
    const std::string name = c.output.name;
    r.boolean("get_" + name, c.get, "there is an output " + name);
  }
  law_.angleParameters.read(r);
  readArrow(r, "arrow", kSensorColor);
  readSpecularCoefficient(r);
  for (Choice& c : choices_) {
    if (c.get) c.output.read(r);
  }
}

template <class Law>
void AllMotionSensor<Law>::describe(Variables& v) const {
  for (const Choice& c : choices_) {
    if (c.get) c.output.describe(v, [this, q = c.q](const auto& x) { return law_.value(q, x); });
  }
}

template <class Law>
void AllMotionSensor<Law>::picture(Shapes& s) const {
  if (animation_) s.add(law_.arrow());
}

const SensorOutput<3>& AbsoluteLaw::output(Measured q) {
  static const SensorOutput<3> table[] = {
      {"r", "m", "position of frame_a", Level::Position},
      {"v", "m/s", "velocity of frame_a", Level::Velocity},
      {"a", "m/s2", "acceleration of frame_a", Level::Acceleration},
      {"angles", "rad", "angles from world to frame_a", Level::Position},
      {"w", "rad/s", "angular velocity of frame_a", Level::Velocity},
      {"z", "rad/s2", "angular acceleration of frame_a", Level::Acceleration}};
  return table[static_cast<int>(q)];
}

void AbsoluteLaw::readFrame(ParameterReader& r, Measured /*q*/, const std::string& about) {
  readResolveInFrameA(r, "resolveInFrame", resolveInFrame, about);
}

void AbsoluteLaw::readFrames(ParameterReader& r) {
  readFrame(r, Measured::r, "frame in which the outputs are resolved");
}

void AbsoluteLaw::declare(Structure& s) {
  frames.declareA(s, resolveInFrame == ResolveInFrame::frame_resolve);
}

ArrowShape AbsoluteLaw::arrow() const { return picture::distanceArrow(FrameId{}, frames.frame_a); }

const SensorOutput<3>& RelativeLaw::output(Measured q) {
  static const SensorOutput<3> table[] = {
      {"r_rel", "m", "position of frame_b relative to frame_a", Level::Position},
      {"v_rel", "m/s", "velocity of frame_b relative to frame_a", Level::Velocity},
      {"a_rel", "m/s2", "acceleration of frame_b relative to frame_a", Level::Acceleration},
      {"angles", "rad", "angles from frame_a to frame_b", Level::Position},
      {"w_rel", "rad/s", "angular velocity of frame_b relative to frame_a", Level::Velocity},
      {"z_rel", "rad/s2", "angular acceleration of frame_b relative to frame_a",
       Level::Acceleration}};
  return table[static_cast<int>(q)];
}

void RelativeLaw::readFrame(ParameterReader& r, Measured q, const std::string& about) {
  readResolveInFrameAB(r, "resolveInFrame",
                       q == Measured::v ? resolveInFrameAfterDifferentiation : resolveInFrame,
                       about);
}

void RelativeLaw::readFrames(ParameterReader& r) {
  readResolveInFrameAB(r, "resolveInFrame", resolveInFrame,
                       "frame in which vectors are resolved before differentiation");
  resolveInFrameAfterDifferentiation = resolveInFrame;
  readResolveInFrameAB(
      r, "resolveInFrameAfterDifferentiation", resolveInFrameAfterDifferentiation,
      "frame in which v_rel, a_rel and z_rel are resolved at last; default: resolveInFrame");
}

void RelativeLaw::declare(Structure& s) {
  frames.declareAB(s, resolveInFrame == ResolveInFrame::frame_resolve ||
                          resolveInFrameAfterDifferentiation == ResolveInFrame::frame_resolve);
}

ArrowShape RelativeLaw::arrow() const {
  return picture::distanceArrow(frames.frame_a, frames.frame_b);
}

void RelativePosition::describe(Variables& v) const {
  MotionSensor::describe(v);
  // MSL's sensor holds another one of the same name.
  v.alias("relativePosition.r_rel", "r_rel");
  for (const char* frame : {"frame_a.", "frame_b."}) {
    for (const char* name : {"r_0", "R.T", "R.w", "f", "t"}) {
      v.alias(std::string("relativePosition.") + frame + name, std::string(frame) + name);
    }
  }
}

void RelativeAngles::describe(Variables& v) const {
  MotionSensor::describe(v);
  describe::orientation(v, "R_rel", "orientation of frame_b relative to frame_a",
                        [this](const auto& x) { return law_.R_rel(x); });
}

template class MotionSensor<AbsoluteLaw>;
template class MotionSensor<RelativeLaw>;
template class AllMotionSensor<AbsoluteLaw>;
template class AllMotionSensor<RelativeLaw>;

}  // namespace cardan
