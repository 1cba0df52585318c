/// Texts inside files of other languages.
#pragma once

#include <string>
#include <string_view>

namespace cardan {

/// In XML and HTML, inside of elements and of attributes in quotes; control characters as blanks.
inline std::string escapedXml(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
  }
  return result;
}

/// A field of a CSV file: in quotes, quotes inside doubled, line ends and tabs as blanks.
inline std::string csvText(std::string_view text) {
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  }
  return field + '"';
}

}  // namespace cardan
