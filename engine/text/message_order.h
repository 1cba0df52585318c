/// MessageOrder: messages as a reader gets them: by place, those that only repeat each other once. Here is
/// Diagnostics::format(), too, which puts them into lines.
#pragma once

#include <string>
#include <vector>

#include "engine/text/diagnostics.h"

namespace cardan {

/// Messages by file, line and column, each with its notes behind it. From the fourth of them on,
/// messages of one line that differ in the element of an array alone become a count behind the
/// first; one that is there already is left out.
std::vector<Diagnostic> inReadingOrder(const std::vector<Diagnostic>& all);

/// The text of the first error, where there is room for one.
std::string firstErrorOf(const ModelError& e);

}  // namespace cardan
