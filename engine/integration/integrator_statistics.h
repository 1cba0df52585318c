/// IntegratorStatistics: what the integration of a run has cost, and which methods did it.
#pragma once

#include <string>

namespace cardan {

/// What a run has cost, summed over its restarts.
struct IntegratorStatistics {
  long steps = 0;
  long residuals = 0;
  long rates = 0;  ///< evaluations of an explicit method
  long newtonMatrices = 0;
  long newtonIterations = 0;
  long errorTestFailures = 0;
  long newtonFailures = 0;  ///< steps repeated: residual, matrix or Newton iteration failed
  long restarts = 0;
  double residualSeconds = 0;      ///< [s]  these four only with IntegratorOptions::timing
  double newtonMatrixSeconds = 0;  ///< [s]
  double linearSolveSeconds = 0;   ///< [s]
  double ratesSeconds = 0;         ///< [s]
};

/// From when on a method has stepped a run, and why it and not another.
struct MethodChange {
  double time = 0;     ///< [s]
  std::string method;  ///< "ida", "explicit"
  std::string reason;  ///< "": it was asked for
};

}  // namespace cardan
