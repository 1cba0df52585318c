/// Contact pairs: the components between shapes of a model that may touch.
#pragma once

#include <functional>

#include "engine/model_file/parameter_table.h"
#include "engine/structure/flat_model.h"

namespace cardan {

/// Reads a component's parameters.
using ReadComponent =
    std::function<void(const ComponentDescription&, Component&, Diagnostics& diagnostics)>;

/// A component for each pair, connected to its shapes; what was found is in `flat.encounters`, those
/// for which there is no law among what is left out. `examine` only finds the mistakes.
Additions makeContactPairs(const ContactsDescription& contacts, FlatModel& flat,
                           ParameterTable& parameters, const ReadComponent& read,
                           const ReadComponent& examine, Diagnostics& diagnostics);

}  // namespace cardan
