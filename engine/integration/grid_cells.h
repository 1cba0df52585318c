/// GridCells: how fine a grid in time has to be for functions that may swing faster than it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cardan {

/// A grid of equal cells over a run, and what even the finest one does not show.
struct GridCells {
  double cell = 0;                         ///< [s]
  std::optional<std::size_t> hidden = {};  ///< the function that changes faster than that
  std::vector<double> rounding = {};  ///< of each function, as measured; empty: all types are known
};

/// A 50th of its range is what a function may do unseen.
inline constexpr double kUnseenPart = 0.02;
/// So many times what rounding was seen to do may be its work.
inline constexpr double kRoundings = 4;

/// Halves `cell` [s], seven times at most, until half of one follows the tangent to `kUnseenPart` of
/// the range, at places spread over [start, stop]: what swings faster than the grid leaves its tangent
/// at once. `functions(t, values)` gives as many numbers as `types` has. Where all of these are known,
/// the exponential types of the functions [1/s], they decide instead: 25 cells a period, whatever
/// `cell` is.
GridCells cellsFor(double start, double stop, double cell, const std::vector<double>& types,
                   const std::function<void(double t, double* values)>& functions);

/// For the user: `name` is what changes too fast in a run over [start, stop].
std::string fasterThanCells(const std::string& name, double start, double stop, double cell);

}  // namespace cardan
