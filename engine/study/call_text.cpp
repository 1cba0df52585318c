#include "engine/study/call_text.h"

#include <cctype>

#include "engine/expression/constant_evaluation.h"

namespace cardan {
namespace {

constexpr const char* kBlanks = " \t\r\n";

TextPart trimmed(const std::string& text, size_t begin, size_t end) {
  while (begin < end && std::isspace(static_cast<unsigned char>(text[begin])) != 0) ++begin;
  while (end > begin && std::isspace(static_cast<unsigned char>(text[end - 1])) != 0) --end;
  return {text.substr(begin, end - begin), begin};
}

}  // namespace

SourceMark movedBy(SourceMark at, size_t characters) {
  if (at.line > 0) at.column += characters;
  return at;
}

std::vector<TextPart> splitOutsideBrackets(const std::string& text, char separator) {
  std::vector<TextPart> parts;
  int depth = 0;
  char quote = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == separator && depth == 0) {
      parts.push_back(trimmed(text, begin, i));
      begin = i + 1;
    }
  }
  parts.push_back(trimmed(text, begin, text.size()));
  return parts;
}

bool looksLikeCall(const std::string& text) {
  const size_t open = text.find('(');
  if (open == 0 || open == std::string::npos || text[text.find_last_not_of(kBlanks)] != ')')
    return false;
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
  for (const TextPart& part : splitOutsideBrackets(text.substr(open + 1, close - open - 1), ',')) {
    const auto value = readConstant(part.text, movedBy(at, open + 1 + part.offset), diagnostics);
    good = good && value;
    if (value) call.arguments.push_back(*value);
  }
  if (!good) return std::nullopt;
  return call;
}

}  // namespace cardan
