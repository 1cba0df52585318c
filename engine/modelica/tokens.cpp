#include "engine/modelica/tokens.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/expression/tokens.h"

namespace cardan::modelica {
namespace {

bool isDigitOfName(char c) { return c >= '0' && c <= '9'; }
bool isLetterOfName(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Sorted. What `initial` and `der` mean follows from where they stand.
constexpr std::array<std::string_view, 59> kWords = {
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
constexpr std::string_view kMarks[] = {"<=", ">=", "==", "<>", ":=", ".+", ".-", ".*", "./", ".^",
                                       "<",  ">",  "=",  "+",  "-",  "*",  "/",  "^",  "(",  ")",
                                       "{",  "}",  "[",  "]",  ",",  ";",  ":",  "."};

class Scanner {
 public:
  Scanner(std::string_view text, const std::string& file, Diagnostics& diagnostics)
      : text_(text), file_(file), diagnostics_(diagnostics) {}

  std::vector<Token> run() {
    tokens_.reserve(text_.size() / 6);
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
    while (skipSpace() && at_ < text_.size() && scan()) {
    }
    tokens_.push_back({TokenKind::end, at(), {}, 0});
    return std::move(tokens_);
  }

 private:
  char peek(size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  Position at() const { return {line_, column_}; }

  /// Over n bytes, counting lines and characters.
  void skip(size_t n) {
    for (const size_t end = std::min(at_ + n, text_.size()); at_ < end; ++at_) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '\n') {
        ++line_;
        column_ = 1;
      } else if ((c & 0xC0U) != 0x80U) {
        ++column_;
      }
    }
  }

  bool fail(Position where, const std::string& what) {
    diagnostics_.error({file_, where.line, where.column}, what);
    at_ = text_.size();
    return false;
  }

  /// Over blanks and comments.
  bool skipSpace() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        skip(1);
      } else if (c == '/' && peek(1) == '/') {
        skip(std::min(text_.find('\n', at_), text_.size()) - at_);
      } else if (c == '/' && peek(1) == '*') {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return fail(at(), "comment '/*' without '*/'");
        skip(end + 2 - at_);
      } else {
        break;
      }
    }
    return true;
  }

  bool scan() {
    const char c = text_[at_];
    if (isLetterOfName(c)) return word();
    if (isDigitOfName(c) || (c == '.' && isDigitOfName(peek(1)))) return number();
    if (c == '"') return quoted('"', TokenKind::string);
    if (c == '\'') return quoted('\'', TokenKind::name);
    for (const std::string_view mark : kMarks) {
      if (text_.substr(at_, mark.size()) != mark) continue;
      add(TokenKind::symbol, mark.size());
      return true;
    }
    size_t n = 1;
    while ((static_cast<unsigned char>(peek(n)) & 0xC0U) == 0x80U) ++n;
    const auto byte = static_cast<unsigned char>(c);
    return fail(at(), byte < 0x20 || byte == 0x7F
                          ? std::string("unexpected control character")
                          : "unexpected character '" + std::string(text_.substr(at_, n)) + "'");
  }

  Token& add(TokenKind kind, size_t length) {
    tokens_.push_back({kind, at(), text_.substr(at_, length), 0});
    skip(length);
    return tokens_.back();
  }

  bool word() {
    size_t n = 1;
    while (isLetterOfName(peek(n)) || isDigitOfName(peek(n))) ++n;
    const bool isWord = std::binary_search(kWords.begin(), kWords.end(), text_.substr(at_, n));
    add(isWord ? TokenKind::keyword : TokenKind::name, n);
    return true;
  }

  bool number() {
    const size_t n = numberLength(text_.substr(at_));
    Token& token = add(TokenKind::number, n);
    const auto read = std::from_chars(token.text.data(), token.text.data() + n, token.number);
    if (read.ec == std::errc::result_out_of_range) {
      return fail(token.at, "number '" + std::string(token.text) + "' is out of range");
    }
    return true;
  }

  /// A string, or a name in single quotes (which are part of it).
  bool quoted(char quote, TokenKind kind) {
    size_t n = 1;
    while (at_ + n < text_.size() && text_[at_ + n] != quote) n += text_[at_ + n] == '\\' ? 2 : 1;
    if (at_ + n >= text_.size()) {
      return fail(at(), kind == TokenKind::string ? "string without '\"' at its end"
                                                  : "name without ' at its end");
    }
    const Position where = at();
    const bool isName = kind == TokenKind::name;
    tokens_.push_back(
        {kind, where, isName ? text_.substr(at_, n + 1) : text_.substr(at_ + 1, n - 1), 0});
    skip(n + 1);
    return true;
  }

  std::string_view text_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  size_t at_ = 0;
  int line_ = 1, column_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

std::string Token::describe() const {
  constexpr size_t most = 40;
  switch (kind) {
    case TokenKind::string:
      return "a string";
    case TokenKind::end:
      return "the end of the file";
    default:
      if (text.size() <= most) return "'" + std::string(text) + "'";
      return "'" + std::string(text.substr(0, most)) + "...'";
  }
}

std::vector<Token> tokensOf(std::string_view text, const std::string& file,
                            Diagnostics& diagnostics) {
  return Scanner(text, file, diagnostics).run();
}

std::string plainName(std::string_view text) {
  std::string name(text);
  if (!name.starts_with('\'')) return name;
  name = name.substr(1, name.size() - 2);
  for (char& c : name) {
    if (!isLetterOfName(c) && !isDigitOfName(c)) c = '_';
  }
  if (name.empty() || isDigitOfName(name[0])) name.insert(0, "_");
  const bool isWord = std::binary_search(kWords.begin(), kWords.end(), name) || name == "time";
  return isWord ? name + "_" : name;
}

std::string withoutEscapes(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    switch (text[++i]) {
      case 'n':
        result += '\n';
        break;
      case 't':
        result += '\t';
        break;
      case 'r':
      case 'a':
      case 'b':
      case 'f':
      case 'v':
        result += ' ';
        break;
      default:
        result += text[i];
    }
  }
  return result;
}

}  // namespace cardan::modelica
