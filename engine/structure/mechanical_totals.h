/// Mechanical totals: energy and momentum of the whole model as variables.
#pragma once

#include <string>
#include <vector>

#include "engine/structure/variable_table.h"

namespace cardan {

/// Adds kineticEnergy, potentialEnergy, totalEnergy [J], linearMomentum [N.s] and angularMomentum
/// [N.m.s] (about the world's origin, both resolved in world), except for names that are `taken`.
/// Nothing is added where nothing has energy.
void addMechanicalTotals(VariableTable& table, const std::vector<std::string>& taken);

}  // namespace cardan
