/// Equilibrium: where a model rests.
#pragma once

#include <string>
#include <vector>

#include "engine/analysis/linear_model.h"

namespace cardan {

struct Equilibrium {
  MotionPoint point;  ///< where the search ended
  bool found = false;
  int iterations = 0;
  bool transient = false;  ///< Newton's method alone did not get there
  /// States that would not stay where they are: names, rates, the rates' units; worst first.
  struct Rest {
    std::string name;
    double rate;
    std::string unit;
  };
  std::vector<Rest> unbalanced;
};

/// From `start` on, all velocities zero: Newton's method for rates of zero over what the constraints
/// leave free, with steps of a fifth of the model's own units at most; where it does not come
/// nearer, pseudo-transient steps (implicit ones in time, velocities taken away after each), which
/// go down the potential. Of directions in which nothing changes the rates, none is moved. Time and
/// modes stay as they are. Throws AnalysisError where a prescribed motion moves at that time.
Equilibrium findEquilibrium(const Model& model, Equations& equations, const MotionPoint& start);

/// "cardan equilibrium": why there is none, by the states that do not rest.
std::string explainNoEquilibrium(const Equilibrium& e);

}  // namespace cardan
