/// SystemDerivatives: the equations of a model differentiated at a point: E dy' + K dy + U du = 0.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/equations/equations.h"

namespace cardan {

/// Columns: unknowns q, v, x, then the multipliers of rows that are not redundant. Rows: kinematics
/// (constraints among the q of an edge behind them), dynamics, those of components, velocity rows;
/// then the position rows, as the model states them and without regularisation. E and K are exact:
/// every column is a direction of a dual. U is a central difference of sixth order, so exact to
/// rounding where an input acts linearly or by a power. Modes stay as they are.
class SystemDerivatives {
 public:
  /// `inputs`: numbers of the file (RunState::inputs), the columns of U.
  SystemDerivatives(Equations& equations, std::vector<int> inputs);

  struct Matrices {
    Eigen::MatrixXd E, K, U;
    Eigen::VectorXd F;  ///< the rows themselves: zero at a consistent point
  };
  Matrices at(double t, const std::vector<double>& y, const std::vector<double>& yp);
  /// K alone.
  Eigen::MatrixXd byUnknowns(double t, const std::vector<double>& y, const std::vector<double>& yp);

  int columns() const { return std::ssize(unknowns_); }
  int rows() const { return columns() + std::ssize(positionRows_); }
  /// Per column: index into y.
  const std::vector<int>& unknowns() const { return unknowns_; }
  const std::vector<int>& inputs() const { return inputs_; }
  /// Rows that are constraints among the q of an edge.
  const std::vector<int>& edgeRows() const { return edgeRows_; }
  int firstVelocityRow() const { return firstVelocityRow_; }
  int firstPositionRow() const { return columns(); }
  const Equations& equations() const { return equations_; }

  /// Derivative of f() by input k at the point that f evaluates at, element by element.
  template <class F>
  Eigen::VectorXd byInput(size_t k, F f) {
    constexpr double kWeights[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
    double& input = equations_.state.inputs[inputs_[k]];
    const double here = input;
    const double h = 0x1p-7 * std::max(1.0, std::abs(here));
    Eigen::VectorXd sum;
    for (int step = 1; step <= 3; ++step) {
      setInput(input, here + step * h);
      const Eigen::VectorXd above = f();
      setInput(input, here - step * h);
      const Eigen::VectorXd change = (above - f()) * (kWeights[step - 1] / h);
      sum = sum.size() > 0 ? Eigen::VectorXd(sum + change) : change;
    }
    setInput(input, here);
    return sum;
  }

  /// The workspace with the point in it, for evaluations along directions (setDirection()).
  Workspace<Dual>& setPoint(double t, const std::vector<double>& y, const std::vector<double>& yp);
  /// Sets a lane of all unknowns and rates (arrays of length y).
  void setDirection(int lane, const double* y, const double* yp);

 private:
  template <class Seed>
  void sweep(int columns, Eigen::MatrixXd& out, Seed seed);
  double rowValue(int row) const;
  /// What was found before it changed is out of date.
  void setInput(double& input, double value) {
    input = value;
    ++equations_.state.changes;
  }
  double rowLane(int row, int lane) const;

  Equations& equations_;
  std::vector<int> inputs_, unknowns_, activeRows_, positionRows_, edgeRows_;
  int firstVelocityRow_ = 0;
  Workspace<Dual> w_;
};

}  // namespace cardan
