/// StepResponse: outputs of a linear model after a step of one input.
#pragma once

#include <vector>

#include "engine/analysis/linear_model.h"

namespace cardan {

/// How an output gets to where it goes. What it does not do is not a number.
struct Settling {
  double rest;       ///< where it goes; where it does not settle: where it is at the end
  double rise;       ///< [s]  from 10 % to 90 % of that
  double overshoot;  ///< [1]  of that
  double
      settled;  ///< [s]  when it has come within 2 % of that, for good; of its largest if that is 0
};

/// From the point on, deviations from it: the input goes up by one at t = 0 and stays.
struct StepResponse {
  std::vector<double> t;               ///< [s]  close while something is fast
  std::vector<std::vector<double>> y;  ///< per output
  std::vector<double> rest;            ///< per output: where it goes; infinity: nowhere
  std::vector<Settling> settling;      ///< per output: between the times t, too

  /// Exact at each t. `span` [s]: 0: until all that settles has, or what grows has grown. In `count` parts of
  /// it, or samples, and finer where modes have not faded.
  static StepResponse of(const LinearModel& model, int input, double span = 0, int count = 1000);
};

}  // namespace cardan
