/// CoupledStart: all equations of the start at once, for conditions that reach across the levels.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/dynamics/completion.h"
#include "engine/initialisation/contradiction.h"
#include "engine/initialisation/level_rows.h"

namespace cardan {

/// A number that the initial conditions determine.
struct UnknownParameter {
  std::string name;
  double* target = nullptr;
  double start = 0;
  std::function<void()> changed;  ///< called after every change of *target; may be empty
};

/// Unknowns [q, v, x | der(v), der(x), lambda | parameters]; rows [constraints among q, position
/// and velocity residues, their derivatives | dynamics, components | fixed conditions of all
/// levels]. An algebraic unknown with a start of its own (friction: the system may leave it free)
/// keeps it where states with a default start can move instead. Derivatives by central differences:
/// second derivatives of the motion and parameters have no dual numbers.
///
/// Velocities of positions without inertia follow from the rest (Completion::carry).
class CoupledStart final : public EquationRows {
 public:
  /// Pre: `completion` has completed the start once.
  CoupledStart(EvaluationPoint& at, Completion& completion, const StartConditions& conditions,
               double time, const std::vector<UnknownParameter>& parameters,
               const std::vector<int>& redundant, std::vector<double> y, std::vector<double> yp);

  int unknowns() const override { return slots_.size() + parameters_.size(); }
  int rows() const override { return rowCount_; }
  bool residue(const Eigen::VectorXd& u, Eigen::VectorXd& r) override;
  void jacobian(const Eigen::VectorXd& u, BlockMatrix& J) override;

  Eigen::VectorXd current() const;
  Movability movability() const;
  void put(const Eigen::VectorXd& u);
  const std::vector<double>& y() const { return y_; }
  const std::vector<double>& yp() const { return yp_; }
  /// The row with the largest residue against what its unknowns change.
  struct Row {
    std::string what;  ///< "its constraint"
    Concerned owner;
    double residue = 0;
  };
  Row worstRow(const Eigen::VectorXd& residue, const BlockMatrix& J) const;
  /// Conditions that are rows, in the order of the last rows.
  const std::vector<int>& conditionRows() const { return fixed_; }

 private:
  struct Slot {
    int unknown;
    bool rate;
  };

  EvaluationPoint& at_;
  Completion& completion_;
  const StartConditions& conditions_;
  double time_;
  const std::vector<UnknownParameter>& parameters_;
  std::vector<double> y_, yp_;
  std::vector<Slot> slots_;
  std::vector<int> active_;  ///< multipliers with a row on acceleration level
  std::vector<int> fixed_;
  int rowCount_ = 0;
  std::vector<double> buffer_;
};

}  // namespace cardan
