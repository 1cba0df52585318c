#include "engine/study/call_text.h"

#include <cctype>

#include "engine/expression/constant_evaluation.h"
#include "engine/text/joined.h"

namespace cardan {

bool looksLikeCall(const std::string& text) {
  const size_t open = text.find('(');
  if (open == 0 || open == std::string::npos || !trimmed(text).ends_with(')')) return false;
  for (size_t i = 0; i < open; ++i) {
    if (std::isalnum(static_cast<unsigned char>(text[i])) == 0 && text[i] != '_') return false;
  }
  return true;
}

std::optional<CallText> readCall(const std::string& text, const SourceMark& at,
                                 Diagnostics& diagnostics) {
  const size_t open = text.find('('), close = text.rfind(')');
  CallText call{text.substr(0, open), {}};
  bool good = true;
  const std::string_view inside = std::string_view(text).substr(open + 1, close - open - 1);
  for (const std::string_view each : splitOutsideBrackets(inside, ',')) {
    const std::string_view part = trimmed(each);
    const auto value =
        readConstant(std::string(part), at.behind(part.data() - text.data()), diagnostics);
    good = good && value;
    if (value) call.arguments.push_back(*value);
  }
  if (!good) return std::nullopt;
  return call;
}

}  // namespace cardan
