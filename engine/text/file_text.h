/// The text of a file that a user names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "engine/text/diagnostics.h"

namespace cardan {

/// The bytes of a file or pipe. Of one that has more than `most` a few beyond these, so that its reader
/// refuses it by its size. Nothing, and reported as "cannot read the WHAT: ...", if it cannot be read.
std::optional<std::string> readFileText(const std::string& path, size_t most, const char* what,
                                        Diagnostics& diagnostics);

}  // namespace cardan
