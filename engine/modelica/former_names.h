/// What parameters and variables of the catalogue's classes were called before version 4 of the
/// library.
#pragma once

#include <string_view>

namespace cardan::modelica {

/// The name that a class of the catalogue has for what was called `name`; `name` itself where it is
/// called so still; "" for what has had no effect for long, and is no more.
std::string_view presentName(std::string_view catalogueType, std::string_view name);

/// True of the modes of frictions that a model may have `fixed` at the start, as they are anyway.
bool isModeOfFriction(std::string_view name);

}  // namespace cardan::modelica
