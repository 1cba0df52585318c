/// The cases of the bench.
#pragma once

#include <string>

#include "apps/bench/measurement.h"
#include "engine/model_file/simulation_settings.h"

namespace cardan::bench {

struct Arguments {
  std::string benchCase;  ///< "chain", "eval_jac_robot6", ..., or a model file
  int n = 1;
  double stop = 1;            ///< [s]
  std::string toleranceText;  ///< as given
  double tolerance = 1e-6;
  IntegratorChoice integrator = IntegratorChoice::ida;
  std::string references;  ///< folder of reference files, may be empty
};

/// All names of cases.
std::string caseNames();
/// Runs one; throws std::invalid_argument for an unknown one, ModelError for a wrong model file.
Measurement measure(const Arguments& arguments);

}  // namespace cardan::bench
