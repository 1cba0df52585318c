/// Frame: the kinematic state of a coordinate system and the load that meets there.
#pragma once

#include "frames/frames.h"

namespace cardan {

/// Motion of a frame A (the older Interfaces' Frame; its S = R.T', v = T v_0, a = T (a_0 - g_0), z
/// = z_a).
///
/// `a_0` is the true acceleration: gravity enters in each body, never here.
template <class S>
struct FrameState {
  Vector3<S> r_0;            ///< [m]       p_WA_W: origin, resolved in world
  frames::Orientation<S> R;  ///<   world -> A; R.w = w_WA_A
  Vector3<S> v_0;            ///< [m/s]     der(r_0), resolved in world
  Vector3<S> a_0;            ///< [m/s2]    der(v_0), resolved in world
  Vector3<S> z_a;            ///< [rad/s2]  der(R.w), resolved in A
};

/// Force and torque about a frame's origin, both resolved in world.
template <class S>
struct Wrench {
  Vector3<S> f_0;  ///< [N]
  Vector3<S> t_0;  ///< [N.m]

  Wrench& operator+=(const Wrench& b) {
    f_0 += b.f_0;
    t_0 += b.t_0;
    return *this;
  }
  void setZero() {
    f_0.setZero();
    t_0.setZero();
  }
  /// The same load about a point that lies `r_0` [m] away from the new point (resolved in world).
  Wrench shifted(const Vector3<S>& r_0) const { return {f_0, t_0 + cross(r_0, f_0)}; }
  Wrench operator-() const { return {-f_0, -t_0}; }
};

}  // namespace cardan
