#include "engine/integration/warning_tally.h"

#include <fmt/format.h>

#include <algorithm>

namespace cardan {

void WarningTally::add(std::string_view kind, const std::string& text, double t, double badness) {
  auto k = std::ranges::find(kinds_, kind, &Kind::name);
  if (k == kinds_.end()) {
    k = kinds_.insert(k, {.name = std::string(kind), .text = text, .badness = badness, .first = t});
  } else if (badness > k->badness) {
    k->badness = badness;
    k->text = text;
  }
  ++k->count;
}

std::vector<std::string> WarningTally::texts() const {
  std::vector<std::string> all;
  for (const Kind& k : kinds_) {
    const std::string many = k.count > 1 ? fmt::format("the worst of {}, ", k.count) : "";
    all.push_back(fmt::format("{} ({}first at t = {:.6g} s)", k.text, many, k.first));
  }
  return all;
}

}  // namespace cardan
