#include "engine/text/listing.h"

#include <fmt/format.h>

#include <algorithm>

namespace cardan {

std::string joinMost(const std::vector<std::string>& names, size_t most) {
  const size_t shown = std::min(most, names.size());
  const auto end = names.begin() + shown;
  std::string text = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  if (shown < names.size()) text += fmt::format(", and {} more", names.size() - shown);
  return text;
}

std::string moreLines(size_t lines, size_t most) {
  return lines > most ? fmt::format("  and {} more\n", lines - most) : "";
}

std::string onOneLine(std::string_view text) {
  if (text.find('\n') == text.npos) return std::string(text);
  std::string line;
  for (size_t from = 0; from < text.size();) {
    const size_t to = std::min(text.find('\n', from), text.size());
    const std::string_view one = text.substr(from, to - from);
    const size_t first = one.find_first_not_of(" \t\r"), last = one.find_last_not_of(" \t\r");
    if (first != one.npos)
      line += (line.empty() ? "" : " ") + std::string(one.substr(first, last + 1 - first));
    from = to + 1;
  }
  return line;
}

}  // namespace cardan
