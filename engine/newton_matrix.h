/// The Newton matrix dF/dy + cj dF/dy', exact, condensed to the positions and factorised densely.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "engine/equations.h"

namespace cardan {

/// Velocities are eliminated by the kinematic rows: with dv = K dq + G^T dmu - b (K = cj where
/// der(q) = v) and da = cj dv the remaining unknowns are (q, x, lambda, mu): half the size, and
/// half as many directions to differentiate.
class NewtonMatrix {
 public:
  explicit NewtonMatrix(const Equations& equations);

  /// Evaluates and factorises at a point; arrays of length n. False: singular or not finite.
  bool factor(double t, double cj, const double* y, const double* yp);

  /// J x = b with the last factorised J; may alias.
  void solve(const double* b, double* x);

  /// J itself (n x n), for tests and rank analysis; evaluated at a point, not factorised.
  Eigen::MatrixXd dense(double t, double cj, const double* y, const double* yp);

 private:
  void setPoint(double t, const double* y, const double* yp);
  void kinematicBlocks(double cj);
  void columns(double cj);
  void constraintTranspose();

  const Equations& equations_;
  Workspace<Dual> w_;
  double cj_ = 0;
  int n_, nq_, nv_, nr_, nc_;  ///< all; positions; velocities; the rest; condensed size nq + rest
  Eigen::MatrixXd
      matrix_;             ///< condensed, rows and columns scaled to a largest element of about one
  Eigen::VectorXd scale_;  ///< row factors
  Eigen::VectorXd columnScale_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Eigen::VectorXd rhs_, solution_;
  Eigen::MatrixXd K_;      ///< max nv x nq per edge, side by side: column q holds dv/dq of its edge
  Eigen::MatrixXd extra_;  ///< constraint rows among q of an edge, per column of q
  Eigen::MatrixXd Gt_;     ///< nv x nmu
};

}  // namespace cardan
