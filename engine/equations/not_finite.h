/// Names the expression of the file that is infinite or not a number.
#pragma once

#include <optional>
#include <vector>

#include "engine/equations/equations.h"
#include "engine/equations/when_clauses.h"

namespace cardan {

/// At the point (w.y, w.yp, w.tables.time): the first expression among the signals and the model's
/// equations that goes wrong although all that it reads is finite, located in the file ("division
/// by zero in '1/(j.phi - 1)', for 'force.f'"), with what would keep an argument in its domain. Where there is none, one that reads what is not
/// finite; nothing if all are finite. Evaluates `w` anew.
std::optional<Diagnostic> whatIsNotFinite(const Equations& equations, Workspace<double>& w);

/// Expressions that the run hangs on, of the motion and of `when`, and that may hang on a comparison of what is
/// no number, which would be false in silence.
std::vector<const ExpressionVariable*> undecidableIn(const Equations& equations,
                                                     const WhenClauses& whens);

}  // namespace cardan
