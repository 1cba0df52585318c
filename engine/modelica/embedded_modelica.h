/// What is known of the Modelica Standard Library, as files that are part of the program.
#pragma once

#include <string_view>

namespace cardan::modelica {

/// "library.mo": what models of the library share; "library.txt": its names (library_table.h); "" for other
/// names.
std::string_view embeddedModelica(std::string_view name);

}  // namespace cardan::modelica
