/// The keys that the loader accepts besides those of components: what a schema of model files says,
/// too.
#pragma once

#include <string>
#include <vector>

namespace cardan {

inline const std::vector<std::string>& topLevelKeys() {
  static const std::vector<std::string> keys{
      "assert",     "components", "connections",       "contacts",  "description", "equations",
      "extends",    "include",    "initial_equations", "inputs",    "model",       "outputs",
      "parameters", "set",        "simulation",        "submodels", "variables",   "when",
      "world"};
  return keys;
}

inline const std::vector<std::string>& contactsKeys() {
  static const std::vector<std::string> keys{"defaults", "exclude", "groups", "materials", "pairs"};
  return keys;
}

/// Of an input of the model.
inline const std::vector<std::string>& inputKeys() {
  static const std::vector<std::string> keys{"description", "size", "start", "unit"};
  return keys;
}

inline const std::vector<std::string>& submodelKeys() {
  static const std::vector<std::string> keys{
      "assert",    "components",        "connections", "connectors", "description",
      "equations", "initial_equations", "parameters",  "variables",  "when"};
  return keys;
}

/// What the section must be, for messages.
inline constexpr const char* kSimulationRule =
    "of start, stop, interval, tolerance, integrator, step, impact";
inline const std::vector<std::string>& simulationKeys() {
  static const std::vector<std::string> keys{"impact", "integrator", "interval", "start",
                                             "step",   "stop",       "tolerance"};
  return keys;
}

/// Of a variable that equations define.
inline const std::vector<std::string>& variableKeys() {
  static const std::vector<std::string> keys{"der",         "description", "fixed", "max",
                                             "min",         "nominal",     "size",  "start",
                                             "stateSelect", "type",        "unit"};
  return keys;
}

}  // namespace cardan
