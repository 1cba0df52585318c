/// Solvability: whether the model's own equations can determine its unknowns, told from which of
/// them contain which.
#pragma once

#include "engine/equations/model_equations.h"
#include "engine/structure/variable_table.h"

namespace cardan {

/// Reports unknowns that no equation is left for, equations that are too many, and equations that
/// tie states to each other (an index above 1), each by name at its place in the file. Accelerations,
/// forces and signals of components may depend on any unknown. Pre: all rows are bound.
void checkSolvable(const ModelEquations& equations, const VariableTable& table,
                   Diagnostics& diagnostics);

}  // namespace cardan
