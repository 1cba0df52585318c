/// What the targets of model files have in common.
#pragma once

#include <string_view>

namespace cardan::fuzz {

/// An include or a name of a file that would make an input depend on the machine, or wait for it.
bool readsDevices(std::string_view text);

/// Ends the program unless these messages can be read: no control characters, no words of the
/// compiler or the solver's own failures.
void expectClean(std::string_view messages);

}  // namespace cardan::fuzz
