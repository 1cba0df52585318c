/// ReactionSharing: reactions of joints that the equations leave undetermined.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "engine/dynamics/evaluation_point.h"

namespace cardan {

/// Of all reactions that move the model alike those of least norm (forces [N] and torques [N.m] of all joints
/// at their frame_b), whichever joint the loops are cut at.
class ReactionSharing {
 public:
  /// `at` outlives it.
  explicit ReactionSharing(EvaluationPoint& at);
  /// Into the multipliers in `y`; (t, y, yp) fulfil the equations.
  void share(double t, std::vector<double>& y, const std::vector<double>& yp);

 private:
  Eigen::VectorXd reactions(double t, const std::vector<double>& y, const std::vector<double>& yp);

  EvaluationPoint& at_;
  std::vector<int> jointFrames_;  ///< frame_b of every joint that holds something
};

}  // namespace cardan
