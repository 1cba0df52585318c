/// Singular starts: whether a motion leads out of a position where several branches meet.
#pragma once

#include <vector>

#include "engine/initialisation/linearisation.h"

namespace cardan {

struct Stranded {
  int multiplier = -1;  ///< whose constraint is violated most; -1: nothing is wrong
  bool atRest = false;  ///< the accelerations are to blame, else the velocities
};

/// In a singular position some combination n of the constraints has no slope, n' G = 0. Of what the
/// other constraints allow, only directions d with n' H(d, d) = 0 (H: second derivatives of the
/// constraints) belong to a motion. Looks whether the velocities are such a direction, or the
/// accelerations where the start is at rest.
///
/// `redundantRows` (multipliers, ascending) say nothing new anywhere and are left out.
Stranded strandedAt(Linearisation& at, double time, const std::vector<double>& y,
                    const std::vector<double>& yp, const std::vector<int>& redundantRows);

}  // namespace cardan
