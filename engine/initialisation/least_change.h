/// Least change: solves rows(u) = 0 so that a guess moves as little as it must, its better known
/// parts last.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "engine/structure/block_matrix.h"

namespace cardan {

/// How the unknowns of a problem may move.
struct Movability {
  std::vector<int>
      tier;  ///< per unknown; a higher tier moves only where all lower ones cannot help; -1: free
  Eigen::VectorXd longestStep;  ///< per unknown: largest change in one iteration
};

/// dx with J dx = -residue: of least norm inside a tier, tier by tier; in the sense of least
/// squares where the rows contradict each other.
Eigen::VectorXd tieredStep(const BlockMatrix& J, const Eigen::VectorXd& residue,
                           const std::vector<int>& tier);

/// Rows of equations with their derivatives.
class EquationRows {
 public:
  virtual ~EquationRows() = default;
  virtual int unknowns() const = 0;
  virtual int rows() const = 0;
  /// False: not computable here.
  virtual bool residue(const Eigen::VectorXd& u, Eigen::VectorXd& r) = 0;
  virtual void jacobian(const Eigen::VectorXd& u, BlockMatrix& J) = 0;
  /// Brings unknowns with constraints among themselves alone (quaternions) back onto these.
  virtual void settle(Eigen::VectorXd&) {}
};

struct LeastChangeResult {
  bool converged = false;
  Eigen::VectorXd u;        ///< solution, or the best compromise found
  Eigen::VectorXd residue;  ///< there
  BlockMatrix J;            ///< there; empty where nothing had to be done
  int iterations = 0;
};

/// Gauss-Newton from `guess`.
LeastChangeResult solveRows(EquationRows& rows, const Eigen::VectorXd& guess,
                            const Movability& movability);

/// The same, then along the solutions towards the one nearest to `guess`. Where the guess is a dead
/// end, independent blocks of the equations are solved one by one; then a fixed sequence of other
/// guesses near it is tried, of the most movable unknowns first.
LeastChangeResult leastChange(EquationRows& rows, const Eigen::VectorXd& guess,
                              const Movability& movability);

/// From a solution along others towards the one nearest to `guess`.
void approach(EquationRows& rows, const Eigen::VectorXd& guess, const Movability& movability,
              LeastChangeResult& solution);

}  // namespace cardan
