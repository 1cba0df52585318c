/// SignalGraph: what every signal input gets, in an order in which sources come before their
/// readers.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/equations/expression_variable.h"
#include "engine/equations/input_variable.h"
#include "engine/equations/model_scales.h"
#include "engine/equations/motion_flow.h"
#include "engine/structure/variable_table.h"

namespace cardan {

class ModelEquations;

/// Source of a set of connected inputs, or of some elements of one.
struct SignalSource {
  int number = -1;                                 ///< >= 0: a number of the file, first of three
  int variable = -1;                               ///< >= 0: a variable of the table...
  int element = -1;                                ///< ...one element of it, or all
  std::unique_ptr<ExpressionVariable> expression;  ///< not null: an expression
  int rateOf = -1;                                 ///< >= 0: the rate of the signal in this slot
  int slot = 0;                                    ///< where its value goes
  int size = 1;
  bool rate = false;         ///< its time derivative is needed
  bool timeOnly = false;     ///< depends on time alone
  bool alongMotion = false;  ///< the rate is that along the motion, found from what is read
  int resultOrder = 0;  ///< > 0: only results read its rate, which is the derivative of this order
                        ///< of what the first of a chain of such sources gives
  bool flowRate = false;    ///< that rate is a directional derivative along the motion
  bool afterLoads = false;  ///< results alone read it, and it reads loads: evaluateResults() has it
  bool felt = false;        ///< what moves reads it, directly or through other signals; others are
                            ///< evaluated only where all are
  int unknown = -1;      ///< >= 0: the value is an unknown (UnknownId) that closes a loop, or whose
                         ///< rate is needed
  bool loop = false;     ///< the unknown closes an algebraic loop
  bool follows = false;  ///< the unknown follows a signal of positions, velocities and time, as its
                         ///< rate has a part in the motion
  std::string name;      ///< what it is, for messages
  SourceMark at;
};

/// Signals as functions of time, with their rates. Those of time alone are kept from one evaluation at
/// an instant to the next.
struct SignalsOfTime {
  /// Slots; lane 0 of a value is its rate, and where that is read by others, lane 0 of the rate the
  /// second derivative.
  struct Moment {
    std::vector<Dual> values, rates;
  };
  std::vector<Moment> moments;  ///< by the highest derivative that is found; the last is of now
  double at = std::numeric_limits<double>::quiet_NaN();  ///< [s]
  int order = 0;                                         ///< highest derivative that is known there
  std::uint64_t changes = 0;                             ///< RunState::changes when they were found
  ModelScales scales;                                    ///< for differences in time
  ExpressionValues<Dual> expressions;
  MotionFlow::Numbers alongMotion;

  void forget(std::uint64_t newChanges) {
    at = std::numeric_limits<double>::quiet_NaN();
    changes = newChanges;
  }
};

class SignalGraph {
 public:
  /// A model without signals.
  explicit SignalGraph(const VariableTable& table) : table_(table) {}

  /// Binds all inputs and orders the sources. Loops and rates of state-dependent signals become
  /// unknowns of the flat model. Errors: an input without a source or with two, wrong sizes.
  ///
  /// `network` and `spanningTree` tell whose motion is known; empty ones: the model is not whole.
  /// `bindings[i]`: what the file says about input i of the flat model, or null. `modelEquations`:
  /// the component that holds the file's own equations, or null. `given`: inputs of the file.
  SignalGraph(FlatModel& flatModel, const PotentialNetwork& network,
              const SpanningTree& spanningTree, const VariableTable& table,
              ParameterTable& parameters, const ModelSource& model,
              const std::vector<const struct InputBinding*>& bindings,
              ModelEquations* modelEquations, std::vector<GivenInput> given,
              Diagnostics& diagnostics);

  int slots() const { return slots_; }
  const std::vector<int>& offsets() const { return offsets_; }  ///< SignalId -> slot
  bool empty() const { return order_.empty(); }
  /// Numbers that the file gives inputs, three each, its own inputs first; those in force are
  /// RunState::inputs.
  const std::vector<double>& numbers() const { return numbers_; }
  /// Inputs of the file: the first of numbers().
  const std::vector<GivenInput>& given() const { return given_; }
  /// The motion feels the rate of a signal.
  bool readsRates() const { return anyRates_; }

  /// Which sources: those of time alone, those that the motion feels, or all, as results and
  /// conditions read them.
  enum class Scope { time, motion, results };

  /// True: no input that the motion feels depends on it.
  bool timeOnly() const;

  /// Writes the slots (and rates) of the sources. Kinematics are known; `loads` are not.
  template <class S>
  void evaluate(EvaluationTables<S>& tables, S* values, S* rates, SignalsOfTime& ofTime,
                Scope scope = Scope::results) const;
  /// Rows of the unknowns: unknown - value; and those equations of the file that read loads.
  template <class S>
  void rows(EvaluationTables<S>& tables) const;

  /// Longest chain of sources whose rates only results read. evaluate() leaves these rates open
  /// (not a number); ResultRates finds them.
  int resultOrder() const { return resultOrder_; }
  /// Values of the sources of one order of such a chain, from the rates of the order before.
  void evaluateResults(const EvaluationTables<double>& tables, int order, double* values) const;

  /// The component that holds the file's own equations, or null.
  ModelEquations* modelEquations() const { return modelEquations_; }

  /// Per instance of the model: a source reads one of its variables, at any level of a motion.
  std::vector<bool> instancesRead(size_t instances, Scope scope) const;

  /// True if the motion feels a source that reads accelerations or more.
  bool readsAccelerations() const;

  /// True if a source reads the loads on connectors, or coordinates of cut joints.
  bool readsLoads() const { return readsLoads_; }
  /// True if those are not flows of one-dimensional parts alone.
  bool readsFrameLoads() const { return readsFrameLoads_; }

  /// RowId of the row of a source's unknown.
  int rowOf(size_t source) const { return rowIds_[source]; }

  /// Names of the signals that close algebraic loops.
  std::vector<std::string> loops() const;
  std::vector<SignalSource>& sources() { return sources_; }
  const std::vector<SignalSource>& sources() const { return sources_; }

 private:
  class Builder;

  template <class S>
  void writeRates(EvaluationTables<S>& tables, S* rates, SignalsOfTime& ofTime) const;
  template <class S>
  void findMoment(const EvaluationTables<S>& tables, double time, int order,
                  SignalsOfTime& ofTime) const;
  template <class S>
  void writeRatesAlongMotion(const EvaluationTables<S>& tables, S* rates,
                             SignalsOfTime& ofTime) const;
  template <class S>
  void valueOf(const SignalSource& s, const View<S>& view, S* out) const;

  const VariableTable& table_;
  ModelEquations* modelEquations_ = nullptr;
  std::vector<SignalSource> sources_;
  std::vector<int> unknown_;      ///< indices of sources whose values are unknowns
  std::vector<int> order_;        ///< those that are evaluated
  std::vector<int> felt_;         ///< those of them that the motion feels
  std::vector<int> time_;         ///< those of them that depend on time alone
  std::vector<int> along_;        ///< those that rates along the motion come from
  MotionFlow motion_;             ///< what they read
  bool alongReadsRates_ = false;  ///< ...with rates of signals of time among it
  int timeOrder_ = 0;             ///< highest derivative of a signal of time alone that is read
  std::vector<int> rowIds_;       ///< per source: RowId of its unknown, or -1
  std::vector<int> offsets_;
  std::vector<double> numbers_;
  std::vector<GivenInput> given_;
  int slots_ = 0;
  bool readsLoads_ = false, readsFrameLoads_ = false;
  bool anyRates_ = false;
  int resultOrder_ = 0;
  size_t longest_ = 1;  ///< of the variables that sources are
};

}  // namespace cardan
