/// EventSystem: zero crossings, time events and mode changes of all components and expressions.
#pragma once

#include <string>
#include <vector>

#include "engine/equations.h"
#include "engine/initialisation/completion.h"

namespace cardan {

class Model;

/// Watches the model and changes its modes. Between events all modes are frozen.
class EventSystem {
 public:
  EventSystem(Model& model, Equations& equations);

  /// To be called before a run.
  void begin() { terminated_.clear(); }

  /// Number of zero-crossing functions, the same at all times.
  int crossings() const { return crossings_; }
  /// Their values at an evaluated workspace.
  void evaluateCrossings(Workspace<double>& w, double* g) const;

  /// Earliest time event after `time`, or infinity.
  double nextTimeEvent(Workspace<double>& w, double time);

  /// Changes modes until all are consistent, completing accelerations and algebraic unknowns after
  /// every change. Returns true if anything changed. Throws SolverError where the modes do not come
  /// to rest (by name).
  bool settle(double t, std::vector<double>& y, std::vector<double>& yp, Completion* completion,
              Workspace<double>& w);

  /// Not empty: a component asked to end the run; the reason.
  const std::string& terminated() const { return terminated_; }
  /// Components whose modes changed in the last settle().
  const std::vector<std::string>& changed() const { return changed_; }

 private:
  struct Guarding {
    const Component* component;
    int instance;
    int crossings;
  };
  struct Switching {
    ExpressionVariable* expression;
    size_t states;  ///< offset into relationStates_
  };

  void evaluate(double t, const std::vector<double>& y, const std::vector<double>& yp,
                Workspace<double>& w) const;

  Equations& equations_;
  std::vector<Guarding> guarding_;  ///< those with zero crossings
  std::vector<Switching> expressions_;
  std::vector<RelationState> relationStates_;
  int crossings_ = 0;
  mutable std::vector<double> ignored_, residuals_;  ///< work space
  std::string terminated_;
  std::vector<std::string> changed_;
};

}  // namespace cardan
