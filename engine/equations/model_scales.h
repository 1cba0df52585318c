/// ModelScales: what is long and what is fast in a model, so that no threshold depends on units.
#pragma once

#include <algorithm>
#include <cmath>

namespace cardan {

/// Taken from the model at its start. Every absolute threshold and every typical size that nobody
/// gave is a pure number times these.
struct ModelScales {
  double length = 1;  ///< [m]  extent of all frames, the world's among them
  double time = 1;    ///< [s]  of the fastest coordinate, never more than a second

  /// Half of the interval of a central difference around t [s]: of exact values, so that their
  /// rounding is that of one division; a difference of differences (order 3 and more) takes a longer
  /// one. Late times are a little farther apart, as what is slow has no scale of its own. t plus and
  /// minus this are numbers without rounding.
  double moment(double t, int order = 2) const {
    const double share = std::min(1e-5 * std::pow(100.0, std::max(0, order - 2)), 1e-2);
    const double h = share * time * std::cbrt(std::max(1.0, std::abs(t) / time));
    return (std::abs(t) + h) - std::abs(t);
  }
};

}  // namespace cardan
