#include <algorithm>

#include "engine/expression/expression.h"
#include "engine/expression/functions.h"
#include "engine/expression/tokens.h"
#include "engine/expression/value.h"
#include "engine/text/meanwhile.h"

namespace cardan {
namespace {

constexpr size_t kLongestText = 100000;
constexpr int kDeepestNesting = 200;
// Chains like a + b + c + ... nest to the left without recursion of the parser, but every later
// walk recurses.
constexpr int kDeepestTree = 1000;

using Node = ExpressionTree;

struct ParseError {
  size_t offset;
  std::string text;
};

/// Precedence climbing over the tokens; throws ParseError.
class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Node whole() {
    Node node = expression();
    expectEnd();
    return node;
  }

  std::pair<Node, Node> equation() {
    Node left = expression();
    if (!token().is("=")) {
      fail(token(), "expected '=' between the sides of an equation, found " + describe(token()));
    }
    ++at_;
    return {left, whole()};
  }

 private:
  const Token& token() const { return tokens_[at_]; }

  [[noreturn]] static void fail(const Token& at, std::string text) {
    throw ParseError{at.offset, std::move(text)};
  }

  static std::string describe(const Token& t) {
    if (t.kind == TokenKind::end) return "end of expression";
    if (t.kind == TokenKind::string) return "a string";
    return "'" + std::string(t.source) + "'";
  }

  bool take(std::string_view symbol) {
    if (!token().is(symbol)) return false;
    ++at_;
    return true;
  }

  void expectEnd() {
    const Token& t = token();
    if (t.kind == TokenKind::end) return;
    for (const char* bracket : {")", "]", "}"}) {
      if (t.is(bracket)) fail(t, "'" + std::string(bracket) + "' has no counterpart before it");
    }
    fail(t, "expected an operator, found " + describe(t) + hint(t) + unitHint());
  }

  /// "1 kg", "30 deg": a number with a unit behind it.
  std::string unitHint() const {
    if (at_ == 0 || token().kind != TokenKind::name) return "";
    const Token& before = tokens_[at_ - 1];
    if (before.kind != TokenKind::number) return "";
    const std::string number(before.source), word(token().source);
    double constant = 0;
    if (word == "time" || findConstant(word, constant))
      return "; write '" + number + "*" + word + "'";
    return "; a unit stands behind a number that is the whole value and a blank, as in '30 deg'";
  }

  /// What the author may have meant by a symbol of another language.
  static std::string hint(const Token& t) {
    if (t.is("=")) return "; equality is '=='";
    if (t.is("&&")) return "; write 'and'";
    if (t.is("||")) return "; write 'or'";
    if (t.is("**")) return "; a power is '^'";
    return "";
  }

  static Node make(ExpressionNode node) {
    Node tree = finished(std::move(node));
    if (tree->depth > kDeepestTree) {
      throw ParseError{tree->offset, "expression has more than " + std::to_string(kDeepestTree) +
                                         " operations within each other"};
    }
    return tree;
  }

  static Node make(NodeKind kind, const Token& at, std::vector<Node> arguments) {
    ExpressionNode node;
    node.kind = kind;
    node.offset = at.offset;
    node.arguments = std::move(arguments);
    return make(std::move(node));
  }

  static Node make(Operator op, const Token& at, std::vector<Node> arguments) {
    ExpressionNode node;
    node.kind = arguments.size() == 1 ? NodeKind::unary : NodeKind::binary;
    node.op = op;
    node.offset = at.offset;
    node.arguments = std::move(arguments);
    return make(std::move(node));
  }

  /// One level deeper as long as it lives.
  Meanwhile<int> deeper(const Token& at) {
    if (depth_ >= kDeepestNesting)
      fail(at, "expression is nested deeper than " + std::to_string(kDeepestNesting) + " levels");
    return {depth_, depth_ + 1};
  }

  Node expression() { return token().is("if") ? conditional() : operation(kOr); }

  Node conditional() {
    const auto nesting = deeper(token());
    const Token& first = token();
    std::vector<Node> parts;
    do {
      ++at_;  // if, elseif
      parts.push_back(expression());
      expectWord("then");
      parts.push_back(expression());
    } while (token().is("elseif"));
    expectWord("else");
    parts.push_back(expression());
    return make(NodeKind::conditional, first, std::move(parts));
  }

  void expectWord(std::string_view word) {
    if (take(word)) return;
    fail(token(), "expected '" + std::string(word) + "' of 'if ... then ... else ...', found " +
                      describe(token()) + hint(token()));
  }

  /// Operators that bind at least as tightly as `least`.
  Node operation(int least) {
    Node left = prefixed(least);
    int last = 0;
    while (true) {
      const Token& t = token();
      const bool isWord = t.kind == TokenKind::symbol || t.kind == TokenKind::keyword;
      const auto op = isWord ? binaryOperator(t.source) : std::nullopt;
      const int rank = op ? formOf(*op).rank : -1;
      if (rank < least) return left;
      if (rank == last && last == kComparison) {
        fail(t, "comparisons cannot be chained; combine them with 'and'");
      }
      if (rank == last && last == kPower) {
        fail(t, "powers cannot be chained; use parentheses");
      }
      last = rank;
      ++at_;
      Node right = operation(rank + 1);
      left = make(*op, t, {std::move(left), std::move(right)});
    }
  }

  /// A sign binds like a sum, -x^2 = -(x^2) and -a*b = -(a*b), but may stand in front of any
  /// operand.
  Node prefixed(int least) {
    const Token& t = token();
    if (t.is("not") && least <= kNot) {
      const auto nesting = deeper(t);
      ++at_;
      return make(Operator::logicalNot, t, {operation(kNot)});
    }
    if (t.is("-") || t.is("+")) {
      const auto nesting = deeper(t);
      ++at_;
      return make(t.is("-") ? Operator::negate : Operator::plus, t,
                  {operation(std::max<int>(least, kProduct))});
    }
    return indexed();
  }

  Node indexed() {
    Node node = operand();
    while (token().is("[")) {
      const Token& bracket = token();
      const auto nesting = deeper(bracket);
      ++at_;
      std::vector<Node> parts{std::move(node)};
      do {
        const Token& t = token();
        parts.push_back(take(":") ? make(NodeKind::all, t, {}) : expression());
      } while (take(","));
      close("]", bracket);
      node = make(NodeKind::index, bracket, std::move(parts));
    }
    return node;
  }

  Node operand() {
    const Token& t = token();
    const auto nesting = deeper(t);
    if (t.kind == TokenKind::name) return nameOrCall();
    ExpressionNode node;
    node.offset = t.offset;
    if (t.kind == TokenKind::number) {
      node.number = t.number;
      ++at_;
      return make(std::move(node));
    }
    if (t.kind == TokenKind::string) {
      node.kind = NodeKind::string;
      node.text = t.text;
      ++at_;
      return make(std::move(node));
    }
    if (t.is("true") || t.is("false")) {
      node.kind = NodeKind::boolean;
      node.number = t.is("true") ? 1.0 : 0.0;
      ++at_;
      return make(std::move(node));
    }
    if (take("(")) {
      Node inner = expression();
      close(")", t);
      return inner;
    }
    if (t.is("{") || t.is("[")) return array();
    if (t.is(".") && isOneOf(tokens_[at_ + 1].source,
                             {"nan", "NaN", "NAN", "inf", "Inf", "INF"})) {  // as YAML writes it
      fail(t, "a number must be finite, found '." + std::string(tokens_[at_ + 1].source) + "'");
    }
    const bool after = at_ > 0;
    std::string text = after ? "expected an operand after " + describe(tokens_[at_ - 1])
                             : std::string("expected an expression");
    text += ", found " + describe(t) + hint(t);
    if (t.is("if") || t.is("not")) text += "; put it in parentheses";
    fail(t, std::move(text));
  }

  void close(std::string_view symbol, const Token& opening) {
    if (take(symbol)) return;
    fail(token(), "expected '" + std::string(symbol) + "' to close " + describe(opening) +
                      ", found " + describe(token()) + hint(token()));
  }

  /// {a, b}, [a, b], [a, b; c, d]
  Node array() {
    const Token& opening = token();
    const bool braces = opening.is("{");
    ++at_;
    std::vector<Node> rows;
    bool isMatrix = false;
    do {
      const Token& first = token();
      std::vector<Node> row;
      do {
        row.push_back(expression());
      } while (take(","));
      rows.push_back(make(NodeKind::array, isMatrix ? first : opening, std::move(row)));
      isMatrix = isMatrix || (!braces && token().is(";"));
    } while (!braces && take(";"));
    close(braces ? "}" : "]", opening);
    return isMatrix ? make(NodeKind::matrix, opening, std::move(rows)) : rows[0];
  }

  /// The indices behind an identifier, if they are literal: "[1,3]". Leaves other ones alone.
  bool literalIndices(std::string& name) {
    size_t i = at_ + 1;
    std::string text = "[";
    while (true) {
      const Token& t = tokens_[i];
      if (t.kind != TokenKind::number ||
          t.source.find_first_not_of("0123456789") != std::string_view::npos) {
        return false;
      }
      if (t.number < 1 || t.number > 1e9) {
        fail(t, "index " + std::string(t.source) + " is out of range; the first index is 1");
      }
      text += std::to_string(static_cast<int>(t.number));
      const Token& next = tokens_[i + 1];
      if (!next.is(",") && !next.is("]")) return false;
      text += next.source;
      i += 2;
      if (next.is("]")) break;
    }
    name += text;
    at_ = i;
    return true;
  }

  Node nameOrCall() {
    const Token& first = token();
    ExpressionNode node;
    node.offset = first.offset;
    node.text = first.source;
    ++at_;
    while (true) {
      if (take(".")) {
        const Token& part = token();
        if (part.kind != TokenKind::name && part.kind != TokenKind::keyword) {
          fail(part, "expected a name after '" + node.text + ".', found " + describe(part));
        }
        node.text += "." + std::string(part.source);
        ++at_;
      } else if (!token().is("[") || !literalIndices(node.text)) {
        break;
      }
    }
    if (token().is("(")) return call(std::move(node));
    if (node.text == "time") {
      node.kind = NodeKind::time;
    } else if (findConstant(node.text, node.number)) {
      node.kind = NodeKind::constant;
    } else {
      node.kind = NodeKind::name;
    }
    return make(std::move(node));
  }

  Node call(ExpressionNode node) {
    const Token& opening = token();
    ++at_;
    node.kind = NodeKind::call;
    node.function = findFunction(node.text);
    if (!node.function) throw ParseError{node.offset, faultOfCall(node)};
    if (!token().is(")")) {
      do {
        node.arguments.push_back(expression());
      } while (take(","));
    }
    if (!take(")")) {
      fail(token(), "expected ',' or ')' in the arguments of '" + node.text + "', found " +
                        describe(token()) + hint(token()));
    }
    if (std::string fault = faultOfCall(node); !fault.empty()) fail(opening, std::move(fault));
    return make(std::move(node));
  }

  std::vector<Token> tokens_;
  size_t at_ = 0;
  int depth_ = 0;
};

/// Splits, parses by `parse`, reports.
template <class Parse>
auto parsed(std::string_view text, const SourceMark& at, Diagnostics& diagnostics, Parse parse)
    -> std::optional<decltype(parse(std::declval<Parser&>()))> {
  ParseError error{0, ""};
  if (text.size() > kLongestText) {
    error.text = "expression is longer than " + std::to_string(kLongestText) + " characters";
  } else if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    error.text = "expected an expression, found nothing";
  } else {
    TokenError tokenError;
    Parser parser(splitTokens(text, tokenError));
    if (!tokenError.text.empty()) {
      error = {tokenError.offset, tokenError.text};
    } else {
      try {
        return parse(parser);
      } catch (const ParseError& e) {
        error = e;
      }
    }
  }
  diagnostics.error(at.behind(error.offset), error.text);
  return std::nullopt;
}

}  // namespace

std::optional<Expression> parseExpression(std::string_view text, const SourceMark& at,
                                          Diagnostics& diagnostics) {
  const auto root = parsed(text, at, diagnostics, [](Parser& p) { return p.whole(); });
  if (!root) return std::nullopt;
  return Expression(*root, at);
}

std::optional<Equation> parseEquation(std::string_view text, const SourceMark& at,
                                      Diagnostics& diagnostics) {
  const auto sides = parsed(text, at, diagnostics, [](Parser& p) { return p.equation(); });
  if (!sides) return std::nullopt;
  return Equation{Expression(sides->first, at), Expression(sides->second, at)};
}

}  // namespace cardan
