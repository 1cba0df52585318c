/// HeldDirection: the direction of a slip as it was not long ago.
#pragma once

#include "components/laws/held.h"

namespace cardan {

/// A unit vector that changes at events only. It tells a slip that turns from one that passes through
/// zero: both are events, 60 degrees away from it.
class HeldDirection {
 public:
  void declare(Structure& s) { numbers_.declareApart(s, "direction", {1, 0, 0}); }
  template <class S>
  Vector3d operator()(const View<S>& x) const {
    return {numbers_(x, 0), numbers_(x, 1), numbers_(x, 2)};
  }
  Vector3d get(const Modes& m) const {
    return {numbers_.get(m, 0), numbers_.get(m, 1), numbers_.get(m, 2)};
  }
  void hold(Modes& m, const Vector3d& direction) const {
    for (int i = 0; i < 3; ++i) numbers_.hold(m, i, direction[i]);
  }

  /// Falls below zero where a slip has turned away from `direction`.
  static double guard(const Vector3d& direction, const Vector3d& slip) {
    return direction.dot(slip) - kTurned * slip.norm();
  }
  /// At the event the decision is clear.
  static bool agrees(const Vector3d& direction, const Vector3d& slip) {
    return direction.dot(slip) > (kTurned + kClear) * slip.norm();
  }

 private:
  static constexpr double kTurned = 0.5;  ///< [1]  cosine of the angle between two events
  static constexpr double kClear = 1e-6;  ///< [1]  beyond it

  Held numbers_;
};

}  // namespace cardan
