/// TiedStates: equations that tie states to each other, so that only their time derivatives hold rates.
#pragma once

#include <Eigen/Core>

#include "engine/dynamics/evaluation_point.h"
#include "engine/dynamics/scaled_system.h"

namespace cardan {

/// Two inductors in series, a capacitor across a voltage source: rows of components that together hold neither a
/// rate nor an algebraic unknown make the system of all rows singular.
class TiedStates {
 public:
  /// `system`: rows and columns as Completion::matrix(), its matrix not that of differentiated rows of
  /// components. Both outlive it.
  TiedStates(EvaluationPoint& at, ScaledSystem& system) : at_(at), system_(system) {}

  /// The point or the matrix is another.
  void forget() { rowRatesKnown_ = false; }
  /// The time derivative of what ties states of a singular island determines its change. False: nothing does, or
  /// not uniquely.
  bool solve(int island);
  /// Completion::jumpOfTied().
  Eigen::VectorXd jump();

 private:
  /// Such equations of an island, with what determines the rates beside them.
  struct Ties {
    Eigen::MatrixXd rows;  ///< combinations of rows of the matrix, one each
    /// The scaled matrix, below it what the combinations are of the states' rates.
    Eigen::MatrixXd all;
    Eigen::VectorXd scales;  ///< of the latter
  };
  Ties find(int island);
  Eigen::VectorXd combine(const Ties& ties, int island, const Eigen::VectorXd& matrix,
                          const Eigen::VectorXd& tied) const;
  void findRowRates();

  EvaluationPoint& at_;
  ScaledSystem& system_;
  bool rowRatesKnown_ = false;  ///< of the matrix as it is:
  Eigen::VectorXd rowRates_;    ///< of all rows along the motion
  BlockMatrix byState_;         ///< how these depend on the rates of states
};

}  // namespace cardan
