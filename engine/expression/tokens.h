/// Splits the text of an expression, or of a Modelica file, into tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/text/words.h"

namespace cardan {

enum class TokenKind { number, string, name, keyword, symbol, end };

struct Token {
  TokenKind kind = TokenKind::end;
  size_t offset = 0;        ///< of its first character
  std::string_view source;  ///< as written; of a name only its first identifier (in its quotes)
  double number = 0.0;
  std::string text;  ///< of a string, without quotes and escapes

  bool is(std::string_view symbolOrKeyword) const { return isOneOf({symbolOrKeyword}); }
  bool isOneOf(std::initializer_list<std::string_view> symbolsOrKeywords) const {
    return (kind == TokenKind::symbol || kind == TokenKind::keyword) &&
           cardan::isOneOf(source, symbolsOrKeywords);
  }
};

/// What stopped the splitting: `text` is empty if nothing did.
struct TokenError {
  size_t offset = 0;
  std::string text;
};

/// How many characters of `text`, from its first digit or point on, are a number: 1, 2., .5, 1e-3; the
/// point of an elementwise operator ("2.*x") is not part of it.
size_t numberLength(std::string_view text);

/// True of `if`, `and`, `true`, ...: no name of anything.
bool isKeyword(std::string_view word);

/// True of words that Modelica's grammar has: no names there.
bool isModelicaWord(std::string_view word);

/// Modelica files have comments, more words, names in quotes and no strings in single ones.
enum class Dialect { expression, modelica };

/// Tokens of `text`, the last one being the end. They point into `text`.
std::vector<Token> splitTokens(std::string_view text, TokenError& error,
                               Dialect dialect = Dialect::expression);

}  // namespace cardan
