/// JointLaw: the relative motion that a two-frame component allows, stated once and used in every
/// role: edge of the tree in both directions, root of a floating part, and cut joint that closes a
/// loop.
#pragma once

#include <string>

#include "components/chart.h"
#include "components/interact.h"
#include "components/tree_joint.h"
#include "components/view.h"

namespace cardan {

/// Rows by which a cut joint holds two frames together (CutJoint of the older Interfaces).
///
/// Row i: residue g_i, and its velocity form lin_i.v_rel + ang_i.w_rel with v_rel resolved in
/// frame_a and w_rel resolved in frame_b. The same directions, times the multiplier, are the
/// constraint's load on frame_b.
template <class S>
struct ClosureRows {
  struct Row {
    S g;
    Vector3<S> lin;  ///< resolved in frame_a
    Vector3<S> ang;  ///< resolved in frame_b
  };
  Row rows[6];
  int count = 0;

  void position(const S& g, const Vector3<S>& lin) { rows[count++] = {g, lin, Vector3<S>::Zero()}; }
  void orientation(const S& g, const Vector3<S>& ang) {
    rows[count++] = {g, Vector3<S>::Zero(), ang};
  }

  /// frame_b's origin stays at frame_a's.
  void pinned(const RelativeMotion<S>& m) {
    for (int i = 0; i < 3; ++i) position(m.r_rel[i], Vector3<S>::Unit(i));
  }
};

/// What the engine asks of an edge. Sizes are constants of the class of joint.
///
/// Coordinates: nq positions q, nv velocities v (nq >= nv). kinematics() gives nq rows: the first
/// nv hold `something(q, der(q)) - v`, the other nq - nv are constraints among q alone (Q.Q = 1).
class JointLaw {
 public:
  virtual ~JointLaw() = default;

  virtual int positions() const = 0;   ///< nq
  virtual int velocities() const = 0;  ///< nv
  /// True: nq = nv and the rows are der(q) - v.
  virtual bool plainCoordinates() const { return true; }
  /// Positions that must be counted from a new reference now and then.
  virtual ChartOfEdge chart() const { return {}; }
  virtual int closures() const { return 6 - velocities(); }
  /// Names of single closure rows for messages ("displacement along x", "rotation about y").
  virtual std::string closureName(int row) const;

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

  virtual void closure(const RelativeMotion<double>& m, ClosureRows<double>& rows) const = 0;
  virtual void closure(const RelativeMotion<Dual>& m, ClosureRows<Dual>& rows) const = 0;

  /// Coordinates of a given relative motion: start guess of a tree edge, variables of a cut one.
  /// `q` holds a guess (branch of an angle, sign of a quaternion) on entry.
  virtual void measure(const RelativeMotion<double>& m, double* q, double* v, double* vd) const = 0;
  virtual void measure(const RelativeMotion<Dual>& m, Dual* q, Dual* v, Dual* vd) const = 0;
};

inline std::string JointLaw::closureName(int row) const {
  return "closure " + std::to_string(row + 1);
}

/// Writes JointLaw's double and Dual versions from the templates of Derived:
///
///   static constexpr int nq, nv;
///   template <class S> auto motionAt(const JointState<S>& x) const;   // RelativeMotion, Turn,
///   Slide, Offset or Placement template <class S> void projectLoad(const Vector3<S>& f_a, const
///   Vector3<S>& t_b, const JointState<S>& x, S* tau) const; template <class S> void
///   closureAt(const RelativeMotion<S>& m, ClosureRows<S>& rows) const; template <class S> void
///   measureAt(const RelativeMotion<S>& m, S* q, S* v, S* vd) const; template <class S> void
///   kinematicsRows(const S* q, const S* qd, const S* v, S* rows) const;   // unless the rows are
///   der(q) - v
template <class Derived>
class JointLawOf : public JointLaw {
 public:
  int positions() const final { return Derived::nq; }
  int velocities() const final { return Derived::nv; }
  bool plainCoordinates() const final { return !hasKinematics(); }

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
  void closure(const RelativeMotion<double>& m, ClosureRows<double>& rows) const final {
    self().closureAt(m, rows);
  }
  void closure(const RelativeMotion<Dual>& m, ClosureRows<Dual>& rows) const final {
    self().closureAt(m, rows);
  }
  void measure(const RelativeMotion<double>& m, double* q, double* v, double* vd) const final {
    self().measureAt(m, q, v, vd);
  }
  void measure(const RelativeMotion<Dual>& m, Dual* q, Dual* v, Dual* vd) const final {
    self().measureAt(m, q, v, vd);
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
};

}  // namespace cardan
