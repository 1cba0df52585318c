/// Resolving: in which frame a sensor gives its vectors, stated once for all sensors.
#pragma once

#include <string_view>

#include "components/parameter_reader.h"
#include "components/structure.h"
#include "components/variables.h"
#include "components/view.h"

namespace cardan {

/// Frame in which a vector is resolved (MSL's ResolveInFrameA, which has no frame_b, and
/// ResolveInFrameAB).
enum class ResolveInFrame { world, frame_a, frame_b, frame_resolve };

/// Reads a parameter of MSL's type ResolveInFrameA.
void readResolveInFrameA(ParameterReader& r, std::string_view name, ResolveInFrame& x,
                         std::string_view about);
/// Reads a parameter of MSL's type ResolveInFrameAB.
void readResolveInFrameAB(ParameterReader& r, std::string_view name, ResolveInFrame& x,
                          std::string_view about);

/// Parameters `sequence` and `guessAngle1` of a sensor that gives angles.
struct AngleParameters {
  frames::Sequence sequence = frames::kCardanSequence;  ///< axes 1, 2, 3; neighbours differ
  double guessAngle1 = 0;  ///< [rad]  angles[1] is the solution nearest to it

  void read(ParameterReader& r);

  /// Angles [rad] in -pi..pi, never unwrapped.
  template <class S>
  Vector3<S> angles(const frames::Orientation<S>& R) const {
    return frames::axesRotationsAngles(R, sequence, guessAngle1);
  }
};

/// The frames of a sensor. Vectors come in resolved in world (v_0) and go out resolved in X, one of
/// the frames.
struct SensorFrames {
  FrameId frame_a;
  FrameId frame_b;        ///< of relative sensors
  FrameId frame_resolve;  ///< only where something is resolved in it

  void declareA(Structure& s, bool needsResolve);
  void declareAB(Structure& s, bool needsResolve);

  /// T_X v_0.
  template <class S>
  Vector3<S> resolve(const View<S>& x, ResolveInFrame X, const Vector3<S>& v_0) const {
    return X == ResolveInFrame::world ? v_0 : frames::resolve2(x.frame(id(X)).R, v_0);
  }
  /// T_to T_from' v, so v itself where both are the same frame.
  template <class S>
  Vector3<S> resolveRelative(const View<S>& x, const Vector3<S>& v, ResolveInFrame from,
                             ResolveInFrame to) const {
    if (from == to) return v;
    if (from == ResolveInFrame::world) return resolve(x, to, v);
    return resolve(x, to, frames::resolve1(x.frame(id(from)).R, v));
  }

  /// der(v_X) of the components v_X in X, from der(v_0): T_X der(v_0) - w_X x v_X.
  template <class S>
  Vector3<S> derivative(const View<S>& x, ResolveInFrame X, const Vector3<S>& v_X,
                        const Vector3<S>& der_v_0) const {
    const Vector3<S> a = resolve(x, X, der_v_0);
    if (X == ResolveInFrame::world) return a;
    return a - cross(frames::angularVelocity2(x.frame(id(X)).R), v_X);
  }
  /// der(der(v_X)) of the components v_X in X, with their first derivative der_v_X:
  /// T_X der(der(v_0)) - z_X x v_X - 2 w_X x der(v_X) - w_X x (w_X x v_X).
  template <class S>
  Vector3<S> secondDerivative(const View<S>& x, ResolveInFrame X, const Vector3<S>& v_X,
                              const Vector3<S>& der_v_X, const Vector3<S>& der2_v_0) const {
    const Vector3<S> a = resolve(x, X, der2_v_0);
    if (X == ResolveInFrame::world) return a;
    const FrameState<S>& frame = x.frame(id(X));
    const Vector3<S>& w_X = frames::angularVelocity2(frame.R);
    return a - cross(frame.z_a, v_X) - cross(w_X, Vector3<S>(2.0 * der_v_X + cross(w_X, v_X)));
  }

 private:
  FrameId id(ResolveInFrame X) const {
    return X == ResolveInFrame::frame_a   ? frame_a
           : X == ResolveInFrame::frame_b ? frame_b
                                          : frame_resolve;
  }
};

/// Angular velocity of a frame [rad/s], resolved in world.
template <class S>
Vector3<S> angularVelocity_0(const FrameState<S>& a) {
  return frames::angularVelocity1(a.R);
}
/// Angular acceleration of a frame [rad/s2], the derivative of its angular velocity in world.
template <class S>
Vector3<S> angularAcceleration_0(const FrameState<S>& a) {
  return frames::resolve1(a.R, a.z_a);  // der(T' w) = T' (der(w) + w x w)
}

}  // namespace cardan
