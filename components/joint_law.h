/// JointLaw: the relative motion that a two-frame component allows, stated once and used in every
/// role: edge of the tree in both directions, root of a floating part, and cut joint that closes a
/// loop.
#pragma once

#include "components/closure_law.h"
#include "components/tree_joint.h"
#include "components/view.h"

namespace cardan {

class Chart;

/// What a joint of one freedom does, in numbers: the engine's sweeps have formulas for it. frame_b turns
/// about, or slides along, an axis that is fixed in both frames, by the coordinate q of the joint and a
/// constant; der(q) = v.
struct AxisMotion {
  enum class Kind { general, turn, slide };
  Kind kind = Kind::general;  ///< general: none of these, its law says what it is
  Vector3d e{0, 0, 1};        ///< [1]  unit vector along the axis, resolved in frame_a and frame_b
  double offset = 0;          ///< [rad | m]  added to q
};

/// Which of an edge's positions have a chart.
struct OrientationChart {
  const Chart* chart = nullptr;  ///< null: none
  int first = 0;                 ///< position
  int size = 0;
};

/// What the engine asks of an edge. Sizes are constants of the class of joint.
///
/// Coordinates: nq positions q, nv velocities v (nq >= nv). kinematics() gives nq rows: the first
/// nv hold `something(q, der(q)) - v`, the other nq - nv are constraints among q alone (Q.Q = 1).
/// Where the joint is cut, its closure holds what it does not let move.
class JointLaw : public ClosureLaw {
 public:
  virtual int positions() const = 0;   ///< nq
  virtual int velocities() const = 0;  ///< nv
  /// True: nq = nv and the rows are der(q) - v.
  virtual bool plainCoordinates() const { return true; }
  /// Its motion, where it is one about or along an axis. Parameters may change it.
  virtual AxisMotion axisMotion() const { return {}; }
  /// True: frame_b is free to turn. The last three velocities are w_rel [rad/s], resolved in frame_b;
  /// before them, of a joint with six, stands der(r_rel) [m/s], resolved in frame_a, and the first three
  /// positions are r_rel.
  virtual bool turnsFreely() const { return false; }
  /// R_rel.T of a joint that turns freely.
  virtual Matrix3d turn(const JointState<double>&) const { return Matrix3d::Identity(); }
  /// Positions that must be counted from a new reference now and then.
  virtual OrientationChart chart() const { return {}; }

  virtual void forward(const FrameState<double>& a, const JointState<double>& x,
                       FrameState<double>& b) const = 0;
  virtual void forward(const FrameState<Dual>& a, const JointState<Dual>& x,
                       FrameState<Dual>& b) const = 0;
  virtual void backward(const FrameState<double>& b, const JointState<double>& x,
                        FrameState<double>& a) const = 0;
  virtual void backward(const FrameState<Dual>& b, const JointState<Dual>& x,
                        FrameState<Dual>& a) const = 0;

  /// tau[j] = work of `load` (on the joint at frame_b, about its origin) per unit of v_j: free
  /// directions' transpose.
  virtual void project(const FrameState<double>& a, const FrameState<double>& b,
                       const JointState<double>& x, const Wrench<double>& load,
                       double* tau) const = 0;
  virtual void project(const FrameState<Dual>& a, const FrameState<Dual>& b,
                       const JointState<Dual>& x, const Wrench<Dual>& load, Dual* tau) const = 0;

  virtual void kinematics(const double* q, const double* qd, const double* v,
                          double* rows) const = 0;
  virtual void kinematics(const Dual* q, const Dual* qd, const Dual* v, Dual* rows) const = 0;
  /// der(q) for which all rows are zero, with those of the constraints differentiated. False: there is
  /// no formula for it, or none here.
  virtual bool rates(const double* /*q*/, const double* /*v*/, double* /*qd*/) const {
    return false;
  }

  /// Coordinates of a given relative motion: start guess of a tree edge, variables of a cut one.
  /// `q` holds a guess (branch of an angle, sign of a quaternion) on entry.
  virtual void measure(const RelativeMotion<double>& m, double* q, double* v, double* vd) const = 0;
  virtual void measure(const RelativeMotion<Dual>& m, Dual* q, Dual* v, Dual* vd) const = 0;
};

/// Writes JointLaw's double and Dual versions from constants and templates over the scalar S of
/// Derived:
///
///   nq, nv                          numbers of positions and velocities
///   motionAt(x)                     RelativeMotion, Turn, Slide, Offset or Placement of state x
///   projectLoad(f_a, t_b, x, tau)   force resolved in frame_a, torque at frame_b resolved there,
///                                   onto the free directions; where nv > 0
///   measureAt(m, q, v, vd)          coordinates of the relative motion m; where nq > 0
///   closureAt(m, rows)              rows of the joint where it is cut; a root has none
///   kinematicsRows(q, qd, v, rows)  where the rows are not der(q) - v
///   ratesAt(q, v, qd)               of these rows: der(q); where there is a formula for it
template <class Derived>
class JointLawOf : public ClosureLawOf<Derived, JointLaw> {
 public:
  int positions() const final { return Derived::nq; }
  int velocities() const final { return Derived::nv; }
  bool plainCoordinates() const final { return !hasKinematics(); }
  int closures() const final { return this->hasClosure() ? 6 - Derived::nv : 0; }

  void forward(const FrameState<double>& a, const JointState<double>& x,
               FrameState<double>& b) const final {
    carryForward(a, self().motionAt(x), b);
  }
  void forward(const FrameState<Dual>& a, const JointState<Dual>& x,
               FrameState<Dual>& b) const final {
    carryForward(a, self().motionAt(x), b);
  }
  void backward(const FrameState<double>& b, const JointState<double>& x,
                FrameState<double>& a) const final {
    carryBackward(b, self().motionAt(x), a);
  }
  void backward(const FrameState<Dual>& b, const JointState<Dual>& x,
                FrameState<Dual>& a) const final {
    carryBackward(b, self().motionAt(x), a);
  }
  void project(const FrameState<double>& a, const FrameState<double>& b,
               const JointState<double>& x, const Wrench<double>& load, double* tau) const final {
    projectAt(a, b, x, load, tau);
  }
  void project(const FrameState<Dual>& a, const FrameState<Dual>& b, const JointState<Dual>& x,
               const Wrench<Dual>& load, Dual* tau) const final {
    projectAt(a, b, x, load, tau);
  }
  void kinematics(const double* q, const double* qd, const double* v, double* rows) const final {
    kinematicsAt(q, qd, v, rows);
  }
  void kinematics(const Dual* q, const Dual* qd, const Dual* v, Dual* rows) const final {
    kinematicsAt(q, qd, v, rows);
  }
  bool rates(const double* q, const double* v, double* qd) const final {
    if constexpr (requires(const Derived& d) { d.ratesAt(q, v, qd); }) {
      return self().ratesAt(q, v, qd);
    } else {
      return false;
    }
  }
  void measure(const RelativeMotion<double>& m, double* q, double* v, double* vd) const final {
    measureAs(m, q, v, vd);
  }
  void measure(const RelativeMotion<Dual>& m, Dual* q, Dual* v, Dual* vd) const final {
    measureAs(m, q, v, vd);
  }

 private:
  static constexpr bool hasKinematics() {
    return requires(const Derived& d, const double* x, double* r) { d.kinematicsRows(x, x, x, r); };
  }
  const Derived& self() const { return static_cast<const Derived&>(*this); }

  template <class S>
  void projectAt(const FrameState<S>& a, const FrameState<S>& b, const JointState<S>& x,
                 const Wrench<S>& load, S* tau) const {
    if constexpr (Derived::nv > 0) {
      self().projectLoad(frames::resolve2(a.R, load.f_0), frames::resolve2(b.R, load.t_0), x, tau);
    }
  }
  template <class S>
  void kinematicsAt(const S* q, const S* qd, const S* v, S* rows) const {
    if constexpr (hasKinematics()) {
      self().kinematicsRows(q, qd, v, rows);
    } else {
      for (int i = 0; i < Derived::nv; ++i) rows[i] = qd[i] - v[i];
    }
  }
  template <class S>
  void measureAs(const RelativeMotion<S>& m, S* q, S* v, S* vd) const {
    if constexpr (Derived::nq > 0) self().measureAt(m, q, v, vd);
  }
};

}  // namespace cardan
