#include "engine/model_file/model_source.h"

#include <algorithm>
#include <cmath>

namespace cardan {

std::string tooShortToRun(double start, double stop) {
  constexpr double kShortest = 1e-100;  // its square is a number still
  constexpr double kDigits = 1e-12;  // of the time: a few thousand instants that can be told apart
  const double span = stop - start;
  if (span >= std::max(kShortest, kDigits * std::max(std::abs(start), std::abs(stop)))) return "";
  return "must be farther from 'start' (" + formatNumber(start) +
         "): numbers cannot resolve steps within " + formatNumber(span) + " s there";
}

std::string ModelSource::withoutAliases(const std::string& full) const {
  if (connectorAliases.empty()) return full;
  for (size_t end = full.size(); end != std::string::npos && end > 0;
       end = full.find_last_of(".[", end - 1)) {
    const auto found = connectorAliases.find(full.substr(0, end));
    if (found != connectorAliases.end()) return found->second + full.substr(end);
  }
  return full;
}

bool ModelSource::isUnread(const std::string& full) const {
  if (unread.empty()) return false;
  for (size_t end = full.size(); end != std::string::npos && end > 0;
       end = full.find_last_of(".[", end - 1)) {
    if (unread.contains(full.substr(0, end))) return true;
  }
  return false;
}

}  // namespace cardan
