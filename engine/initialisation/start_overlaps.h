/// Shapes that overlap at the start of a run, and push each other apart from there.
#pragma once

#include <string>
#include <vector>

#include "engine/equations/equations.h"
#include "engine/structure/variable_table.h"

namespace cardan {

/// A warning of the pairs that overlap by more than a twentieth of the smaller one's in-radius at the
/// point (time, y, yp), the deepest first; "" where none does.
std::string startOverlaps(const Equations& equations, const FlatModel& flatModel,
                          const VariableTable& variables, double time, const std::vector<double>& y,
                          const std::vector<double>& yp);

}  // namespace cardan
