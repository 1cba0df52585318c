/// The unknowns of the model's own equations, as the file describes them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/equations/model_equations.h"
#include "engine/equations/own_equations.h"
#include "engine/model_file/parameter_table.h"

namespace cardan {

/// The unknowns of `equations` with sizes, start values, units. What cannot be one is reported and
/// left out; its names go to `model.unread`, those of the others to `model.unknowns`.
std::vector<ModelEquations::Unknown> makeUnknowns(const OwnEquations& equations, ModelSource& model,
                                                  ParameterTable& parameters,
                                                  Diagnostics& diagnostics);

/// Start values of a variable of these sizes; where they are open they become those of the start.
ModelEquations::StartValues readStart(const VariableDescription& v, const StartDescription& start,
                                      const std::string& name,
                                      std::optional<std::vector<int>>& sizes,
                                      ParameterTable& parameters, Diagnostics& diagnostics,
                                      bool isBoolean = false);

/// The sizes that a variable states; open where it states none.
std::optional<std::vector<int>> statedSizes(const VariableDescription& v);

bool isOrientation(const std::string& type);

}  // namespace cardan
