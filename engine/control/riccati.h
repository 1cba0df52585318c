/// Riccati equations: what the best linear feedback still costs.
#pragma once

#include <Eigen/Core>

namespace cardan {

/// Weights of a cost: x' Q x + u' R u, Q symmetric and semidefinite (n x n), R diagonal and positive or
/// symmetric and positive definite (m x m).
struct QuadraticCost {
  Eigen::MatrixXd Q, R;
};

/// A^-1 B.
Eigen::MatrixXd leftDivided(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// X of  A' X + X A - X B R^-1 B' X + Q = 0  for which A - B R^-1 B' X is stable: x' X x is the integral of
/// the cost from x on. By the stable subspace of the Hamiltonian matrix (Laub 1979), balanced, and steps of
/// Newton's method (Kleinman 1968) as long as these make it better. A (n x n), B (n x m). Throws
/// AnalysisError where there is none: what does not settle by itself is not reached or not seen.
Eigen::MatrixXd solveRiccati(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                             const QuadraticCost& cost);

/// X of  X = A' X A - A' X B (R + B' X B)^-1 B' X A + Q, the same for x[k+1] = A x[k] + B u[k] and the sum
/// of the cost. By doubling (Chu, Fan, Lin, Wang 2004), so that A may be singular.
Eigen::MatrixXd solveDiscreteRiccati(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                     const QuadraticCost& cost);

}  // namespace cardan
