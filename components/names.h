/// Names with dots: paths through submodels and packages.
#pragma once

#include <string_view>

namespace cardan {

/// What stands after the last dot of `path`, all of it without one: "phi" of "arm.joint.phi".
constexpr std::string_view lastName(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

}  // namespace cardan
