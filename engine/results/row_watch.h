/// RowWatch: who looks at the whole model wherever a row is written.
#pragma once

#include <span>
#include <vector>

#include "components/view.h"

namespace cardan {

class RowWatch {
 public:
  virtual ~RowWatch() = default;
  /// Variables that it reads, by their place in the model's table.
  virtual const std::vector<int>& variables() const = 0;
  /// What it reads besides; from Level::Acceleration on, accelerations and forces are solved for.
  virtual Level level() const = 0;
  /// The model at time t [s]; `values`: the elements of variables(), one after another.
  virtual void look(double t, const View<double>& x, std::span<const double> values) = 0;
};

}  // namespace cardan
