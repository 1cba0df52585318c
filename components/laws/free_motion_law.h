/// Laws of the joints with a free orientation: six freedoms, or three about a common origin.
#pragma once

#include <algorithm>
#include <utility>

#include "components/joint_law.h"
#include "components/laws/closure_rows.h"
#include "components/laws/orientation_coordinates.h"

namespace cardan {

/// The chart of coordinates that have one; `first`: their place in the edge's positions.
template <class C>
OrientationChart chartOf(const C& c, int first) {
  if constexpr (requires { c.chart(); }) {
    return {c.chart().get(), first, C::nq};
  } else {
    return {};
  }
}

/// Unknowns   r_rel_a [m], orientation coordinates C; v_rel_a [m/s], w_rel_b [rad/s]
/// Equations  der(r_rel_a) = v_rel_a;  angular velocity of C = w_rel_b;  constraints of C;
///            f_a = 0;  t_b = 0
/// Source     MSL 4.0 Joints.FreeMotion, Parts.Body
template <class C>
class FreeMotionLaw final : public JointLawOf<FreeMotionLaw<C>> {
 public:
  static constexpr int nq = 3 + C::nq, nv = 6;

  explicit FreeMotionLaw(C c = C()) : c_(std::move(c)) {}
  OrientationChart chart() const override { return chartOf(c_, nq - C::nq); }
  bool turnsFreely() const override { return C::isRotation; }
  Matrix3d turn(const JointState<double>& x) const override {
    return frames::to_T(c_.orientation(x.q + nq - C::nq, x.chart, Vector3d(0, 0, 0)));
  }

  template <class S>
  RelativeMotion<S> motionAt(const JointState<S>& x) const {
    return {c_.orientation(x.q + 3, x.chart, Vector3<S>(x.v[3], x.v[4], x.v[5])),
            {x.vd[3], x.vd[4], x.vd[5]},
            {x.q[0], x.q[1], x.q[2]},
            {x.v[0], x.v[1], x.v[2]},
            {x.vd[0], x.vd[1], x.vd[2]}};
  }
  template <class S>
  void projectLoad(const Vector3<S>& f_a, const Vector3<S>& t_b, const JointState<S>&,
                   S* tau) const {
    for (int i = 0; i < 3; ++i) {
      tau[i] = f_a[i];
      tau[3 + i] = t_b[i];
    }
  }
  template <class S>
  void kinematicsRows(const S* q, const S* qd, const S* v, S* rows) const {
    for (int i = 0; i < 3; ++i) rows[i] = qd[i] - v[i];
    c_.rows(q + 3, qd + 3, Vector3<S>(v[3], v[4], v[5]), rows + 3, rows + 6);
  }
  bool ratesAt(const double* q, const double* v, double* qd) const {
    std::copy_n(v, 3, qd);
    return c_.rates(q + 3, Vector3d(v[3], v[4], v[5]), qd + 3);
  }
  template <class S>
  void measureAt(const RelativeMotion<S>& m, S* q, S* v, S* vd) const {
    const Vector3<S>& w = frames::angularVelocity2(m.R_rel);
    for (int i = 0; i < 3; ++i) {
      q[i] = m.r_rel[i];
      v[i] = m.v_rel[i];
      v[3 + i] = w[i];
      vd[i] = m.a_rel[i];
      vd[3 + i] = m.z_rel[i];
    }
    c_.measure(m.R_rel, q + 3);
  }

 private:
  C c_;
};

/// Unknowns   orientation coordinates C; w_rel [rad/s], resolved in frame_b
/// Equations  angular velocity of C = w_rel;  constraints of C;  t_b = 0
/// Source     MSL 4.0 Joints.Spherical
template <class C>
class SphericalLaw final : public JointLawOf<SphericalLaw<C>> {
 public:
  static constexpr int nq = C::nq, nv = 3;

  explicit SphericalLaw(C c = C()) : c_(std::move(c)) {}
  OrientationChart chart() const override { return chartOf(c_, nq - C::nq); }
  bool turnsFreely() const override { return C::isRotation; }
  Matrix3d turn(const JointState<double>& x) const override {
    return frames::to_T(c_.orientation(x.q + nq - C::nq, x.chart, Vector3d(0, 0, 0)));
  }

  template <class S>
  Turn<S> motionAt(const JointState<S>& x) const {
    return {c_.orientation(x.q, x.chart, Vector3<S>(x.v[0], x.v[1], x.v[2])),
            {x.vd[0], x.vd[1], x.vd[2]}};
  }
  template <class S>
  void projectLoad(const Vector3<S>&, const Vector3<S>& t_b, const JointState<S>&, S* tau) const {
    for (int i = 0; i < 3; ++i) tau[i] = t_b[i];
  }
  template <class S>
  void kinematicsRows(const S* q, const S* qd, const S* v, S* rows) const {
    c_.rows(q, qd, Vector3<S>(v[0], v[1], v[2]), rows, rows + 3);
  }
  bool ratesAt(const double* q, const double* v, double* qd) const {
    return c_.rates(q, Vector3d(v[0], v[1], v[2]), qd);
  }
  template <class S>
  void closureAt(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    rows.pinned(m);
  }
  template <class S>
  void measureAt(const RelativeMotion<S>& m, S* q, S* v, S* vd) const {
    const Vector3<S>& w = frames::angularVelocity2(m.R_rel);
    for (int i = 0; i < 3; ++i) {
      v[i] = w[i];
      vd[i] = m.z_rel[i];
    }
    c_.measure(m.R_rel, q);
  }
  std::string closureName(int row) const override { return displacementName(row); }

 private:
  C c_;
};

}  // namespace cardan
