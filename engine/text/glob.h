/// Globs: patterns of names with dots.
#pragma once

#include <string_view>

namespace cardan {

/// True of a pattern that may match several texts.
inline bool isGlob(std::string_view text) { return text.find_first_of("*?") != text.npos; }

/// True if `text` matches `glob`: * is any characters but dots, ? one of them, ** any characters.
bool matchesGlob(std::string_view text, std::string_view glob);

}  // namespace cardan
