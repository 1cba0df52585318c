/// "logspace(-3, 0, 7)": a name with numbers, as studies have them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/text/diagnostics.h"

namespace cardan {

struct CallText {
  std::string name;
  std::vector<double> arguments;
};

/// True of "word(...)".
bool looksLikeCall(const std::string& text);

/// Reads the name and the arguments, each an expression of constants. Wrong ones are reported, `at`
/// being the place of the first character of `text`. Pre: looksLikeCall(text)
std::optional<CallText> readCall(const std::string& text, const SourceMark& at,
                                 Diagnostics& diagnostics);

}  // namespace cardan
