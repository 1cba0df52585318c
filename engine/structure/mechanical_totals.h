/// Mechanical totals: energy and momentum of the whole model as variables.
#pragma once

#include <string>
#include <vector>

#include "engine/structure/variable_table.h"

namespace cardan {

/// Numbers of a component's contribution (Variables::mechanics): kinetic energy, potential energy, p_0[3],
/// L_0[3].
inline constexpr size_t kContribution = 8;

/// Adds kineticEnergy, potentialEnergy, totalEnergy [J], linearMomentum [N.s] and angularMomentum
/// [N.m.s] (about the world's origin, both resolved in world), except for names that are `taken`.
/// Nothing is added where nothing has energy.
void addMechanicalTotals(VariableTable& table, const std::vector<std::string>& taken);

}  // namespace cardan
