/// RunCompanion: who goes along a run with unknowns of its own, from step to step and from event to
/// event.
#pragma once

#include <memory>
#include <vector>

#include "engine/integration/event_journal.h"
#include "engine/integration/integrator.h"
#include "engine/model_file/simulation_settings.h"

namespace cardan {

class MultibodySystem;

class RunCompanion {
 public:
  /// What decides when an event is.
  enum class Instant {
    ofTime,   ///< a condition of time alone
    ofState,  ///< a switching function
    fixed     ///< nothing: an input fed from outside, the end of the run
  };

  virtual ~RunCompanion() = default;

  /// In the place of the run's own; its unknowns are those of `system`.
  virtual std::unique_ptr<Integrator> makeIntegrator(IntegratorChoice choice,
                                                     MultibodySystem& system,
                                                     const IntegratorOptions& options) = 0;
  /// Where events are noted, one after another; null: nowhere.
  virtual EventJournal* journal() { return nullptr; }
  /// At consistent values of the start, before modes and `when` are asked; then after.
  virtual void beforeStart(double /*t*/, const std::vector<double>& /*y*/,
                           const std::vector<double>& /*yp*/) {}
  virtual void afterStart(double /*t*/, const std::vector<double>& /*y*/,
                          const std::vector<double>& /*yp*/) {}
  /// Behind each step, before its rows; it ends at the latest where the next event is.
  virtual void afterStep() {}
  /// At an event, before the integrator restarts; then after. `since` [s]: of the event before, or the
  /// start.
  virtual void beforeEvent(Instant /*instant*/, double /*t*/, double /*since*/,
                           const std::vector<double>& /*y*/, const std::vector<double>& /*yp*/) {}
  virtual void afterEvent(double /*t*/, const std::vector<double>& /*y*/,
                          const std::vector<double>& /*yp*/) {}
};

}  // namespace cardan
