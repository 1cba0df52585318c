/// StartConditions: what the model says about its start, as rows for the solver.
#pragma once

#include <string>
#include <vector>

#include "engine/dynamics/evaluation_point.h"
#include "engine/structure/variable_table.h"
#include "engine/text/diagnostics.h"

namespace cardan {

/// A further initial equation of the model: `size` residues that are zero at the start.
struct InitialEquation {
  std::string name;
  Level level = Level::Position;
  const VariableFunction* function = nullptr;
  SourceMark at;
  int size = 1;
};

/// One element of a start value, of an initial condition of a component, or of an initial equation.
struct StartCondition {
  enum class Source { start, initial, equation };
  Source source = Source::start;
  const VariableFunction* function = nullptr;
  int size = 1;  ///< elements of the function
  int element = 0;
  double wanted = 0;
  Level level = Level::Position;
  bool fixed = false;
  bool given = false;  ///< written by the user
  int tier = 0;        ///< see Movability
  int unknown = -1;  ///< index into y where it is a coordinate of the tree or a component's unknown
  bool isUnknown = false;  ///< of the model's own: what is wanted is of that unknown itself
  int instance = -1;
  SourceMark at;
  std::string name;   ///< full name
  std::string local;  ///< name inside its component
  std::string unit;

  template <class S>
  S residue(const Workspace<S>& w, std::vector<S>& buffer) const;
};

/// All of a model's, and the guess that they give.
class StartConditions {
 public:
  StartConditions(const Equations& equations, const VariableTable& variables,
                  const std::vector<InitialEquation>& equationsAtStart);

  /// Start values of variables that are one coordinate of one-dimensional parts under another name
  /// (an inertia's phi, geared or not) become guesses of that coordinate.
  void adopt(EvaluationPoint& at, double time);

  const std::vector<StartCondition>& all() const { return all_; }
  /// The same, but that condition k is a guess.
  StartConditions without(int k) const {
    StartConditions others = *this;
    others.all_[k].fixed = false;
    return others;
  }
  /// First guess of y, and per unknown the tier (how well the guess is known).
  const std::vector<double>& guess() const { return guess_; }
  const std::vector<int>& tiers() const { return tiers_; }
  /// Guesses of the coordinates of joints outside the tree (branches of their angles).
  const std::vector<double>& measured() const { return measured_; }

 private:
  void addStarts(const Equations& equations, const VariableTable& variables);
  void addInitials(const Equations& equations, const VariableTable& variables);
  void guessMeasured(const Equations& equations, const VariableTable& variables);

  std::vector<StartCondition> all_;
  std::vector<double> guess_, measured_;
  std::vector<int> tiers_;
};

}  // namespace cardan
