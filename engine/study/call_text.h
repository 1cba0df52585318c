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

/// Parts of a text between the separators that stand in no bracket and no quotes, with the place of
/// each one's first character that is no blank.
struct TextPart {
  std::string text;
  size_t offset = 0;
};
std::vector<TextPart> splitOutsideBrackets(const std::string& text, char separator);

/// `at` and so many characters on, where lines are known.
SourceMark movedBy(SourceMark at, size_t characters);

}  // namespace cardan
