/// Sqp: a local search for the smallest value of a smooth function, with constraints and bounds, that is
/// asked for its next point and told what is there.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "engine/optimum/quadratic_program.h"

namespace cardan {

/// What there is at a point. The constraints are c >= 0, the first of them c = 0.
struct SmoothValues {
  std::string failure;  ///< not empty: nothing else
  double f = 0;
  Eigen::VectorXd c;
};
/// How far each of the constraints is from being met.
Eigen::VectorXd violations(const Eigen::VectorXd& c, Eigen::Index equalities);
struct SmoothDerivatives {
  std::string failure;
  Eigen::VectorXd f;
  Eigen::MatrixXd c;  ///< a row each
};

struct SqpOptions {
  Eigen::Index equalities = 0;
  Eigen::VectorXd low, high;
  double tolerance = 1e-12;  ///< [1]  of what the function may still fall by, and of constraints
  double noise = 1e-14;      ///< [1]  of values
  int mostIterations = 200;
};

enum class SqpStop { none, optimum, step, noise, unbounded, infeasible, failed, iterations };
/// "no step lowers the objective"
std::string reasonOf(SqpStop stop);
bool isFound(SqpStop stop);

/// Sequential quadratic programming: damped BFGS of the Lagrangian, steps within a box that grows and
/// shrinks, constraints that cannot be met together relaxed in common, l1 merit function with a
/// second-order correction. Works on variables in units of their size, functions in units of their
/// slopes at the start. A point where there is nothing costs a shorter step.
/// Source: Nocedal, Wright, Numerical Optimization (2006), chapter 18;
///         Kraft, A software package for sequential quadratic programming, DFVLR-FB 88-28 (1988)
class Sqp {
 public:
  Sqp(Eigen::VectorXd start, SqpOptions options);

  bool hasEnded() const { return stop_ != SqpStop::none; }
  /// The point that is asked for, and whether for its derivatives or for its values.
  Eigen::VectorXd point() const {
    return trial_.cwiseProduct(size_).cwiseMax(o_.low).cwiseMin(o_.high);
  }
  bool wantsDerivatives() const { return phase_ == Phase::derivatives; }
  void tell(const SmoothValues& values);
  void tell(const SmoothDerivatives& derivatives);
  /// Stays where it begins, without a search.
  void settle(const SmoothValues& values);

  SqpStop stop() const { return stop_; }
  /// Steps so far.
  int iterations() const { return iterations_; }
  bool hasPoint() const { return best_.x.size() > 0; }
  /// The point it stands at; multipliers and slopes in the units of the function.
  const Eigen::VectorXd& x() const { return best_.x; }
  const SmoothValues& values() const { return best_.values; }
  const SmoothDerivatives& derivatives() const { return best_.derivatives; }
  const Eigen::VectorXd& multipliers() const { return best_.multipliers; }
  /// The largest violation of a constraint, in units of its slope by variables of their size.
  double violation() const { return hasPoint() ? worst(c_) : 1; }
  const std::string& failure() const { return failure_; }

 private:
  enum class Phase { values, derivatives };
  struct Point {
    Eigen::VectorXd x;
    SmoothValues values;
    SmoothDerivatives derivatives;
    Eigen::VectorXd multipliers;
  };

  double worst(const Eigen::VectorXd& c) const;
  double merit(double f, const Eigen::VectorXd& c) const;
  void findScales(const SmoothDerivatives& d);
  void estimate(const Eigen::VectorXd& g, const Eigen::MatrixXd& A);
  void update(const Eigen::VectorXd& g, const Eigen::MatrixXd& A);
  std::optional<QuadraticSolution> stepFor(const Eigen::VectorXd& c) const;
  std::optional<QuadraticSolution> relaxedStep(double& relaxed) const;
  void plan();
  double steepness() const;
  bool isFarAway(const Eigen::VectorXd& z) const;
  void startAnew();
  void take(const SmoothValues& values);
  void shorten(double factor);

  SqpOptions o_;
  Eigen::VectorXd size_, z_, trial_;  ///< all points in units of size_
  double fScale_ = 0;
  Eigen::VectorXd cScale_;
  double f_ = 0, trialF_ = 0;
  Eigen::VectorXd c_, g_, trialC_, lambda_, held_, penalty_, d_;
  Eigen::MatrixXd A_, B_;
  double alpha_ = 1, radius_ = 1, slope_ = 0;
  bool corrected_ = false, fresh_ = true;
  Phase phase_ = Phase::values;
  SqpStop stop_ = SqpStop::none;
  int iterations_ = 0;
  Point best_;
  SmoothValues told_;
  std::string failure_;
};

}  // namespace cardan
