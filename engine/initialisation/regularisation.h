/// Whether constraints may be regularised.
#pragma once

#include "engine/initialisation/completion.h"
#include "engine/layout.h"

namespace cardan {

/// The regularised rows G v - eps lambda = 0 hold G v at zero by der(G v) = -K G v/eps with
/// K = G M^-1 X', X' the columns of the multipliers in the equations of motion. True unless K has
/// an eigenvalue of negative real part, so that eps would drive G v away within nanoseconds: where
/// a rotor's inertia is taken out of a carrier that has less of its own (Rotor1D), M is indefinite.
///
/// `completion` holds the equations of the start.
bool regularisationIsStable(const Completion& completion, const Layout& layout);

}  // namespace cardan
