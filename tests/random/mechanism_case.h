/// One random mechanism, run at two tolerances and two step sequences and judged.
#pragma once

#include "tests/random/mechanism.h"
#include "tests/random/outcome.h"

namespace cardan::random {

/// `cpuSeconds`: limit of each of the three or four runs.
Outcome runMechanism(const Mechanism& m, double cpuSeconds);

}  // namespace cardan::random
