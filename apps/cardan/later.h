/// Later: the program is built in two stages. The first one, cardan-first, runs and checks model files
/// and knows the names of all commands; the sources that it has are listed in apps/CMakeLists.txt.
#pragma once

#include <string>

/// A function that is null in the first stage.
#define CARDAN_LATER [[gnu::weak]]

namespace cardan {

/// Throws ModelError in the first stage: `what` needs the whole program.
void requireWhole(const std::string& what);

}  // namespace cardan
