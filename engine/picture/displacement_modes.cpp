#include "engine/picture/displacement_modes.h"

#include <algorithm>
#include <cmath>

namespace cardan {

DisplacementModes DisplacementModes::of(const std::vector<std::vector<float>>& rows,
                                        double tolerance) {
  DisplacementModes result;
  result.base = rows.front();
  result.weights.resize(rows.size());
  const size_t n = result.base.size();
  // What the modes so far leave of every row.
  std::vector<std::vector<float>> rest = rows;
  for (std::vector<float>& r : rest) {
    for (size_t i = 0; i < n; ++i) r[i] -= result.base[i];
  }
  // The row with the largest rest gives the next mode, until none is left; as each is orthogonal to
  // those before, weights are projections.
  while (result.modes.size() < kMostModes) {
    size_t worst = 0;
    float largest = 0;
    for (size_t k = 0; k < rest.size(); ++k) {
      for (const float x : rest[k]) {
        if (std::abs(x) > largest) {
          largest = std::abs(x);
          worst = k;
        }
      }
    }
    if (!(largest > tolerance)) break;
    std::vector<float> mode = rest[worst];
    double square = 0;
    for (const float x : mode) square += double(x) * x;
    for (size_t k = 0; k < rest.size(); ++k) {
      double product = 0;
      for (size_t i = 0; i < n; ++i) product += double(mode[i]) * rest[k][i];
      const auto weight = static_cast<float>(product / square);
      for (size_t i = 0; i < n; ++i) rest[k][i] -= weight * mode[i];
      result.weights[k].push_back(weight);
    }
    result.modes.push_back(std::move(mode));
  }
  return result;
}

}  // namespace cardan
