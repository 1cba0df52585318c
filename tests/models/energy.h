/// Energy of a run, as the largest change relative to what was exchanged.
#pragma once

#include <algorithm>
#include <cmath>

#include "engine/simulation.h"

namespace test {

/// Largest change of totalEnergy since the start over the largest kinetic energy.
inline double energyDrift(const cardan::Trajectory& t) {
  const auto& total = t["totalEnergy"];
  const auto& kinetic = t["kineticEnergy"];
  double change = 0;
  for (double e : total) change = std::max(change, std::abs(e - total.front()));
  return change / *std::max_element(kinetic.begin(), kinetic.end());
}

}  // namespace test
