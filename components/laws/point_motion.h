/// PointMotionLaw: a point that floats, without orientation of its own.
#pragma once

#include "components/joint_law.h"

namespace cardan {

/// Root of a floating point mass: three freedoms, R = nullRotation.
///
/// Unknowns   r_0 [m], v_0 [m/s], resolved in world
/// Equations  der(r_0) = v_0;  f_a = 0
class PointMotionLaw final : public JointLawOf<PointMotionLaw> {
 public:
  static constexpr int nq = 3, nv = 3;

  template <class S>
  Slide<S> motionAt(const JointState<S>& x) const {
    return {{x.q[0], x.q[1], x.q[2]}, {x.v[0], x.v[1], x.v[2]}, {x.vd[0], x.vd[1], x.vd[2]}};
  }
  template <class S>
  void projectLoad(const Vector3<S>& f_a, const Vector3<S>&, const JointState<S>&, S* tau) const {
    for (int i = 0; i < 3; ++i) tau[i] = f_a[i];
  }
  template <class S>
  void measureAt(const RelativeMotion<S>& m, S* q, S* v, S* vd) const {
    for (int i = 0; i < 3; ++i) {
      q[i] = m.r_rel[i];
      v[i] = m.v_rel[i];
      vd[i] = m.a_rel[i];
    }
  }
};

}  // namespace cardan
