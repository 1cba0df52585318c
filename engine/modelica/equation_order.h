/// Equation order: which equation of a flat model gives which variable. Equations are solved for what
/// they are linear in, from what is known onwards; what is differentiated is found from as few states
/// as can be, so that constraints between potentials are definitions and no equations; what holds
/// between states all the same is differentiated.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/text/imported_model.h"

namespace cardan::modelica {

/// What is known of a variable besides its entry in the model.
struct OrderedVariable {
  std::vector<int> sizes;
  bool isReal = true;
  int preference = 0;  ///< as a state: the higher the rather
};

/// Sorts the variables and equations of `model`. `known`: variables that `when` sets.
void orderEquations(ImportedSections& model,
                    const std::map<std::string, OrderedVariable>& variables,
                    const std::set<std::string>& known, Diagnostics& diagnostics);

}  // namespace cardan::modelica
