/// StepLimits: what limits the steps of a run: whose error, what stops, where Newton's method fails,
/// which switches never rest, and how stiff the equations are.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/dynamics/completion.h"
#include "engine/integration/integrator.h"
#include "engine/integration/multibody_system.h"
#include "engine/integration/run_report.h"

namespace cardan {

/// Looks on while a run steps. Numbers of the integration alone decide, so that a run is explained
/// alike every time.
class StepLimits {
 public:
  /// `longest` [s]: step; `tolerance`: relative. The system outlives this.
  StepLimits(MultibodySystem& system, double longest, double tolerance);

  /// After every call of step() that returned `result`.
  void look(const Integrator& integrator, Integrator::StepResult result);
  /// After an event at `time` [s].
  void event(double time, const std::vector<std::string>& changed);
  /// A step could not be made.
  void failed(const Integrator& integrator);

  StepExplanation explanation(const Integrator& integrator) const;

 private:
  void count(std::map<int, StepExplanation::Share>& shares, int unknown, double time, long n);
  static size_t leading(const std::vector<double>& change, const Integrator& integrator);
  void probe(const Integrator& integrator);
  void thinOut();

  const MultibodySystem& system_;
  Completion completion_;  ///< its own: the run is the same whether somebody looks on or not
  double longest_, tolerance_;
  double start_ = 0;
  bool begun_ = false;
  IntegratorStatistics seen_;
  long sinceStart_ = 0;  ///< steps
  long nextProbe_ = 20, stride_ = 20;
  StepExplanation all_;
  std::map<int, StepExplanation::Share> error_, newton_;  ///< by unknown
  std::map<std::string, StepExplanation::Switch> switches_;
  /// Of each switch: steps at its last event and at the one before.
  std::map<std::string, std::pair<long, long>> lastStepsOf_;
};

}  // namespace cardan
