/// The catalogue: every class a model file may name, in one visible list.
#pragma once

#include "components/catalogue_entry.h"

namespace cardan {

/// All classes, in the order in which they are listed to the user.
const Catalogue& catalogue();

}  // namespace cardan
