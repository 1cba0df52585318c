/// The largest full matrix that a model may need.
#pragma once

#include "engine/structure/flat_model.h"

namespace cardan {

/// Refuses a full matrix of that size before its memory is asked for; `unknowns` of the model.
void refuseTooLarge(double rows, double columns, int unknowns, const FlatModel& model,
                    Diagnostics& diagnostics);

/// The same, at once. Throws ModelError.
void throwIfTooLarge(double rows, double columns, int unknowns, const FlatModel& model);

}  // namespace cardan
