/// Student's t distribution: how far an estimate lies from what it estimates.
#pragma once

namespace cardan {

/// The t that so large a share of all values lies between -t and t; infinite for no freedoms.
/// Pre: 0 < share < 1
double studentInterval(double share, double freedoms);

}  // namespace cardan
