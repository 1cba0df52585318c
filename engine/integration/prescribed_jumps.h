/// Velocities, voltages, currents and temperatures that jump as what prescribes them does, and the others
/// with them.
#pragma once

#include <vector>

#include "engine/dynamics/completion.h"
#include "engine/equations/equations.h"

namespace cardan {

/// Where a velocity w(t) that something prescribes has jumped, at the point (t, y, yp) and in the modes
/// and with the inputs behind that, all velocities in `y` follow as impulses have it:
///   M (v+ - v-) = G' Lambda,  G v+ = w
/// The change is the one of least kinetic energy, whatever coordinates the mechanism is in. Forces of
/// a finite size do nothing in an instant, friction that sticks among them.
/// States of parts that a potential or flow holds which has jumped (a capacitor across a source of voltage)
/// follow by the charge, flux or heat that an instant without bounds brings:
///   C (v+ - v-) = Q,  v+ = V,  charges balanced at every node
/// False: nothing has jumped by more than rounding, or no impulses bring it there; `y` is as it was.
/// Pre: `yp` is completed there.
bool takeUpPrescribedJumps(double t, std::vector<double>& y, const std::vector<double>& yp,
                           Equations& equations, Completion& completion, Workspace<double>& w);

/// The same where inputs have moved at a point that was completed before.
void followInputs(double t, std::vector<double>& y, const std::vector<double>& yp,
                  Equations& equations, Completion& completion, Workspace<double>& w);

}  // namespace cardan
