/// RunReport: what a run has done.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/integration/integrator_statistics.h"
#include "engine/integration/step_explanation.h"

namespace cardan {

/// An instant at which the run stopped to switch.
struct EventRecord {
  double time = 0;                   ///< [s]
  std::vector<std::string> changed;  ///< components and expressions that switched
};
/// A report lists so many; further ones are only counted.
inline constexpr size_t kMostEventRecords = 100000;

/// What a run has done.
struct RunReport {
  IntegratorStatistics integrator;
  std::vector<MethodChange> methods;  ///< that have stepped the run
  long rows = 0;
  long events = 0;
  std::vector<EventRecord> eventRecords;  ///< the first kMostEventRecords
  double stopTime = 0;                    ///< [s]  time reached
  bool interrupted = false;               ///< ended by `progress`
  bool paused = false;                    ///< ended by RunOptions::pauseAt
  std::string terminated;                 ///< not empty: ended by the model, why
  long chartChanges = 0;                  ///< new references of orientation angles
  double initialisationSeconds = 0, integrationSeconds = 0, outputSeconds = 0;  ///< [s] wall time
  std::vector<std::string> warnings;
  std::optional<StepExplanation> explanation;  ///< with RunOptions::explainSteps
};

}  // namespace cardan
