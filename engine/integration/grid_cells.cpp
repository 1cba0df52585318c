#include "engine/integration/grid_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace cardan {
namespace {

constexpr int kPlaces = 64, kMostHalvings = 7;
/// Of functions of known type: cells of so many radians, and so many a run at least.
constexpr double kRadians = 0.25, kFewest = 16;
/// So many places may ask for a finer grid in vain: jumps, met by chance.
constexpr int kByChance = 3;
/// Part of a cell over which a slope is taken.
constexpr double kSlope = 0x1p-17;

struct Need {
  int halvings = 0;
  std::size_t function = 0;
};

}  // namespace

GridCells cellsFor(double start, double stop, double cell, const std::vector<double>& types,
                   const std::function<void(double t, double* values)>& functions) {
  const std::size_t n = types.size();
  const double finest = std::ldexp(cell, -kMostHalvings);
  const auto fastest = std::ranges::max_element(types);
  if (std::isfinite(*fastest)) {
    const double wanted = std::min(kRadians / *fastest, (stop - start) / kFewest);
    GridCells cells{std::max(wanted, finest)};
    if (2 * wanted < finest) cells.hidden = fastest - types.begin();
    return cells;
  }
  GridCells cells{.rounding = std::vector<double>(n)};
  std::vector<double> now(kPlaces * n), near(n), half(n);
  std::vector<double> low(n, std::numeric_limits<double>::infinity()), high(n, -low[0]);
  std::array<double, kPlaces> at{};
  for (int i = 0; i < kPlaces; ++i) {
    at[i] = start + std::fmod((i + 0.5) * std::numbers::phi, 1.0) * (stop - cell - start);
    functions(at[i], &now[i * n]);
    for (std::size_t k = 0; k < n; ++k) {
      low[k] = std::min(low[k], now[i * n + k]);
      high[k] = std::max(high[k], now[i * n + k]);
    }
    // The next instant tells what rounding does to them.
    functions(std::nextafter(at[i], stop), near.data());
    for (std::size_t k = 0; k < n; ++k)
      cells.rounding[k] = std::max(cells.rounding[k], std::abs(near[k] - now[i * n + k]));
  }
  std::array<Need, kPlaces> needs{};
  for (int i = 0; i < kPlaces; ++i) {
    const double* v = &now[i * n];
    const double by = at[i] + kSlope * cell - at[i];
    functions(at[i] + by, near.data());
    const auto leaves = [&](std::size_t k, double ahead) {
      const double tangent = (near[k] - v[k]) / by * ahead;
      const double unknown = kRoundings * cells.rounding[k] * (1 + ahead / by);
      return std::abs(half[k] - v[k] - tangent) > kUnseenPart * (high[k] - low[k]) + unknown;
    };
    for (Need& need = needs[i]; need.halvings <= kMostHalvings; ++need.halvings) {
      const double ahead = std::ldexp(cell, -1 - need.halvings);
      functions(at[i] + ahead, half.data());
      std::size_t k = 0;
      while (k < n && !leaves(k, ahead)) ++k;
      if (k == n) break;
      need.function = k;
    }
  }
  std::ranges::sort(needs, std::ranges::greater(), &Need::halvings);
  const Need need = needs[kByChance];
  cells.cell = std::ldexp(cell, -std::min(need.halvings, kMostHalvings));
  if (need.halvings > kMostHalvings) cells.hidden = need.function;
  return cells;
}

std::string fasterThanCells(const std::string& name, double start, double stop, double cell) {
  return fmt::format(
      "{} changes faster than is looked at in a run of {:.6g} s: what it does within {:.3g} s may "
      "pass "
      "unseen; a maximum step or a shorter run is the means against it",
      name, stop - start, cell);
}

}  // namespace cardan
