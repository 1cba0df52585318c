/// BoundedRun: one run of a model text that always comes back, with its rows and how it ended.
#pragma once

#include <memory>
#include <string>

#include "engine/simulation.h"

namespace cardan::random {

struct BoundedRun {
  enum class End { completed, modelError, solverError, unfinished, otherError };

  struct Settings {
    double tolerance = 1e-6;
    double maximumStep = 0;  ///< [s]  0: none
    double cpuSeconds = 5;   ///< [s]  processor time after which the run is ended
    double interval = 0;     ///< [s]  0: the model's
    std::shared_ptr<const InputTable> inputs = {};
  };

  Settings settings;
  End end = End::completed;
  std::string message;  ///< of the error
  Trajectory rows;      ///< up to the end, whatever it was
  RunReport report;

  double reached() const { return rows.time().empty() ? -1 : rows.time().back(); }
};

BoundedRun runBounded(const std::string& text, const BoundedRun::Settings& settings);

}  // namespace cardan::random
