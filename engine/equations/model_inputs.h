/// Inputs of a model that a number of the file feeds: what can be set from outside.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/equations/assembly.h"

namespace cardan {

struct ModelInput {
  std::string name;  ///< "motor.tau", "push.force[2]"
  int number;        ///< index into RunState::inputs
  int input;         ///< index into FlatModel::inputs
};

/// All of them, in the order of the model.
std::vector<ModelInput> modelInputs(const Assembly& assembly);

}  // namespace cardan
