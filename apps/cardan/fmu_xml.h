/// modelDescription.xml of an FMU.
#pragma once

#include <string>

#include "apps/fmu/fmu_description.h"

namespace cardan {

/// `fmiVersion`: 2 or 3; `identifier`: of the library in binaries/.
std::string modelDescriptionXml(const FmuDescription& fmu, int fmiVersion,
                                const std::string& identifier, const std::string& description);

}  // namespace cardan
