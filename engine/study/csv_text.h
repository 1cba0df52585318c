/// CSV as studies read and write it: fields in quotes where they are texts, a row a line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/escaped.h"

namespace cardan {

/// A number or word as it is, anything else as csvText().
std::string csvValue(const std::string& text);

/// The fields of a line, without quotes. Nothing where a quote is left open.
std::optional<std::vector<std::string>> splitCsvLine(std::string_view line);

}  // namespace cardan
