/// LaneVector: derivatives of a vector in several directions at once, as Dual keeps them.
#pragma once

#include "components/view.h"

namespace cardan {

using Lanes = Dual::Lanes;

/// Three components in several directions at once.
struct LaneVector {
  Lanes x, y, z;
};
inline LaneVector operator+(const LaneVector& a, const LaneVector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline LaneVector operator-(const LaneVector& a, const LaneVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline LaneVector operator*(double k, const LaneVector& a) { return {k * a.x, k * a.y, k * a.z}; }
inline LaneVector cross(const LaneVector& a, const Vector3d& b) {
  return {a.y * b[2] - a.z * b[1], a.z * b[0] - a.x * b[2], a.x * b[1] - a.y * b[0]};
}
inline LaneVector cross(const Vector3d& a, const LaneVector& b) {
  return {a[1] * b.z - a[2] * b.y, a[2] * b.x - a[0] * b.z, a[0] * b.y - a[1] * b.x};
}
/// T' a and T a
inline LaneVector resolve1(const Matrix3d& T, const LaneVector& a) {
  return {T(0, 0) * a.x + T(1, 0) * a.y + T(2, 0) * a.z,
          T(0, 1) * a.x + T(1, 1) * a.y + T(2, 1) * a.z,
          T(0, 2) * a.x + T(1, 2) * a.y + T(2, 2) * a.z};
}
inline LaneVector resolve2(const Matrix3d& T, const LaneVector& a) {
  return {T(0, 0) * a.x + T(0, 1) * a.y + T(0, 2) * a.z,
          T(1, 0) * a.x + T(1, 1) * a.y + T(1, 2) * a.z,
          T(2, 0) * a.x + T(2, 1) * a.y + T(2, 2) * a.z};
}
inline LaneVector lanesOf(const Vector3<Dual>& a) { return {a[0].d, a[1].d, a[2].d}; }
inline void setLanes(Vector3<Dual>& a, const LaneVector& d) {
  a[0].d = d.x;
  a[1].d = d.y;
  a[2].d = d.z;
}
inline Vector3<Dual> dual(const Vector3d& a) { return {Dual(a[0]), Dual(a[1]), Dual(a[2])}; }

/// The frame as it is, without derivatives.
inline FrameState<Dual> constant(const FrameState<double>& f) {
  FrameState<Dual> d;
  d.r_0 = dual(f.r_0);
  d.R = f.R;
  d.v_0 = dual(f.v_0);
  d.a_0 = dual(f.a_0);
  d.z_a = dual(f.z_a);
  return d;
}

}  // namespace cardan
