/// Parameters with `fixed = false` that an initial equation gives by other parameters.
#pragma once

#include "engine/modelica/evaluation.h"

namespace cardan::modelica {

/// `initial equation p = f(q)`: p has that value before the run, as if it were declared with it. Such an
/// equation says nothing more (Component::givenBy). `p = time` is the experiment's StartTime where a value is
/// needed before the run, as for samples, and has to hold. `pre(x) = f(q)` of what `when` sets is its start.
void giveParameters(Instance& model, Evaluation& evaluation);

}  // namespace cardan::modelica
