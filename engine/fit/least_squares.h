/// Least squares: the parameters within bounds for which residuals are smallest.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// What a residual f costs, with z = (f/scale)^2: scale^2/2 times
enum class Loss {
  linear,  ///< z
  softL1,  ///< 2 (sqrt(1 + z) - 1)
  huber,   ///< z up to 1, then 2 sqrt(z) - 1
  cauchy,  ///< log(1 + z)
};
/// "linear", "soft_l1", "huber", "cauchy", as scipy has them.
const char* word(Loss loss);
std::optional<Loss> lossOf(std::string_view word);
std::vector<std::string> lossWords();

struct LeastSquaresProblem {
  /// Residuals at x; nothing where they cannot be had: x is not gone to.
  std::function<std::optional<Eigen::VectorXd>(const Eigen::VectorXd& x)> residuals;
  /// Their derivatives at x, where they are `r`.
  std::function<std::optional<Eigen::MatrixXd>(const Eigen::VectorXd& x, const Eigen::VectorXd& r)>
      jacobian;
  Eigen::VectorXd low, high;   ///< infinite: none
  Eigen::VectorXd scale;       ///< typical changes of x; 0: by the columns of the Jacobian
  Eigen::Index plainRows = 0;  ///< the last ones, which cost their squares whatever the loss
};

struct LeastSquaresStep {
  int iteration;
  double cost;  ///< half the sum of squares, or of what the loss makes of them
};

struct LeastSquaresOptions {
  Loss loss = Loss::linear;
  double lossScale = 1;
  double costTolerance = 1e-10;      ///< [1]  of the cost
  double stepTolerance = 1e-10;      ///< [1]  of the size of x
  double gradientTolerance = 1e-12;  ///< [1]  cosine between residuals and columns of the Jacobian
  int mostIterations = 200;
  double firstRadius = 1;  ///< [1]  of the size of x at the start
  std::function<bool(const LeastSquaresStep&)> progress = {};  ///< false ends the search
};

/// Why a search has ended.
enum class LeastSquaresStop {
  cost,         ///< neither found nor expected reductions matter
  step,         ///< steps do not
  gradient,     ///< the residuals are orthogonal to all that x can do
  exact,        ///< no residual is left
  iterations,   ///< it took as many as it may
  interrupted,  ///< by progress()
  noStart,      ///< no residuals at the start
  noJacobian,   ///< no derivatives
};
/// "the sum of squares falls no further"
std::string reasonOf(LeastSquaresStop stop);
bool isFound(LeastSquaresStop stop);

struct LeastSquaresResult {
  LeastSquaresStop stop = LeastSquaresStop::noStart;
  Eigen::VectorXd x, r;
  /// Of r at x, and, weighed as the loss does at x, of what is left to minimise (Gauss-Newton).
  Eigen::MatrixXd jacobian, weighed;
  double cost = 0, firstCost = 0;
  double gradient = 0;      ///< the largest of those cosines
  std::vector<int> active;  ///< per x: at its lower bound -1, at its upper one 1, else 0
  int iterations = 0, residualRuns = 0, jacobianRuns = 0;
};

/// Levenberg and Marquardt's method as a trust region: each step is the smallest of the linearised
/// residuals within a radius, measured in scaled x, by the singular values of the Jacobian (so that
/// directions in which nothing changes are left alone). What a step would carry over a bound is held at
/// it, and the rest is solved again; what is at a bound that the gradient presses against stays.
/// Source: More, The Levenberg-Marquardt algorithm: implementation and theory, LNM 630 (1978);
///         losses: Triggs et al., Bundle adjustment: a modern synthesis (2000), section 4.3
LeastSquaresResult leastSquares(const LeastSquaresProblem& problem, const Eigen::VectorXd& start,
                                const LeastSquaresOptions& options = {});

/// Half the sum of what the loss makes of residuals.
double costOf(const Eigen::VectorXd& r, Eigen::Index plainRows, Loss loss, double scale);

}  // namespace cardan
