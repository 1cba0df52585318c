/// The two motions about one axis: turning and sliding, and what a loop that such a joint closes keeps.
#pragma once

#include "components/laws/closure_rows.h"
#include "components/laws/joint_axis.h"

namespace cardan {

/// An axis and the value of the coordinate's zero along it.
class AxisLaw {
 public:
  /// Axis n, any length but zero, the same in frame_a and frame_b; offset [rad | m].
  AxisLaw(const Vector3d& n, double offset) : axis_(n), offset_(offset) {}

 protected:
  void setAxis(const Vector3d& n, double offset) {
    axis_.set(n);
    offset_ = offset;
  }

  JointAxis axis_;
  double offset_;  ///< [rad | m]  between the frames where the coordinate is zero
};

/// frame_b turns about the axis by q + offset.
class TurningLaw : public AxisLaw {
 public:
  using AxisLaw::AxisLaw;

  template <class S>
  Turn<S> motionAt(const JointState<S>& x) const {
    return {frames::planarRotation(axis_.e, S(x.q[0] + offset_), x.v[0]), axis_.e * x.vd[0]};
  }
  template <class S>
  void projectLoad(const Vector3<S>& /*f_a*/, const Vector3<S>& t_b, const JointState<S>&,
                   S* tau) const {
    tau[0] = dot(axis_.e, t_b);
  }
  /// Cut: common origin, and the axis of frame_b parallel to that of frame_a.
  template <class S>
  void closureAt(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    rows.pinned(m);
    alignAxis(m, axis_, rows);
  }
  template <class S>
  void measureAt(const RelativeMotion<S>& m, S* q, S* v, S* vd) const {
    q[0] = nearestTurn(S(axis_.angle(m.R_rel) - offset_), value(q[0]));
    v[0] = dot(axis_.e, frames::angularVelocity2(m.R_rel));
    vd[0] = dot(axis_.e, m.z_rel);
  }
};

/// frame_b slides along the axis by q + offset.
class SlidingLaw : public AxisLaw {
 public:
  using AxisLaw::AxisLaw;

  template <class S>
  Slide<S> motionAt(const JointState<S>& x) const {
    return {axis_.e * S(x.q[0] + offset_), axis_.e * x.v[0], axis_.e * x.vd[0]};
  }
  template <class S>
  void projectLoad(const Vector3<S>& f_a, const Vector3<S>& /*t_b*/, const JointState<S>&,
                   S* tau) const {
    tau[0] = dot(axis_.e, f_a);
  }
  /// Cut: no displacement across the axis, parallel axes.
  template <class S>
  void closureAt(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    keepOnAxis(m, axis_, rows);
    alignFrames(m, frames::nullRotation(), rows);
  }
  template <class S>
  void measureAt(const RelativeMotion<S>& m, S* q, S* v, S* vd) const {
    q[0] = dot(axis_.e, m.r_rel) - offset_;
    v[0] = dot(axis_.e, m.v_rel);
    vd[0] = dot(axis_.e, m.a_rel);
  }
};

}  // namespace cardan
