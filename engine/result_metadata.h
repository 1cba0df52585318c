/// ResultMetadata: what a result file does not say itself; the sidecar NAME.meta.json.
#pragma once

#include <string>
#include <vector>

#include "engine/simulation.h"

namespace cardan {

/// How a run ended.
struct RunStatus {
  enum class Kind {
    completed,
    terminated,   ///< by the model; `message`: why
    interrupted,  ///< by the user
    failed,       ///< `message`: the error
  };
  Kind kind = Kind::completed;
  std::string message;
};
const char* word(RunStatus::Kind kind);

/// The settings a run really had: the model file's with the options on top.
struct RunSettings {
  double start = 0, stop = 1, interval = 0, tolerance = 0;

  static RunSettings of(const SimulationSettings& file, const RunOptions& options);
};

struct ResultMetadata {
  RunStatus status;
  RunSettings settings;
  std::string resultFile;
  std::vector<Column> columns;  ///< without time
  RunReport report;
};

/// The sidecar as JSON text: tool, model, settings, status, columns, parameters, statistics,
/// warnings.
std::string formatMetadata(const Model& model, const ResultMetadata& data);

/// "run.csv" -> "run.meta.json"; another name gets the ending at its end.
std::string metadataPath(const std::string& resultPath);

}  // namespace cardan
