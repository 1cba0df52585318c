#include "engine/expression/tokens.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cardan {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Sorted. What `initial` and `der` mean follows from where they stand.
constexpr std::array<std::string_view, 59> kModelicaWords = {
    "algorithm",   "and",          "annotation", "block",       "break",
    "class",       "connect",      "connector",  "constant",    "constrainedby",
    "der",         "discrete",     "each",       "else",        "elseif",
    "elsewhen",    "encapsulated", "end",        "enumeration", "equation",
    "expandable",  "extends",      "external",   "false",       "final",
    "flow",        "for",          "function",   "if",          "import",
    "impure",      "in",           "initial",    "inner",       "input",
    "loop",        "model",        "not",        "operator",    "or",
    "outer",       "output",       "package",    "parameter",   "partial",
    "protected",   "public",       "pure",       "record",      "redeclare",
    "replaceable", "return",       "stream",     "then",        "true",
    "type",        "when",         "while",      "within"};

// Longer ones first.
constexpr std::string_view kSymbols[] = {
    "<=", ">=", "==", "<>", ":=", "!=", ".+", ".-", ".*", "./", ".^", "**", "&&", "||", "<", ">",
    "=",  "+",  "-",  "*",  "/",  "^",  "(",  ")",  "{",  "}",  "[",  "]",  ",",  ";",  ":", "."};

class Splitter {
 public:
  Splitter(std::string_view text, TokenError& error, Dialect dialect)
      : text_(text), error_(error), isModelica_(dialect == Dialect::modelica) {}

  std::vector<Token> run() {
    tokens_.reserve(text_.size() / 6);
    while (skipSpace() && at_ < text_.size()) {
      const char c = text_[at_];
      const bool fine = isDigit(c) || (c == '.' && isDigit(peek(1))) ? number()
                        : isLetter(c)                                ? word()
                        : c == '"' || c == '\''                      ? string(c)
                                                                     : symbol();
      if (!fine) break;
    }
    tokens_.push_back({TokenKind::end, text_.size(), {}, 0.0, {}});
    return std::move(tokens_);
  }

 private:
  char peek(size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  /// Over blanks and comments.
  bool skipSpace() {
    while (at_ < text_.size()) {
      const char next = isModelica_ && text_[at_] == '/' ? peek(1) : ' ';
      if (std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) {
        ++at_;
      } else if (next == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (next == '*') {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == text_.npos) return fail(at_, "comment '/*' without '*/'");
        at_ = end + 2;
      } else {
        break;
      }
    }
    return true;
  }

  Token& add(TokenKind kind, size_t length) {
    tokens_.push_back({kind, at_, text_.substr(at_, length), 0.0, {}});
    at_ += length;
    return tokens_.back();
  }

  bool fail(size_t at, std::string text) {
    error_ = {at, std::move(text)};
    return false;
  }

  bool number() {
    const size_t n = numberLength(text_.substr(at_));
    const size_t start = at_;
    Token& token = add(TokenKind::number, n);
    const auto result = std::from_chars(token.source.data(), token.source.data() + n, token.number);
    if (result.ec == std::errc::result_out_of_range) {
      return fail(start, "number '" + std::string(token.source) + "' is out of range");
    }
    return true;
  }

  bool word() {
    size_t n = 1;
    while (isLetter(peek(n)) || isDigit(peek(n))) ++n;
    const std::string_view source = text_.substr(at_, n);
    const bool keyword = isModelica_ ? isModelicaWord(source) : isKeyword(source);
    add(keyword ? TokenKind::keyword : TokenKind::name, n);
    return true;
  }

  bool string(char quote) {
    std::string content;
    size_t n = 1;
    for (; at_ + n < text_.size() && text_[at_ + n] != quote; ++n) {
      char c = text_[at_ + n];
      if (c == '\\' && at_ + n + 1 < text_.size()) {
        c = text_[at_ + ++n];
        const bool isBlank = isModelica_ && std::string_view("rabfv").find(c) != text_.npos;
        c = c == 'n' ? '\n' : c == 't' ? '\t' : isBlank ? ' ' : c;
      }
      content += c;
    }
    const bool isName = isModelica_ && quote == '\'';
    if (at_ + n >= text_.size()) {
      return fail(at_, isName        ? "name without ' at its end"
                       : isModelica_ ? "string without '\"' at its end"
                                     : std::string("missing ") + quote + " at the end of a string");
    }
    add(isName ? TokenKind::name : TokenKind::string, n + 1).text = std::move(content);
    return true;
  }

  bool symbol() {
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view s : kSymbols) {
      const bool isOther =
          s == ":=" ? !isModelica_ : isModelica_ && isOneOf(s, {"!=", "**", "&&", "||"});
      if (isOther || !rest.starts_with(s)) continue;
      add(TokenKind::symbol, s.size());
      return true;
    }
    size_t n = 1;  // a whole UTF-8 character
    while (n < rest.size() && n < 4 && (static_cast<unsigned char>(rest[n]) & 0xC0U) == 0x80U) ++n;
    const auto code = static_cast<unsigned char>(rest[0]);
    const bool printable = code > 0x20 && code != 0x7F;
    if (isModelica_ && !printable) return fail(at_, "unexpected control character");
    return fail(at_,
                "unexpected character" + (printable ? " '" + std::string(rest.substr(0, n)) + "'"
                                                    : " with code " + std::to_string(code)));
  }

  std::string_view text_;
  TokenError& error_;
  bool isModelica_;
  size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

size_t numberLength(std::string_view text) {
  size_t n = 0;
  const auto peek = [&](size_t at) { return at < text.size() ? text[at] : '\0'; };
  const auto skipDigits = [&] {
    while (isDigit(peek(n))) ++n;
  };
  skipDigits();
  if (peek(n) == '.' && std::string_view("+-*/^").find(peek(n + 1)) == std::string_view::npos) {
    ++n;
    skipDigits();
  }
  if (peek(n) == 'e' || peek(n) == 'E') {
    const size_t sign = peek(n + 1) == '+' || peek(n + 1) == '-' ? 1 : 0;
    if (isDigit(peek(n + 1 + sign))) {
      n += 1 + sign;
      skipDigits();
    }
  }
  return n;
}

bool isKeyword(std::string_view word) {
  return isOneOf(word, {"if", "then", "elseif", "else", "and", "or", "not", "true", "false"});
}

bool isModelicaWord(std::string_view word) {
  return std::binary_search(kModelicaWords.begin(), kModelicaWords.end(), word);
}

std::vector<Token> splitTokens(std::string_view text, TokenError& error, Dialect dialect) {
  return Splitter(text, error, dialect).run();
}

}  // namespace cardan
