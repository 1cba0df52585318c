#include "tests/layering/source_tokens.h"

#include <cctype>
#include <set>
#include <sstream>

namespace {

// Words of the language: these are what they are, any other word is a name.
const std::set<std::string> kWords{
    "auto",    "bool",       "break",       "case",     "catch",    "char",     "class",
    "const",   "const_cast", "constexpr",   "continue", "default",  "delete",   "do",
    "double",  "else",       "enum",        "explicit", "extern",   "false",    "final",
    "float",   "for",        "friend",      "if",       "inline",   "int",      "long",
    "mutable", "namespace",  "new",         "noexcept", "nullptr",  "operator", "override",
    "private", "protected",  "public",      "requires", "return",   "short",    "signed",
    "sizeof",  "static",     "static_cast", "std",      "struct",   "switch",   "template",
    "this",    "throw",      "true",        "try",      "typename", "union",    "unsigned",
    "using",   "virtual",    "void",        "volatile", "while"};

// What is alike after up to so many lines is the row of a table, not another thought.
constexpr std::size_t kRow = 3;

bool inWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The end of what is quoted from `at` on.
std::size_t endOfQuote(const std::string& code, std::size_t at) {
  const char quote = code[at++];
  while (at < code.size() && code[at] != quote) at += code[at] == '\\' ? 2 : 1;
  return std::min(at + 1, code.size());
}

// The text of a file with blanks in place of comments, and with raw strings as empty ones.
std::string withoutComments(const std::string& text) {
  std::string code;
  const auto skipTo = [&](std::size_t from, const std::string& end, std::size_t at) {
    const std::size_t stop = std::min(text.find(end, from), text.size());
    for (std::size_t i = at; i < stop; ++i)
      if (text[i] == '\n') code += '\n';
    return std::min(stop + (end == "\n" ? 0 : end.size()), text.size());
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text.compare(at, 2, "//") == 0) {
      at = skipTo(at, "\n", at);
    } else if (text.compare(at, 2, "/*") == 0) {
      at = skipTo(at + 2, "*/", at);
    } else if (text.compare(at, 2, "R\"") == 0 && (at == 0 || !inWord(text[at - 1]))) {
      const std::size_t open = text.find('(', at);
      code += "\"\"";
      at = skipTo(open, ")" + text.substr(at + 2, open - at - 2) + "\"", at);
    } else if (text[at] == '"' || (text[at] == '\'' && (at == 0 || !inWord(text[at - 1])))) {
      const std::size_t end = endOfQuote(text, at);
      code.append(text, at, end - at);
      at = end;
    } else {
      code += text[at++];
    }
  }
  return code;
}

}  // namespace

void SourceTokens::add(const std::string& file, const std::string& text) {
  std::istringstream original(text);
  std::istringstream code(withoutComments(text));
  std::string line;
  std::string shown;
  for (int number = 1; std::getline(code, line) && std::getline(original, shown); ++number) {
    const std::size_t first = shown.find_first_not_of(" \t");
    if (first == std::string::npos || shown[first] == '#') continue;
    const std::size_t had = tokens_.size();
    lines_.push_back({file, number, shown.substr(first), size(), false});
    addLine(line);
    if (tokens_.size() == had) lines_.pop_back();
  }
  // No passage goes on in the next file.
  lines_.push_back({file, 0, "", size(), false});
  addToken("end of " + file, false);
}

void SourceTokens::addLine(const std::string& code) {
  bool says = false;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t begin = at;
    const auto c = static_cast<unsigned char>(code[at]);
    if (std::isspace(c) != 0) {
      ++at;
    } else if (c == '"' || c == '\'') {
      at = endOfQuote(code, at);
      addToken("\"\"", false);
    } else if (inWord(code[at])) {
      const bool number = std::isdigit(c) != 0;
      while (at < code.size() &&
             (inWord(code[at]) || (number && (code[at] == '.' || code[at] == '\''))))
        ++at;
      const std::string word = code.substr(begin, at - begin);
      addToken(number ? "0" : word, !number && !kWords.contains(word));
      says = true;
    } else {
      addToken(std::string(1, code[at++]), false);
    }
  }
  Line& line = lines_.back();
  line.counts = says && !code.ends_with("override;");
  for (std::size_t back = 1; back <= kRow && back < lines_.size(); ++back)
    if (sameShapeAsLast(static_cast<int>(lines_.size() - 1 - back))) line.counts = false;
}

void SourceTokens::addToken(const std::string& word, bool name) {
  const auto [at, isNew] = words_.try_emplace(word, static_cast<int>(last_.size()));
  if (isNew) last_.push_back(-1);
  tokens_.push_back({at->second, name, last_[at->second], static_cast<int>(lines_.size()) - 1});
  last_[at->second] = size() - 1;
}

int SourceTokens::meaning(int token, int from) const {
  const Token& it = tokens_[token];
  if (!it.name) return -1 - it.word;
  return it.before < from ? 0 : token - it.before;
}

bool SourceTokens::sameShapeAsLast(int line) const {
  const int one = lines_[line].begin;
  const int last = lines_.back().begin;
  const int length = lines_[line + 1].begin - one;
  if (size() - last != length) return false;
  for (int i = 0; i < length; ++i)
    if (meaning(one + i, one) != meaning(last + i, last)) return false;
  return true;
}
