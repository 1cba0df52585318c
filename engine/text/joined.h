/// Lists as text.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace cardan {

/// What `print` makes of each element, with separators between: "a, b, c".
template <class Range, class Print = std::identity>
std::string joined(const Range& all, std::string_view separator, Print print = {}) {
  std::string text;
  for (const auto& one : all) {
    if (!text.empty()) text += separator;
    text += std::invoke(print, one);
  }
  return text;
}

/// "'a', 'b', 'c'"
template <class Range, class Print = std::identity>
std::string namesInQuotes(const Range& all, Print print = {}) {
  return joined(all, ", ",
                [&](const auto& one) { return "'" + std::string(std::invoke(print, one)) + "'"; });
}

}  // namespace cardan
