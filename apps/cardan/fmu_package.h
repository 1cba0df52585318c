/// The FMU of a model: its files put together.
#pragma once

#include <string>

#include "apps/cardan/fmu_variables.h"
#include "apps/cardan/model_options.h"

namespace cardan {

struct FmuRequest {
  std::string output;
  int version = 3;  ///< of FMI: 2 or 3
  FmuChoice choice;
  bool noPage = false;  ///< documentation/index.html does not show the default run
  bool quiet = false;
};

/// Writes it. Throws ModelError where the model cannot become one, or something that is needed is not
/// here; FileError.
void writeFmu(const ModelOptions& model, const FmuRequest& request);

}  // namespace cardan
