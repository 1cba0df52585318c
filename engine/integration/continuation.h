/// Continuation: carries what variables remember through the accepted steps of a run: branches of
/// angles and signs of quaternions.
#pragma once

#include <tuple>
#include <vector>

#include "engine/equations/equations.h"
#include "engine/integration/integrator.h"
#include "engine/structure/variable_table.h"

namespace cardan {

/// A step may hold many turns. It is followed at points of its own, so close together that no
/// branch is in doubt; which rows are written within it changes nothing.
class Continuation {
 public:
  Continuation(Equations& equations, const VariableTable& variables);

  /// The integrator has arrived at `t`. Pre: called for every accepted step, before its rows.
  void follow(const Integrator& integrator, double t, double look);
  /// For a row at `t` of the step followed last: what was remembered at the point before it.
  void recall(double t);
  /// After the rows: back to the end of the step.
  void recallNewest();

  auto kept() { return std::tie(begun_, now_, turning_, times_, memories_, measured_, points_); }

 private:
  void arrive(double t);
  void take(double t);
  void give(size_t point);
  double fastestTurn() const;

  Equations& equations_;
  const VariableTable& variables_;
  Workspace<double> w_;
  bool begun_ = false;
  double now_ = 0, turning_ = 0;  ///< the end of the step followed last, |w| [rad/s] there
  /// Points of that step in their order, the first at its beginning, with what is remembered there.
  std::vector<double> times_;
  std::vector<std::vector<double>> memories_, measured_;
  std::vector<double> next_;  ///< work space
  size_t points_ = 0;         ///< of them that belong to the step
};

}  // namespace cardan
