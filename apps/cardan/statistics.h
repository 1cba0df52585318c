/// The table of `cardan simulate --stats`.
#pragma once

#include <string>

#include "engine/simulation.h"

namespace cardan {

std::string formatStatistics(const RunReport& report);

}  // namespace cardan
