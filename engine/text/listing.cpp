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

}  // namespace cardan
