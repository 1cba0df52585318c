/// DisplacementModes: points that move in time as one picture of them and few displacements with
/// weights.
#pragma once

#include <cstddef>
#include <vector>

namespace cardan {

struct DisplacementModes {
  std::vector<float> base;                  ///< the points of the first row
  std::vector<std::vector<float>> modes;    ///< displacements, at most kMostModes
  std::vector<std::vector<float>> weights;  ///< per row: one a mode

  static constexpr size_t kMostModes = 24;

  /// rows[k]: all coordinates at row k, of one size. Every coordinate of every row is met within
  /// `tolerance` where kMostModes are enough, else as well as they can. Pre: not empty
  static DisplacementModes of(const std::vector<std::vector<float>>& rows, double tolerance);
};

}  // namespace cardan
