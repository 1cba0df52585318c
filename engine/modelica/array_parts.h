/// Arrays of components that are all alike, as one component with a count.
#pragma once

#include "engine/text/imported_model.h"

namespace cardan::modelica {

/// `wheel[1]`, `wheel[2]`, ... of one type with the same arguments become `wheel: {..., count: 2}`.
void joinArrays(ImportedSections& sections);

}  // namespace cardan::modelica
