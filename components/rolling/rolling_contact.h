/// RollingContact: geometry and slip of a thin wheel at its contact point with the plane z = 0 of
/// the world.
#pragma once

#include "components/view.h"

namespace cardan {

/// All vectors resolved in world; the road's normal is e_n_0 = {0, 0, 1}.
///
/// Equations  e_long_0 = (e_n_0 x e_axis_0)/|e_n_0 x e_axis_0|;  e_lat_0 = e_long_0 x e_n_0
/// Source     MSL 4.0 Joints.RollingWheel, Joints.Internal.RollingConstraintVerticalWheel
template <class S>
struct RollingContact {
  Vector3<S> e_axis_0;    ///< [1]    along the wheel's axis, the y axis of frame_a
  Vector3<S> aux;         ///< [1]    e_n_0 x e_axis_0
  S upright;              ///< [1]    |aux|: 1 for an upright wheel, 0 for one that lies
  Vector3<S> e_long_0;    ///< [1]    along the track; -x for a wheel that rolls towards +x
  Vector3<S> e_lat_0;     ///< [1]    across it, in the road
  Vector3<S> delta_0;     ///< [m]    from the wheel's centre to the contact point
  Vector3<S> vContact_0;  ///< [m/s]  of the wheel's material at the contact point

  /// The lowest point of the wheel's edge.
  static RollingContact atLowestPoint(const FrameState<S>& wheel, double radius) {
    RollingContact c = directions(wheel);
    // e_long_0 x e_axis_0 points down in the plane of the wheel.
    c.delta_0 = (c.e_axis_0 * c.e_axis_0[2] - normal()) * S(radius / c.upright);
    c.slip(wheel);
    return c;
  }
  /// The point straight below the centre, as for a wheel that is always upright.
  static RollingContact straightBelow(const FrameState<S>& wheel, double radius) {
    RollingContact c = directions(wheel);
    c.delta_0 = {S(0), S(0), S(-radius)};
    c.slip(wheel);
    return c;
  }

  static Vector3<S> normal() { return {S(0), S(0), S(1)}; }

  /// Load on the component at the wheel's centre per unit of a multiplier whose row is the velocity
  /// of the contact point along e_0.
  Wrench<S> along(const Vector3<S>& e_0) const { return {e_0, cross(delta_0, e_0)}; }

 private:
  static RollingContact directions(const FrameState<S>& wheel) {
    RollingContact c;
    c.e_axis_0 = frames::resolve1(wheel.R, Vector3d(0, 1, 0));
    c.aux = {-c.e_axis_0[1], c.e_axis_0[0], S(0)};
    // A wheel that lies has no heading; far below the angle at which the run ends.
    c.upright = sqrt(max(dot(c.aux, c.aux), 1e-12));
    c.e_long_0 = c.aux / c.upright;
    c.e_lat_0 = {c.e_long_0[1], -c.e_long_0[0], S(0)};
    return c;
  }
  void slip(const FrameState<S>& wheel) {
    vContact_0 = wheel.v_0 + cross(frames::angularVelocity1(wheel.R), delta_0);
  }
};

}  // namespace cardan
