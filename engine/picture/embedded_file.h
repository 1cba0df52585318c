/// Files that are part of the program: the sources of the page, and the library that draws in it.
#pragma once

#include <string_view>

namespace cardan {

/// Content of a file of engine/picture/page/ ("page.js"), of "three.js" and its licence
/// "three.txt"; empty where the build had none.
std::string_view embeddedFile(std::string_view name);

}  // namespace cardan
