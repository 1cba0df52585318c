/// Text in tables of Markdown.
#pragma once

#include <algorithm>
#include <string>

namespace cardan {

/// `text` as one cell: nothing in it ends the cell or the line.
inline std::string cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace cardan
