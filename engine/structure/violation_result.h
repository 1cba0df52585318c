/// The result contactViolation: by how much laws of contact could not be kept.
#pragma once

#include <string>
#include <vector>

#include "engine/structure/flat_model.h"
#include "engine/structure/variable_table.h"

namespace cardan {

/// Adds contactViolation [1] (View::contactViolation) to a model with components between frames that have
/// modes, unless `taken` has the name.
void addViolationResult(VariableTable& table, const FlatModel& flat,
                        const std::vector<std::string>& taken);

}  // namespace cardan
