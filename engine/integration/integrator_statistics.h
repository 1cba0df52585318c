/// IntegratorStatistics: what the integration of a run has cost.
#pragma once

namespace cardan {

/// What a run has cost, summed over its restarts.
struct IntegratorStatistics {
  long steps = 0;
  long residuals = 0;
  long newtonMatrices = 0;
  long newtonIterations = 0;
  long errorTestFailures = 0;
  long newtonFailures = 0;  ///< steps repeated: residual, matrix or Newton iteration failed
  long restarts = 0;
  double residualSeconds = 0;      ///< [s]  these three only with IdaOptions::timing
  double newtonMatrixSeconds = 0;  ///< [s]
  double linearSolveSeconds = 0;   ///< [s]
};

}  // namespace cardan
