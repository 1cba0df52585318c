/// Scaling: finds the scales of a model and what follows from them, from its motion at the start.
#pragma once

#include "engine/equations/equations.h"

namespace cardan {

/// Length scale, units of the constraint rows and typical positions, at the motion in `w`.
void scaleLengths(Equations& equations, const Workspace<double>& w);

/// Time scale and typical velocities, at the start in `w`. `duration` [s] of the run, 0: unknown;
/// what moves slowly is looked at for long.
void scaleTimes(Equations& equations, const Workspace<double>& w, double duration);

}  // namespace cardan
