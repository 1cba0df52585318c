/// Decimation: a curve of many points as one of few that looks the same.
#pragma once

#include <span>
#include <vector>

namespace cardan {

struct PlotPoint {
  double x, y;
};

/// Of all points whose x lies in one of `columns` equal parts of [from, to], the first, the lowest,
/// the highest and the last, in their order. Runs of points that are not finite become one of NaN,
/// where the pen is lifted. x need not rise. Points outside [from, to] are left out.
std::vector<PlotPoint> decimated(std::span<const double> x, std::span<const double> y, double from,
                                 double to, int columns);

}  // namespace cardan
