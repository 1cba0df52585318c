/// Expands instances of submodels to a flat model.
#pragma once

#include "engine/model_file/sections.h"

namespace cardan {

/// Adds parameters, components, connections, variables and equations to `model`, whose world is
/// set.
void expandSections(const ModelSections& sections, const Submodels& submodels, ModelSource& model,
                    Diagnostics& diagnostics);

/// Sets what `--set NAME=VALUE` says in the flat model, before anything is evaluated.
void applyOverrides(const Overrides& overrides, ModelSource& model, Diagnostics& diagnostics);

}  // namespace cardan
