/// Expands instances of submodels to a flat model.
#pragma once

#include "engine/model_file/sections.h"

namespace cardan {

/// What a file says under `set`, and then what `--set NAME=VALUE` does; wrong ones are reported.
std::vector<NamedNode> readSettings(const YamlNode* set, const Overrides& overrides,
                                    Diagnostics& diagnostics);

/// Adds parameters, components, connections, variables, equations and `outputs` to `model`, whose
/// world is set. What `settings` say about parameters holds for `count`, `for` and `if`.
void expandSections(const ModelSections& sections, const Submodels& submodels,
                    const std::vector<OutputPattern>& outputs,
                    const std::vector<NamedNode>& settings, ModelSource& model,
                    Diagnostics& diagnostics);

/// Sets what `settings` say about this parameter, or its elements, without a word about mistakes.
void applyTo(ModelParameter& parameter, const std::vector<NamedNode>& settings);

/// Sets them in the flat model, before anything is evaluated.
void applySettings(const std::vector<NamedNode>& settings, ModelSource& model,
                   Diagnostics& diagnostics);

}  // namespace cardan
