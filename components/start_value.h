/// Start values: what the user says about a variable at the start of a run.
#pragma once

#include <array>

#include "frames/algebra.h"

namespace cardan {

/// How gladly a variable is a state; at the start it orders which guesses may move (MSL's
/// StateSelect).
enum class StateSelect { never, avoid, defaultSelect, prefer, always };

/// `phi: {start: 0.1, fixed: true}` of a variable with N elements.
template <int N>
struct StartVector {
  Eigen::Matrix<double, N, 1> start =
      Eigen::Matrix<double, N, 1>::Zero();  ///< in the variable's unit
  std::array<bool, N> fixed{};  ///< true: holds exactly at the start; false: `start` is a guess
  bool given = false;  ///< true: `start` was written by the user (a better guess than a default)
  StateSelect stateSelect = StateSelect::defaultSelect;

  StartVector() = default;
  explicit StartVector(bool allFixed) { fixed.fill(allFixed); }
};
using StartValue = StartVector<1>;

}  // namespace cardan
