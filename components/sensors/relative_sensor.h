/// RelativeSensor, and the sensors of one of its quantities: the motion of frame_b relative to
/// frame_a, as outputs.
#pragma once

#include <string>

#include "components/interfaces/describe.h"
#include "components/sensors/arrow.h"
#include "components/sensors/motion_sensor.h"
#include "components/shapes.h"

namespace cardan {

/// The motion of frame_b relative to frame_a, as RelativeSensor says below.
struct RelativeLaw {
  static constexpr const char* kArrow = "an arrow from frame_a to frame_b is shown";

  ResolveInFrame resolveInFrame = ResolveInFrame::frame_a;
  ResolveInFrame resolveInFrameAfterDifferentiation =
      ResolveInFrame::frame_a;  ///< default: resolveInFrame
  AngleParameters angleParameters;
  SensorFrames frames;

  static const SensorOutput<3>& output(Measured q) {
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
  /// The frame in which a sensor of q alone gives it.
  void readFrame(ParameterReader& r, Measured q, const std::string& about) {
    readResolveInFrameAB(r, "resolveInFrame",
                         q == Measured::v ? resolveInFrameAfterDifferentiation : resolveInFrame,
                         about);
  }
  void readFrames(ParameterReader& r) {
    readResolveInFrameAB(r, "resolveInFrame", resolveInFrame,
                         "frame in which vectors are resolved before differentiation");
    resolveInFrameAfterDifferentiation = resolveInFrame;
    readResolveInFrameAB(
        r, "resolveInFrameAfterDifferentiation", resolveInFrameAfterDifferentiation,
        "frame in which v_rel, a_rel and z_rel are resolved at last; default: resolveInFrame");
  }
  void declare(Structure& s) {
    frames.declareAB(s, resolveInFrame == ResolveInFrame::frame_resolve ||
                            resolveInFrameAfterDifferentiation == ResolveInFrame::frame_resolve);
  }
  ArrowShape arrow() const { return picture::distanceArrow(frames.frame_a, frames.frame_b); }

  template <class S>
  Vector3<S> value(Measured q, const View<S>& x) const {
    switch (q) {
      case Measured::r:
        return r_rel(x);
      case Measured::v:
        return atLast(x, der_r_rel(x));
      case Measured::a:
        return atLast(x, der2_r_rel(x));
      case Measured::w:
        return w_rel(x);
      case Measured::z:
        return atLast(x, der_w_rel(x));
      case Measured::angles:
        break;
    }
    return angleParameters.angles(R_rel(x));
  }
  template <class S>
  frames::Orientation<S> R_rel(const View<S>& x) const {
    return frames::relativeRotation(x.frame(frames.frame_a).R, x.frame(frames.frame_b).R);
  }

 private:
  template <class S>
  Vector3<S> r_rel(const View<S>& x) const {
    const Vector3<S> r_0 = x.frame(frames.frame_b).r_0 - x.frame(frames.frame_a).r_0;
    return frames.resolve(x, resolveInFrame, r_0);
  }
  template <class S>
  Vector3<S> der_r_rel(const View<S>& x) const {
    const Vector3<S> v_0 = x.frame(frames.frame_b).v_0 - x.frame(frames.frame_a).v_0;
    return frames.derivative(x, resolveInFrame, r_rel(x), v_0);
  }
  template <class S>
  Vector3<S> der2_r_rel(const View<S>& x) const {
    const Vector3<S> a_0 = x.frame(frames.frame_b).a_0 - x.frame(frames.frame_a).a_0;
    return frames.secondDerivative(x, resolveInFrame, r_rel(x), der_r_rel(x), a_0);
  }
  template <class S>
  Vector3<S> w_rel(const View<S>& x) const {
    const Vector3<S> w_0 =
        angularVelocity_0(x.frame(frames.frame_b)) - angularVelocity_0(x.frame(frames.frame_a));
    return frames.resolve(x, resolveInFrame, w_0);
  }
  template <class S>
  Vector3<S> der_w_rel(const View<S>& x) const {
    const Vector3<S> z_0 = angularAcceleration_0(x.frame(frames.frame_b)) -
                           angularAcceleration_0(x.frame(frames.frame_a));
    return frames.derivative(x, resolveInFrame, w_rel(x), z_0);
  }
  template <class S>
  Vector3<S> atLast(const View<S>& x, const Vector3<S>& u_X) const {
    return frames.resolveRelative(x, u_X, resolveInFrame, resolveInFrameAfterDifferentiation);
  }
};

/// Resolves in X = resolveInFrame, differentiates the components there, then resolves v_rel, a_rel
/// and z_rel in resolveInFrameAfterDifferentiation.
///
/// Outputs    r_rel = T_X (r_0b - r_0a);  v_rel = der(r_rel);  a_rel = der(der(r_rel))
///            w_rel = T_X (w_0b - w_0a);  z_rel = der(w_rel)
///            angles: axesRotations(sequence, angles) = relativeRotation(frame_a.R, frame_b.R)
/// Source     MSL 4.0 Sensors.RelativeSensor
class RelativeSensor final : public AllMotionSensor<RelativeLaw> {};

/// Parts      relativePosition: the sensor itself, by MSL's inner name
/// Outputs    r_rel = T_X (r_0b - r_0a), X = resolveInFrame
/// Source     MSL 4.0 Sensors.RelativePosition
class RelativePosition final : public SensorOf<RelativeLaw, Measured::r> {
 public:
  void describe(Variables& v) const override {
    MotionSensor::describe(v);
    // MSL's sensor holds another one of the same name.
    v.alias("relativePosition.r_rel", "r_rel");
    for (const char* frame : {"frame_a.", "frame_b."}) {
      for (const char* name : {"r_0", "R.T", "R.w", "f", "t"}) {
        v.alias(std::string("relativePosition.") + frame + name, std::string(frame) + name);
      }
    }
  }
};

/// Outputs    v_rel = T_X T_a' der(T_a (r_0b - r_0a)): differentiated in frame_a whatever
///            X = resolveInFrame is (RelativeSensor differentiates in X)
/// Source     MSL 4.0 Sensors.RelativeVelocity
class RelativeVelocity final : public SensorOf<RelativeLaw, Measured::v> {};

/// Outputs    angles: axesRotations(sequence, angles) = relativeRotation(frame_a.R, frame_b.R),
///            never unwrapped
/// Source     MSL 4.0 Sensors.RelativeAngles
class RelativeAngles final : public SensorOf<RelativeLaw, Measured::angles> {
 public:
  void describe(Variables& v) const override {
    MotionSensor::describe(v);
    describe::orientation(v, "R_rel", "orientation of frame_b relative to frame_a",
                          [this](const auto& x) { return law_.R_rel(x); });
  }
};

/// Outputs    w_rel = T_X (w_0b - w_0a), X = resolveInFrame
/// Source     MSL 4.0 Sensors.RelativeAngularVelocity
class RelativeAngularVelocity final : public SensorOf<RelativeLaw, Measured::w> {};

}  // namespace cardan
