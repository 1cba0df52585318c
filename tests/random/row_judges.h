/// Laws that every row of a mechanism obeys, whatever the other runs say.
#pragma once

#include <optional>
#include <string>

#include "tests/random/bounded_run.h"
#include "tests/random/mechanism.h"

namespace cardan::random {

struct Violation {
  std::string kind;    ///< the law
  std::string detail;  ///< where, when, by how much
};

/// The first law that some row of the run breaks: closed loops, friction, gaps, conditions, energy.
std::optional<Violation> judgeRows(const Mechanism& m, const BoundedRun& run);

/// Largest |energy + losses - energy at the start| as a share of the energy that has moved; 0 where
/// it is not judged.
double energyError(const Mechanism& m, const BoundedRun& run);

}  // namespace cardan::random
