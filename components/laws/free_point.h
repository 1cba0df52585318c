/// FreePoint: a frame without mass that only force elements meet.
#pragma once

#include "components/joint_law.h"

namespace cardan {

/// Root of a free point: three positions, R = nullRotation, no velocities of its own.
///
/// Unknowns   r_0 [m], resolved in world
/// Equations  sum of the forces at the frame = 0, resolved in world; torques are not balanced
/// Source     MSL 4.0 Interfaces.LineForceBase (fixedRotationAtFrame_a, fixedRotationAtFrame_b)
///
/// The three rows hold r_0 and, where a damper is attached, der(r_0), never der(der(r_0)): so r_0
/// is algebraic among springs and a state of first order at dampers. With nv = 0 the engine counts
/// q among the unknowns of components, gives der(q) as JointState::v and writes the rows itself.
class FreePoint final : public JointLawOf<FreePoint> {
 public:
  static constexpr int nq = 3, nv = 0;

  template <class S>
  Slide<S> motionAt(const JointState<S>& x) const {
    Slide<S> m{{x.q[0], x.q[1], x.q[2]}, Vector3<S>::Zero(), Vector3<S>::Zero()};
    if (x.v) m.v_rel = {x.v[0], x.v[1], x.v[2]};
    return m;
  }
  template <class S>
  void kinematicsRows(const S*, const S*, const S*, S*) const {}
  template <class S>
  void measureAt(const RelativeMotion<S>& m, S* q, S*, S*) const {
    for (int i = 0; i < 3; ++i) q[i] = m.r_rel[i];
  }
};

}  // namespace cardan
