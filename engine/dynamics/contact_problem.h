/// ContactProblem: impulses of surfaces that push each other apart, and rub within cones.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace cardan {

/// Of each contact, with the velocities u = q + W p along its normal (n) and two directions across (t):
///
///   0 <= p_n, u_n >= 0, one of them 0      |p_t| <= mu p_n; where u_t is not 0, p_t = -mu p_n u_t/|u_t|
///
/// Of friction alone, along the first direction across: |p_t| <= most; where u_t is not 0, p_t = -most u_t/|u_t|.
///
/// Of what pushes with `given` anyhow: given <= p_n in place of 0. Also of forces and accelerations.
/// Impulses that W leaves open have the least sum of squares.
struct ContactProblem {
  Eigen::MatrixXd W;  ///< velocities by impulses, three each: positive semidefinite
  /// Velocities without impulses, normal ones less what they are to be at least.
  Eigen::VectorXd q;
  Eigen::VectorXd mu;
  Eigen::VectorXd most{};                   ///< > 0: friction alone; none, where all are contacts
  static constexpr double kNothing = 1e-9;  ///< [m/s]  a violation that is none
  double enough = 0;        ///< of velocities: a violation not worth looking for less
  Eigen::VectorXd given{};  ///< of the normal impulses, >= 0; none: 0

  double givenOf(Eigen::Index i) const { return i < given.size() ? given[i] : 0; }
  bool isFriction(Eigen::Index i) const { return i < most.size() && most[i] > 0; }
  /// What p leaves of these laws: the most by which a velocity is off; `worst`: of which contact.
  double violation(const Eigen::VectorXd& p, Eigen::Index* worst = nullptr) const;
  /// Impulses of the least violation that is found: Gauss and Seidel's sweeps over contacts that are
  /// each solved exactly bring Newton's method (Alart and Curnier's equations) near, and the sweeps go
  /// on where it does not get there. A contact that cannot be moved along its normal has none.
  /// Groups that do not move each other are solved apart.
  Eigen::VectorXd solve() const;
  /// The solution near p, those of a problem a little different: by Newton's method, else nearer than p.
  Eigen::VectorXd solveNear(Eigen::VectorXd p) const;

 private:
  std::vector<std::vector<Eigen::Index>> islands() const;
  ContactProblem softened(const Eigen::VectorXd& p, double part) const;
  Eigen::VectorXd nearer(const Eigen::VectorXd& from) const;
  Eigen::VectorXd solveTogether() const;
  void jam(Eigen::VectorXd& p) const;
};

}  // namespace cardan
