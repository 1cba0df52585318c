/// AbsoluteSensor, and the sensors of one of its quantities: the motion of a frame, as outputs.
#pragma once

#include <string>

#include "components/sensors/arrow.h"
#include "components/sensors/motion_sensor.h"
#include "components/shapes.h"

namespace cardan {

/// The motion of frame_a, resolved in X = resolveInFrame.
struct AbsoluteLaw {
  static constexpr const char* kArrow = "an arrow from the origin of world to frame_a is shown";

  ResolveInFrame resolveInFrame = ResolveInFrame::frame_a;  ///< not frame_b
  AngleParameters angleParameters;
  SensorFrames frames;

  static const SensorOutput<3>& output(Measured q) {
    static const SensorOutput<3> table[] = {
        {"r", "m", "position of frame_a", Level::Position},
        {"v", "m/s", "velocity of frame_a", Level::Velocity},
        {"a", "m/s2", "acceleration of frame_a", Level::Acceleration},
        {"angles", "rad", "angles from world to frame_a", Level::Position},
        {"w", "rad/s", "angular velocity of frame_a", Level::Velocity},
        {"z", "rad/s2", "angular acceleration of frame_a", Level::Acceleration}};
    return table[static_cast<int>(q)];
  }
  /// The frame in which a sensor of q alone gives it.
  void readFrame(ParameterReader& r, Measured, const std::string& about) {
    readResolveInFrameA(r, "resolveInFrame", resolveInFrame, about);
  }
  void readFrames(ParameterReader& r) {
    readFrame(r, Measured::r, "frame in which the outputs are resolved");
  }
  void declare(Structure& s) {
    frames.declareA(s, resolveInFrame == ResolveInFrame::frame_resolve);
  }
  ArrowShape arrow() const { return picture::distanceArrow(FrameId{}, frames.frame_a); }

  template <class S>
  Vector3<S> value(Measured q, const View<S>& x) const {
    const FrameState<S>& a = x.frame(frames.frame_a);
    switch (q) {
      case Measured::r:
        return frames.resolve(x, resolveInFrame, a.r_0);
      case Measured::v:
        return frames.resolve(x, resolveInFrame, a.v_0);
      case Measured::a:
        return frames.resolve(x, resolveInFrame, a.a_0);
      case Measured::w:
        return frames.resolve(x, resolveInFrame, angularVelocity_0(a));
      case Measured::z:
        return frames.resolve(x, resolveInFrame, angularAcceleration_0(a));
      case Measured::angles:
        break;
    }
    return angleParameters.angles(a.R);
  }
};

/// Differentiates in world, then resolves in X = resolveInFrame, however X turns.
///
/// Outputs    r = T_X r_0;  v = T_X der(r_0);  a = T_X der(v_0);  w = T_X w_0;  z = T_X der(w_0)
///            angles: axesRotations(sequence, angles) = frame_a.R
/// Source     MSL 4.1 Sensors.AbsoluteSensor (4.0 turns w twice into frame_resolve)
class AbsoluteSensor final : public AllMotionSensor<AbsoluteLaw> {};

/// Outputs    r = T_X r_0, X = resolveInFrame
/// Source     MSL 4.0 Sensors.AbsolutePosition
class AbsolutePosition final : public SensorOf<AbsoluteLaw, Measured::r> {};

/// Outputs    v = T_X der(r_0), X = resolveInFrame
/// Source     MSL 4.0 Sensors.AbsoluteVelocity
class AbsoluteVelocity final : public SensorOf<AbsoluteLaw, Measured::v> {};

/// Outputs    angles: axesRotations(sequence, angles) = frame_a.R, never unwrapped
/// Source     MSL 4.0 Sensors.AbsoluteAngles
class AbsoluteAngles final : public SensorOf<AbsoluteLaw, Measured::angles> {};

/// Outputs    w = T_X w_0, X = resolveInFrame
/// Source     MSL 4.0 Sensors.AbsoluteAngularVelocity
class AbsoluteAngularVelocity final : public SensorOf<AbsoluteLaw, Measured::w> {};

}  // namespace cardan
