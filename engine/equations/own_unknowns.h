/// The unknowns of the model's own equations, as the file describes them.
#pragma once

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

/// Start values of a variable with `size` elements (0: as many as the start has; then `size` is
/// set).
ModelEquations::StartValues readStart(const VariableDescription& v, const StartDescription& start,
                                      const std::string& name, int& size,
                                      ParameterTable& parameters, Diagnostics& diagnostics,
                                      bool isBoolean = false);

bool isOrientation(const std::string& type);

}  // namespace cardan
