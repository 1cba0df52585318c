#include "apps/cardan/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace cardan {

std::string textTable(const std::vector<std::vector<std::string>>& rows, const std::string& indent,
                      size_t widest) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(row.size());
    for (size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], std::min(row[c].size(), widest));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = indent;
    for (size_t c = 0; c < row.size(); ++c) line += fmt::format("{:<{}}  ", row[c], widths[c]);
    text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace cardan
