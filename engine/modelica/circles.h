/// Circles among variables: a variable that is an expression must not depend on itself through others.
#pragma once

#include <vector>

#include "engine/text/imported_model.h"

namespace cardan::modelica {

/// Of the variables of a body those on circles of expressions, and between them, by their places.
std::vector<size_t> onCircles(const ImportedSections& body);

}  // namespace cardan::modelica
