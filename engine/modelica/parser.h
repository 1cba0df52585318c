/// Reads a Modelica file: the grammar of specification 3.6 by recursive descent.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/modelica/syntax.h"

namespace cardan::modelica {

/// Returns nothing, and has reported the first mistake, where the text is not Modelica. `file` is
/// only the name in messages.
std::optional<StoredDefinition> parseModelica(std::string_view text, const std::string& file,
                                              Diagnostics& diagnostics);

/// Classes, expressions and equations nested deeper than this are refused.
inline constexpr int kDeepestNesting = 200;

}  // namespace cardan::modelica
