/// Expands instances of submodels to a flat model.
#pragma once

#include "engine/model_file/sections.h"

namespace cardan {

/// Adds parameters, components, connections, variables, equations and `outputs` to `model`, whose
/// world is set. What `overrides` say about parameters holds for `count`, `for` and `if`.
void expandSections(const ModelSections& sections, const Submodels& submodels,
                    const std::vector<OutputPattern>& outputs, const Overrides& overrides,
                    ModelSource& model, Diagnostics& diagnostics);

/// Sets what `overrides` say about this parameter, or its elements, without a word about mistakes.
void applyTo(ModelParameter& parameter, const Overrides& overrides);

/// Sets what `--set NAME=VALUE` says in the flat model, before anything is evaluated.
void applyOverrides(const Overrides& overrides, ModelSource& model, Diagnostics& diagnostics);

}  // namespace cardan
