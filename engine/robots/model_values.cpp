#include "engine/robots/model_values.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "engine/expression/value.h"

namespace cardan::robots {

YamlNode valueOf(double x, const SourceMark& at) {
  return textNode(formatNumber(x == 0 ? 0.0 : x), at);  // no negative zero
}

YamlNode valueOf(const Vector3d& v, const SourceMark& at) {
  return listOf({valueOf(v[0], at), valueOf(v[1], at), valueOf(v[2], at)}, at);
}

double rounded(double x, double largest, int digits) {
  if (!std::isfinite(x) || !(largest > 0)) return x;
  const int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(largest)));
  if (decimals < 0) return x;
  return std::strtod(fmt::format("{:.{}f}", x, decimals).c_str(), nullptr);
}

Vector3d rounded(const Vector3d& v) {
  const double largest = v.lpNorm<Eigen::Infinity>();
  return v.unaryExpr([&](double x) { return rounded(x, largest); });
}

Matrix3d rounded(const Matrix3d& m) {
  const double largest = m.lpNorm<Eigen::Infinity>();
  return m.unaryExpr([&](double x) { return rounded(x, largest); });
}

YamlNode wordOf(const std::string& word, const SourceMark& at) { return textNode(word, at); }

}  // namespace cardan::robots
