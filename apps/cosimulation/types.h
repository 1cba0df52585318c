/// The types of components that are made outside of the catalogue.
#pragma once

#include "components/catalogue_entry.h"

namespace cardan {

/// `type: FMU`, which runs native code of others. `CARDAN_FMU=refuse` in the environment: a model that has
/// one is refused, with how to allow it; programs that run texts of others set it.
Catalogue foreignTypes();

/// The catalogue, and behind it these.
const Catalogue& allTypes();

}  // namespace cardan
