/// Listings: of names or lines that may be very many, the first ones and how many there are more.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// "a, b, and 98 more"
std::string joinMost(const std::vector<std::string>& names, size_t most);

/// The line below the first `most` of so many lines: "  and 98 more"; "" where that is all of them.
std::string moreLines(size_t lines, size_t most);

/// A text of several lines as one: line ends with the blanks around them are a blank, and nothing at
/// the ends. Other texts stay as they are.
std::string onOneLine(std::string_view text);

}  // namespace cardan
