/// Singular starts: whether a motion leads out of a position where several branches meet.
#pragma once

#include <vector>

#include "engine/dynamics/evaluation_point.h"

namespace cardan {

/// In a singular position some combination n of the constraints has no slope, n' G = 0. Of what the
/// other constraints allow, only directions d with n' H(d, d) = 0 (H: second derivatives of the
/// constraints) belong to a motion. Looks whether the velocities are such a direction; from rest
/// the forces choose one. Returns the multiplier of the constraint that is violated most, -1: none.
///
/// `redundantRows` (multipliers, ascending) say nothing new anywhere and are left out.
int strandedAt(EvaluationPoint& at, double time, const std::vector<double>& y,
               const std::vector<double>& yp, const std::vector<int>& redundantRows);

}  // namespace cardan
