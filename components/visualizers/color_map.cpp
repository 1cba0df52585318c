#include "components/visualizers/color_map.h"

namespace cardan {
namespace {

/// A share 0..1 of the way through the map.
Vector3d ramp(std::string_view name, double x) {
  if (name == "gray") return {x, x, x};
  if (name == "spring") return {1, x, 1 - x};
  if (name == "summer") return {x, 0.5 + x / 2, 0.4};
  if (name == "autumn") return {1, x, 0};
  return {0, x, 1 - x / 2};  // winter
}

/// From black over red and yellow to white, a third each.
std::vector<Vector3d> hot(int n) {
  const int third = (n + 2) / 3;
  std::vector<Vector3d> map;
  for (int channel = 0; channel < 3; ++channel) {
    for (int i = 1; i <= third; ++i) {
      Vector3d c(channel > 0, channel > 1, 0);
      c[channel] = double(i) / third;
      map.push_back(c);
    }
  }
  return map;
}

/// From dark blue over cyan, yellow and red to dark red, a quarter each.
std::vector<Vector3d> jet(int n) {
  const int quarter = (n + 3) / 4, upper = (quarter + 1) / 2, lower = quarter / 2;
  const double d = 1.0 / quarter;
  std::vector<Vector3d> map;
  for (int i = 1; i <= upper; ++i) map.emplace_back(0, 0, 1 - (upper - i) * d);
  for (int i = 1; i <= quarter; ++i) map.emplace_back(0, i * d, 1);
  for (int i = 1; i <= quarter; ++i) map.emplace_back(i * d, 1, 1 - i * d);
  for (int i = 1; i <= quarter; ++i) map.emplace_back(1, 1 - i * d, 0);
  for (int i = 1; i <= lower; ++i) map.emplace_back(0.5 + (lower - i) * d, 0, 0);
  return map;
}

}  // namespace

std::vector<Vector3d> colorMap(std::string_view name, int n) {
  std::vector<Vector3d> map;
  if (name == "jet") {
    map = jet(n);
  } else if (name == "hot") {
    map = hot(n);
  } else if (name == "gray" || name == "spring" || name == "summer" || name == "autumn" ||
             name == "winter") {
    for (int i = 0; i < n; ++i) map.push_back(ramp(name, n > 1 ? double(i) / (n - 1) : 0));
  }
  if (!map.empty()) map.resize(n);
  for (Vector3d& c : map) c *= 255;
  return map;
}

}  // namespace cardan
