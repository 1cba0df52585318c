/// Names with dots: paths through submodels and packages.
#pragma once

#include <string_view>

namespace cardan {

/// What stands after the last dot of `path`, all of it without one: "phi" of "arm.joint.phi".
constexpr std::string_view lastName(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

/// What stands before the last of some separators, "" without one: "arm.joint" of "arm.joint.phi"; with ".["
/// also "wheel" of "wheel[2]".
constexpr std::string_view ownerName(std::string_view path, std::string_view separators = ".") {
  const size_t end = path.find_last_of(separators);
  return end == std::string_view::npos ? std::string_view() : path.substr(0, end);
}

}  // namespace cardan
