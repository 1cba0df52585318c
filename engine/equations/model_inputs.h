/// Inputs of a model that have a number, so that they can be set from outside: those that the file
/// declares, and signal inputs of components for which it has a number.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cardan {

class Assembly;

struct ModelInput {
  std::string name;  ///< "u1", "motor.tau", "push.force[2]"
  int number;        ///< its first index in RunState::inputs
};

/// All of them: the file's own, then those of components in the order of the model.
std::vector<ModelInput> modelInputs(const Assembly& assembly);

}  // namespace cardan
