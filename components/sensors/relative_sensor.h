/// RelativeSensor: kinematic quantities of frame_b relative to frame_a, as outputs.
#pragma once

#include "components/component.h"
#include "components/interfaces/resolving.h"

namespace cardan {

/// Resolves in X = resolveInFrame, differentiates the components there, then resolves v_rel, a_rel
/// and z_rel in resolveInFrameAfterDifferentiation.
///
/// Outputs    r_rel = T_X (r_0b - r_0a);  v_rel = der(r_rel);  a_rel = der(der(r_rel))
///            w_rel = T_X (w_0b - w_0a);  z_rel = der(w_rel)
///            angles: axesRotations(sequence, angles) = relativeRotation(frame_a.R, frame_b.R)
/// Source     MSL 4.0 Sensors.RelativeSensor
class RelativeSensor final : public ComponentOf<RelativeSensor> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

 private:
  template <class S>
  Vector3<S> r_rel(const View<S>& x) const;
  template <class S>
  Vector3<S> der_r_rel(const View<S>& x) const;
  template <class S>
  Vector3<S> der2_r_rel(const View<S>& x) const;
  template <class S>
  Vector3<S> w_rel(const View<S>& x) const;
  template <class S>
  Vector3<S> der_w_rel(const View<S>& x) const;

  // Parameters
  bool animation_ = true;
  ResolveInFrame resolveInFrame_ = ResolveInFrame::frame_a;
  ResolveInFrame resolveInFrameAfterDifferentiation_ =
      ResolveInFrame::frame_a;  ///< default: resolveInFrame
  bool get_r_rel_ = false, get_v_rel_ = false, get_a_rel_ = false;
  bool get_angles_ = false, get_w_rel_ = false, get_z_rel_ = false;
  AngleParameters angleParameters_;
  StartVector<3> r_rel_;   ///< [m]
  StartVector<3> v_rel_;   ///< [m/s]
  StartVector<3> a_rel_;   ///< [m/s2]
  StartVector<3> angles_;  ///< [rad]
  StartVector<3> w_rel_;   ///< [rad/s]
  StartVector<3> z_rel_;   ///< [rad/s2]

  SensorFrames frames_;
};

}  // namespace cardan
