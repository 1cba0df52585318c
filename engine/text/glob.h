/// Globs: patterns of names with dots.
#pragma once

#include <string_view>

namespace cardan {

/// True if `text` matches `glob`: * is any characters but dots, ? one of them, ** any characters.
bool matchesGlob(std::string_view text, std::string_view glob);

}  // namespace cardan
