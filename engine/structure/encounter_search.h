/// The search for the pairs of shapes that may touch.
#pragma once

#include <string>
#include <vector>

#include "engine/structure/flat_model.h"

namespace cardan {

/// The name by which a shape is known: a part "boxBody1.shape" has its owner's.
std::string shapeName(const Instance& instance);

/// Instances with a surface, in the order of the file: parts stand where their composites do.
std::vector<int> shapesOf(const FlatModel& flatModel);

/// Shapes of one rigid body do not meet, nor do two that a joint joins, unless they are listed by
/// name. Errors: names that no shape has, a listed pair on one body, a component whose name contacts
/// have.
Encounters findEncounters(const FlatModel& flatModel, const EncounterRules& rules,
                          Diagnostics& diagnostics);

}  // namespace cardan
