/// MotionPoint: a motion of a model at an instant; PointEquations, what the equations of a run say
/// there; and AnalysisError, where that is not what an analysis needs.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "components/start_value.h"
#include "engine/model_file/simulation_settings.h"

namespace cardan {

class Equations;
class Model;
class RowWatch;
class Simulation;
struct Column;
struct ModelSource;
struct Unknowns;

/// Everything consistent, accelerations and multipliers, too.
struct MotionPoint {
  double time = 0;  ///< [s]
  std::vector<double> y, yp;
};

/// Where a simulation stands, at `time`. From here on its equations count the three angles of free
/// orientations as the variables of their names do, and not from where the run has chosen to; it cannot go
/// on.
MotionPoint standingPoint(Simulation& simulation, double time);

/// The analysis is not defined for this model at this point.
class AnalysisError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A joint of the tree, or a one-dimensional part with inertia, and its place in y.
struct PointJoint {
  std::string name;  ///< of the joint; "": a part
  int q, v;          ///< indices into y of its first position and velocity
  int nq, nv;
  bool plain;  ///< its velocities are the rates of its positions
};

/// An input that has a number in the file.
struct PointInput {
  std::string name, unit;
  int number;
};

/// A start value of the model, as its file or its components have it.
struct PointStart {
  std::string name;
  bool fixed;
  StateSelect select;
};

/// One element of a variable, by the name it was asked by.
struct PointOutput {
  std::string name, unit;
  int variable, element;
  bool readsDerivatives;  ///< taken along a run: no function of the point
};

/// The equations of a simulation's run as they stand: modes, redundant rows, inputs. It refers to the
/// simulation, which stays where it is.
class PointEquations {
 public:
  explicit PointEquations(Simulation& simulation);

  const ModelSource& source() const;
  const Unknowns& unknowns() const;
  /// Typical sizes of the unknowns; [s] typical time of the model.
  const std::vector<double>& nominals() const;
  double nominal(int unknown) const { return nominals()[unknown]; }
  double typicalTime() const;
  std::vector<PointJoint> joints() const;
  std::vector<PointInput> inputs() const;
  double input(const PointInput& input) const;
  std::vector<PointStart> starts() const;
  /// "clutch.mode = 1": modes, which stay as they are.
  std::vector<std::string> modes() const;
  /// Expressions of the file one of whose conditions, or functions with a bend (max, abs), is just
  /// about to change at `point`: derivatives there are those of one side.
  std::vector<std::string> bends(const MotionPoint& point) const;
  /// The texts of conditions, but of those of time, that are something else at `point` than what is in force;
  /// `take`: they become so.
  std::vector<std::string> otherConditions(const MotionPoint& point, bool take);
  /// Parts (contacts, stops, friction) whose laws at `point` ask for other modes than those in force; `take`: those
  /// become so.
  std::vector<std::string> otherModes(const MotionPoint& point, bool take);
  /// What is in force: modes and conditions; and back to it.
  struct Branch;
  std::shared_ptr<const Branch> branch() const;
  void takeBranch(const Branch& branch);
  /// Those of the file where nothing is asked for; wrong names go to `diagnostics`.
  std::vector<PointOutput> outputs(const std::vector<OutputPattern>& patterns,
                                   Diagnostics& diagnostics) const;

  /// Positions and velocities onto their constraints, then accelerations, multipliers and algebraic
  /// unknowns. False: not possible from there.
  bool makeConsistent(MotionPoint& point);

 private:
  friend class PointDerivatives;
  const Model& model_;
  Equations& equations_;
};

/// Three angles of `point` that are nearly singular are counted from elsewhere, for as long as this lives.
class RegularAngles {
 public:
  /// `least`: from 0, at a singular place, to 1.
  RegularAngles(Simulation& simulation, MotionPoint& point, double least = 1e-3);
  ~RegularAngles();
  RegularAngles(const RegularAngles&) = delete;

  /// The unknowns of which this is so, indices into y.
  const std::vector<int>& renewed() const { return renewed_; }
  /// At the end: a consistent point as those outside know it.
  void leave(MotionPoint& point);

 private:
  PointEquations point_;
  Equations& equations_;
  std::vector<double> references_, y_;  ///< as they were
  std::vector<int> renewed_;
};

/// The equations differentiated at a point: E dy' + K dy + U du = 0.
///
/// Columns: unknowns q, v, x, then the multipliers of rows that are not redundant. Rows: kinematics
/// (constraints among the q of an edge behind them), dynamics, those of components, velocity rows;
/// then the position rows, as the model states them and without regularisation. E and K are exact:
/// every column is a direction of a dual. U is a central difference of sixth order, so exact to
/// rounding where an input acts linearly or by a power. Modes stay as they are.
class PointDerivatives {
 public:
  /// `inputs`: the columns of U.
  PointDerivatives(const PointEquations& equations, const std::vector<PointInput>& inputs);
  ~PointDerivatives();

  int columns() const { return std::ssize(unknowns_); }
  int rows() const { return columns() + std::ssize(positionRows_); }
  /// Per column: index into y.
  const std::vector<int>& unknowns() const { return unknowns_; }
  /// Rows that are constraints among the q of an edge.
  const std::vector<int>& edgeRows() const { return edgeRows_; }
  int firstVelocityRow() const { return firstVelocityRow_; }
  int firstPositionRow() const { return columns(); }

  /// Matrices column by column, each rows() long: columns() of K, the first firstVelocityRow() of E,
  /// which has no others, one of U per input; F are the rows themselves, zero at a consistent point.
  void at(const MotionPoint& point, double* E, double* K, double* U, double* F);
  void byUnknowns(const MotionPoint& point, double* K);
  /// Derivatives of outputs along directions of y and y' (column by column, as long as y), the last of
  /// which are those of the inputs: column by column into `out`. Values there: into `values`.
  void ofOutputs(const MotionPoint& point, const std::vector<PointOutput>& outputs, int directions,
                 const double* y, const double* yp, double* out, double* values);

 private:
  struct Work;
  template <class Seed>
  void sweep(int columns, double* out, Seed seed);
  template <class F>
  auto byInput(size_t k, F f);

  const Model& model_;
  Equations& equations_;
  std::vector<int> inputs_, unknowns_, activeRows_, positionRows_, edgeRows_;
  int firstVelocityRow_ = 0;
  std::unique_ptr<Work> work_;
};

/// Rows of results at points that no run leads to.
class PointRows {
 public:
  /// `patterns`: the columns; what is wrong there goes to `diagnostics`. `watch` sees every row, or null.
  PointRows(Simulation& simulation, const std::vector<OutputPattern>& patterns, RowWatch* watch,
            Diagnostics& diagnostics);
  ~PointRows();
  const std::vector<Column>& columns() const;
  /// Which of dependent constraints are kept is chosen anew for these positions.
  void chooseRows(const MotionPoint& point);
  /// The row at positions, and velocities, that are brought onto the constraints; the rest is found.
  std::span<const double> at(MotionPoint& point);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cardan
