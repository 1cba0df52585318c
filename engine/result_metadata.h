/// ResultMetadata: what a result file does not say itself; the sidecar NAME.meta.json.
#pragma once

#include <string>
#include <vector>

#include "engine/integration/run_report.h"
#include "engine/results/rows.h"
#include "engine/results/run_settings.h"

namespace cardan {

class Simulation;

/// How a run ended, or that it has not.
struct RunStatus {
  enum class Kind {
    running,  ///< or killed: the process has not said how it ended
    completed,
    terminated,   ///< by the model; `message`: why
    interrupted,  ///< by the user
    failed,       ///< `message`: the error
  };
  Kind kind = Kind::completed;
  std::string message;
};
const char* word(RunStatus::Kind kind);

inline constexpr size_t kMostEventsInMetadata = 1000;

struct ResultMetadata {
  RunStatus status;
  RunSettings settings;
  std::string resultFile;
  std::vector<Column> columns;  ///< without time
  RunReport report;
};

/// The sidecar as JSON text: tool, model, result, status, settings, columns, parameters, and once the run
/// has ended statistics, the methods used, warnings and the first kMostEventsInMetadata events.
std::string formatMetadata(const Simulation& simulation, const ResultMetadata& data);

/// The events of a run as CSV, a line for everything that has switched: `"time","changed"`.
std::string formatEvents(const RunReport& report);

/// "run.csv" -> "run.meta.json"; another name gets the ending at its end.
std::string metadataPath(const std::string& resultPath);

}  // namespace cardan
