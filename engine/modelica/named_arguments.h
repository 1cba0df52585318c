/// Named arguments of functions that expressions know, put in their order.
#pragma once

#include <optional>
#include <string_view>

#include "engine/modelica/syntax.h"

namespace cardan::modelica {

/// The call with all its arguments by position; nothing if the function is not known, has no input of
/// such a name, or one in between is left out.
std::optional<Expression> inOrder(const Expression& call, std::string_view function);

}  // namespace cardan::modelica
