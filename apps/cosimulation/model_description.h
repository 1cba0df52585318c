/// What modelDescription.xml says, of FMI 2.0 and 3.0.
#pragma once

#include <string>

#include "apps/cosimulation/fmu_file.h"

namespace cardan::cosimulation {

/// Into all of `fmu` but its path. Throws std::runtime_error with a sentence about what is wrong.
void readModelDescription(const std::string& xml, FmuFile& fmu);

}  // namespace cardan::cosimulation
