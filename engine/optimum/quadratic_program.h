/// A strictly convex quadratic program, small and dense.
#pragma once

#include <Eigen/Core>
#include <optional>

namespace cardan {

/// The smallest d'B d/2 + g'd with A d + c >= 0 (the first rows: = 0) and low <= d <= high.
struct QuadraticProgram {
  Eigen::MatrixXd B;  ///< symmetric, positive definite
  Eigen::VectorXd g;
  Eigen::MatrixXd A;
  Eigen::VectorXd c;
  Eigen::Index equalities = 0;
  Eigen::VectorXd low, high;  ///< infinite: none
};

struct QuadraticSolution {
  Eigen::VectorXd d;
  Eigen::VectorXd multipliers;  ///< per row of A: B d + g = A' multipliers + those of the bounds
  Eigen::VectorXd atLow, atHigh;
};

/// From the smallest value without constraints to one violated constraint after the other. Nothing where
/// no d meets them all.
/// Source: Goldfarb, Idnani, A numerically stable dual method for solving strictly convex quadratic
///         programs, Mathematical Programming 27 (1983)
std::optional<QuadraticSolution> solve(const QuadraticProgram& program);

}  // namespace cardan
