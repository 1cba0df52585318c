/// WithLengthConstraint: what RevoluteWithLengthConstraint and PrismaticWithLengthConstraint share.
#pragma once

#include <cmath>
#include <utility>

#include "components/component.h"
#include "components/interfaces/describe.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/laws/axis_law.h"

namespace cardan {

/// The last joint of a joint assembly, whose coordinate follows from the length of a rod.
///
/// The constraint itself is stated by the rod; of its two solutions the start takes the one nearest
/// to a guess. MSL keeps that branch for ever and stops where the two meet; here the coordinate
/// goes on continuously.
template <class Derived, class Law>
class WithLengthConstraint : public ComponentOf<Derived>, public JointLawOf<Derived>, public Law {
 public:
  static constexpr int nq = 1, nv = 1;

  WithLengthConstraint(const Vector3d& n, double offset) : Law(n, offset) {}

  void read(ParameterReader&) override {}
  /// Axis n, any length but zero.
  void setAxis(const Vector3d& n) { AxisLaw::setAxis(n, this->offset_); }
  JointId joint() const { return frames_.joint; }

 protected:
  /// The solution nearest to `guess`.
  double nearest(double positive, double negative, double guess) {
    positiveBranch_ = std::abs(positive - guess) <= std::abs(negative - guess);
    return positiveBranch_ ? positive : negative;
  }
  void describeBranch(Variables& v) const {
    describe::truth(v, {"positiveBranch", "1", "which of the two solutions the start has taken"},
                    [this](const auto&) { return positiveBranch_; });
  }

  TwoTreeFrames frames_;

 private:
  bool positiveBranch_ = true;
};

}  // namespace cardan
