#include "engine/picture/decimation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

std::vector<PlotPoint> decimated(std::span<const double> x, std::span<const double> y, double from,
                                 double to, int columns) {
  std::vector<PlotPoint> result;
  const double width = to > from ? (to - from) / columns : 1;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  // Points of one column that follow each other: places of those that stay.
  size_t first = 0, lowest = 0, highest = 0, last = 0;
  long column = -1;
  const auto flush = [&] {
    if (column < 0) return;
    size_t order[4] = {first, lowest, highest, last};
    std::sort(std::begin(order), std::end(order));
    const auto* const end = std::unique(std::begin(order), std::end(order));
    for (const size_t* i = order; i != end; ++i) result.push_back({x[*i], y[*i]});
    column = -1;
  };
  for (size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) {
      flush();
      if (!result.empty() && !std::isnan(result.back().y)) result.push_back({kNone, kNone});
      continue;
    }
    if (x[i] < from || x[i] > to) continue;
    const long here = std::min(static_cast<long>((x[i] - from) / width), long{columns} - 1);
    if (here != column) {
      flush();
      column = here;
      first = lowest = highest = last = i;
      continue;
    }
    if (y[i] < y[lowest]) lowest = i;
    if (y[i] > y[highest]) highest = i;
    last = i;
  }
  flush();
  return result;
}

}  // namespace cardan
