/// Agreement of runs of one mechanism at different tolerances and step sequences.
#pragma once

#include <string>
#include <vector>

#include "tests/random/bounded_run.h"
#include "tests/random/mechanism.h"

namespace cardan::random {

/// Difference of two runs on the output grid: the largest so far, as a share of what moves, for
/// positions, velocities, angular velocities and joint coordinates. All of them are continuous, so
/// that events a little earlier or later do not count.
std::vector<double> deviation(const Mechanism& m, const BoundedRun& a, const BoundedRun& b);

/// How an error may grow before it counts as wrong.
struct AgreementVerdict {
  bool agree = true;
  bool sensitive = false;  ///< errors of all runs grow large, the tighter run's later
  std::string kind, detail;
};

/// `runs` against `exact`, the tightest of all.
AgreementVerdict judgeAgreement(const Mechanism& m, const std::vector<const BoundedRun*>& runs,
                                const BoundedRun& exact);

}  // namespace cardan::random
