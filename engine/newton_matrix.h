/// The Newton matrix dF/dy + cj dF/dy', exact, factorised densely or by a recursion over the tree.
#pragma once

#include <Eigen/Dense>
#include <memory>

#include "engine/equations.h"

namespace cardan {

class TreeNewton;

/// Large trees are eliminated joint by joint (TreeNewton). For the others the matrix is formed and
/// its velocities are eliminated by the kinematic rows: with dv = K dq + G^T dmu - b (K = cj where
/// der(q) = v) and da = cj dv the remaining unknowns are (q, x, lambda, mu): half the size, and
/// half as many directions to differentiate.
///
/// Exact where mu = 0, as it is on solutions: d(G^T mu)/dq is left out of the kinematic rows.
class NewtonMatrix {
 public:
  enum class Form { automatic, dense, tree };

  explicit NewtonMatrix(const Equations& equations);
  ~NewtonMatrix();

  /// Evaluates and factorises at a point; arrays of length n. False: singular or not finite.
  /// `evaluated`: the equations at that point, where the caller has them.
  bool factor(double t, double cj, const double* y, const double* yp,
              const Workspace<double>* evaluated = nullptr);

  /// J x = b with the last factorised J; may alias.
  void solve(const double* b, double* x);

  /// J itself (n x n), for tests and rank analysis; evaluated at a point, not factorised.
  Eigen::MatrixXd dense(double t, double cj, const double* y, const double* yp);

  /// How to factorise from now on; `tree` where the structure allows it.
  void setForm(Form form) { form_ = form; }
  /// True: the last factorisation went over the tree.
  bool overTree() const { return overTree_; }

 private:
  bool factorTree(double t, double cj, const double* y, const double* yp,
                  const Workspace<double>* evaluated);
  bool factorDense(double t, double cj, const double* y, const double* yp);
  void solveDense(const double* b, double* x);
  void allocateDense();
  void setPoint(double t, const double* y, const double* yp);
  void kinematicBlocks(double cj);
  void columns(double cj);
  void constraintTranspose();

  const Equations& equations_;
  Form form_ = Form::automatic;
  bool overTree_ = false;
  std::unique_ptr<TreeNewton> tree_;
  std::unique_ptr<Workspace<double>> at_;

  // Dense; allocated when it is needed first
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
