#include "engine/text/listing.h"
#include "engine/text/joined.h"

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
    const std::string_view one = trimmed(text.substr(from, to - from));
    if (!one.empty()) line += (line.empty() ? "" : " ") + std::string(one);
    from = to + 1;
  }
  return line;
}

}  // namespace cardan
