/// Text in the pages that commands write.
#pragma once

#include <string>

namespace cardan {

/// As HTML shows it, outside of tags.
inline std::string escapedHtml(const std::string& text) {
  std::string result;
  for (const char c : text)
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

}  // namespace cardan
