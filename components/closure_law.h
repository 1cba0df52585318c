/// ClosureLaw: how two frames are held together where no coordinates do it: a constraint, or the
/// cut joint that closes a loop.
#pragma once

#include <string>

#include "components/tree_joint.h"

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

/// The rows of an edge that is cut, with their names.
class ClosureLaw {
 public:
  virtual ~ClosureLaw() = default;

  virtual int closures() const = 0;  ///< number of rows
  /// Name of a row for messages ("displacement along x", "rotation about y").
  virtual std::string closureName(int row) const { return "closure " + std::to_string(row + 1); }

  virtual void closure(const RelativeMotion<double>& m, ClosureRows<double>& rows) const = 0;
  virtual void closure(const RelativeMotion<Dual>& m, ClosureRows<Dual>& rows) const = 0;
};

/// Writes closure() for double and Dual from the template of Derived; without one, no rows:
///
///   closureAt(m, rows)   rows of the relative motion m
template <class Derived, class Base = ClosureLaw>
class ClosureLawOf : public Base {
 public:
  void closure(const RelativeMotion<double>& m, ClosureRows<double>& rows) const final {
    closureAs(m, rows);
  }
  void closure(const RelativeMotion<Dual>& m, ClosureRows<Dual>& rows) const final {
    closureAs(m, rows);
  }

 protected:
  static constexpr bool hasClosure() {
    return requires(const Derived& d, const RelativeMotion<double>& m, ClosureRows<double>& rows) {
      d.closureAt(m, rows);
    };
  }

 private:
  template <class S>
  void closureAs(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    if constexpr (hasClosure()) static_cast<const Derived&>(*this).closureAt(m, rows);
  }
};

}  // namespace cardan
