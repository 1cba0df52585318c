/// Models that show single types, as a file that is part of the program.
#pragma once

#include <string_view>

namespace cardan {

/// "written_examples.yaml"; "" for other names.
std::string_view embeddedExamples(std::string_view name);

}  // namespace cardan
