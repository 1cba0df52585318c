#include "engine/expression/tokens.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace cardan {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

constexpr std::string_view kKeywords[] = {"if", "then", "elseif", "else", "and",
                                          "or", "not",  "true",   "false"};

// Longer ones first.
constexpr std::string_view kSymbols[] = {
    "<=", ">=", "==", "<>", "!=", ".+", ".-", ".*", "./", ".^", "**", "&&", "||", "<", ">", "=",
    "+",  "-",  "*",  "/",  "^",  "(",  ")",  "{",  "}",  "[",  "]",  ",",  ";",  ":", "."};

class Splitter {
 public:
  Splitter(std::string_view text, TokenError& error) : text_(text), error_(error) {}

  std::vector<Token> run() {
    while (skipSpace(), at_ < text_.size()) {
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

  void skipSpace() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
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
    const bool keyword = isKeyword(source);
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
        c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
      }
      content += c;
    }
    if (at_ + n >= text_.size()) {
      return fail(at_, std::string("missing ") + quote + " at the end of a string");
    }
    add(TokenKind::string, n + 1).text = std::move(content);
    return true;
  }

  bool symbol() {
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view s : kSymbols) {
      if (!rest.starts_with(s)) continue;
      add(TokenKind::symbol, s.size());
      return true;
    }
    size_t n = 1;  // a whole UTF-8 character
    while (n < rest.size() && n < 4 && (static_cast<unsigned char>(rest[n]) & 0xC0U) == 0x80U) ++n;
    const auto code = static_cast<unsigned char>(rest[0]);
    const bool printable = code > 0x20 && code != 0x7F;
    return fail(at_,
                "unexpected character" + (printable ? " '" + std::string(rest.substr(0, n)) + "'"
                                                    : " with code " + std::to_string(code)));
  }

  std::string_view text_;
  TokenError& error_;
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
  return std::find(std::begin(kKeywords), std::end(kKeywords), word) != std::end(kKeywords);
}

std::vector<Token> splitTokens(std::string_view text, TokenError& error) {
  return Splitter(text, error).run();
}

}  // namespace cardan
