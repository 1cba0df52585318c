/// Modelica files of ours that are part of the program.
#pragma once

#include <string_view>

namespace cardan::modelica {

/// "library.mo": what models of the library share; "" for other names.
std::string_view embeddedModelica(std::string_view name);

}  // namespace cardan::modelica
