/// Lists as text, and taken out of it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

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

/// Without blanks and ends of lines around it.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return text.substr(0, 0);
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The parts of a text between separators that stand in no bracket and no quotes.
inline std::vector<std::string_view> splitOutsideBrackets(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  char quote = 0;
  size_t from = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == separator && depth <= 0) {
      parts.push_back(text.substr(from, i - from));
      from = i + 1;
    }
  }
  parts.push_back(text.substr(from));
  return parts;
}

}  // namespace cardan
