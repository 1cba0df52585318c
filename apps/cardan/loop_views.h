/// LoopViews: curves and numbers that tell how a linear model answers its inputs.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>

#include "engine/analysis/linear_model.h"

namespace cardan {

/// Which of them is asked for, and where it goes.
struct LoopViews {
  bool bode = false, nyquist = false, step = false;
  std::optional<double> gain;  ///< of a root locus
  std::string picture;         ///< .svg or .html; "": the terminal

  void add(CLI::App& command);
  bool any() const { return bode || nyquist || step || gain; }
  /// Refuses what contradicts itself; before anything is computed.
  void check() const;
  /// Curves into the picture, or to stdout, and the numbers to stdout. Refuses a model without inputs or
  /// outputs, or with too many for one picture.
  void show(const LinearModel& model) const;
};

}  // namespace cardan
