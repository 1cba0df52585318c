/// What an FMU of a model lets an importer set and see.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/fmu/fmu_description.h"
#include "engine/simulation.h"

namespace cardan {

struct FmuChoice {
  std::vector<std::string> parameters;  ///< names and globs, besides those that the file gives
  std::vector<std::string> locals;      ///< results besides the outputs of the file and the states
};

/// All of them, by value references; finds the model's start. `loadWith` loads the model with more overrides; a parameter with
/// which that does not work is none that could be set: its name goes to `dropped`. Throws ModelError
/// where a name of `choice` is none, or the start is not found.
std::vector<FmuVariable> fmuVariables(Simulation& simulation, const FmuChoice& choice,
                                      const std::function<Simulation(const Overrides&)>& loadWith,
                                      std::vector<std::string>& dropped);

/// Adds what model exchange needs: states that are no variables yet, their derivatives, event indicators where
/// FMI `version` wants them as variables; or says why it is not there. The simulation has not begun.
void addExchange(FmuDescription& fmu, Simulation& simulation, int fmiVersion);

}  // namespace cardan
