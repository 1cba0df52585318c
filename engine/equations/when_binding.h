/// What the file says under `when` and `assert`, bound to the variables of the model.
#pragma once

#include <set>

#include "engine/equations/own_equations.h"
#include "engine/equations/when_clauses.h"
#include "engine/structure/layout.h"

namespace cardan {

class Equations;

/// All variables of the table that an expression reads, however far away.
std::set<int> readBy(const ExpressionVariable& e, const VariableTable& table);

/// Puts the variables that `when` sets into the table.
void addDiscretes(WhenClauses& whens, const OwnEquations& equations, ModelSource& model,
                  VariableTable& table, ParameterTable& parameters, Diagnostics& diagnostics);

/// Binds conditions and what they lead to. Pre: all names are in the table.
void bindWhens(WhenClauses& whens, const OwnEquations& equations, const ModelSource& model,
               VariableTable& table, ParameterTable& parameters, Diagnostics& diagnostics);

/// Finds the unknown that every `reinit` moves; reports those that name no state.
void bindReinits(WhenClauses& whens, const Equations& equations, const VariableTable& table,
                 Diagnostics& diagnostics);

}  // namespace cardan
