/// Regularisation of the constraint rows, measured against the model itself.
#pragma once

#include "engine/dynamics/completion.h"
#include "engine/equations/equations.h"

namespace cardan {

/// Chooses eps of the rows G v - eps (lambda - lambda_ref) = 0 and g - eps mu = 0, the typical size of
/// lambda and mu, and W, by which der(q) = v + W G' mu.
///
/// W says which way positions return to the constraints. Along G' alone, radians and metres would
/// weigh alike, so that the way hangs on the unit of length, and a step of order one leaves what no
/// error test sees: integration may then stay at order one for the whole run. Along M^-1 G', as a
/// force of the constraint would move them, it is the same way in all units; the inverse of M's
/// diagonal serves as well and costs nothing.
///
/// eps keeps the Newton matrix regular where rows become dependent for an instant (four-bars that
/// pass their flat position), and what rounding leaves in a row bounded in its multiplier. It also
/// is a damper in every loop that takes lambda^2 eps of power. Both are in proportion to what a
/// force of the row moves: on velocity level (G M^-1 G')_ii, taken with the diagonal of M, and on
/// position level (G W G')_ii, so that eps = 1e-12 of it times the model's time. Rows of one joint in
/// one unit share the largest of these, as one of them alone may have no arm at the start.
///
/// No eps where it would not be stable, see regularisationIsStable(), nor in rows whose coefficients are
/// the same everywhere (gears, prescribed motions, connections of flanges), which cannot become dependent:
/// the slip of eps lambda would be a motion to frictions that stick behind them and share a load by it. `completion` holds the
/// equations of the start, `rows` those of all constraints by v where some are redundant.
void regularise(Equations& equations, const Completion& completion, const BlockMatrix& rows);

/// The regularised rows G v - eps lambda = 0 hold G v at zero by der(G v) = -K G v/eps with
/// K = G M^-1 X', X' the columns of the multipliers in the equations of motion. True unless K has
/// an eigenvalue of negative real part, so that eps would drive G v away within nanoseconds: where
/// a rotor's inertia is taken out of a carrier that has less of its own (Rotor1D), M is indefinite.
bool regularisationIsStable(const Completion& completion, const Layout& layout);

}  // namespace cardan
