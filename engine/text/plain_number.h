/// A text that is a number and nothing else.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace cardan {

/// Nothing where anything stands before or behind it, where there is none, or where T cannot hold it.
template <class T>
std::optional<T> plainNumber(std::string_view text) {
  T x{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, x);
  if (error != std::errc() || stop != end) return std::nullopt;
  return x;
}

}  // namespace cardan
