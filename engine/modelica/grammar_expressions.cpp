// The rules of expressions.
#include "engine/modelica/grammar.h"

namespace cardan::modelica {

Expression Grammar::made(ExpressionKind kind, Position position) const {
  Expression e;
  e.kind = kind;
  e.at = position;
  return e;
}

/// Operators in a row nest as deep as they are many.
class Grammar::Chain {
 public:
  explicit Chain(Grammar& g) : g_(g) {}
  void next() {
    if (++count_ > kLongestChain)
      g_.fail(g_.now(), "more than " + std::to_string(kLongestChain) + " operators in a row");
  }

 private:
  static constexpr int kLongestChain = 300;
  Grammar& g_;
  int count_ = 0;
};

Expression Grammar::binary(std::string op, Position position, Expression a, Expression b) const {
  Expression e = made(ExpressionKind::binary, position);
  e.text = std::move(op);
  e.arguments.push_back(std::move(a));
  e.arguments.push_back(std::move(b));
  return e;
}

Expression Grammar::expression() {
  const Nesting nesting(*this);
  const Position start = now().at;
  if (!accept("if")) return simpleExpression();
  Expression e = made(ExpressionKind::conditional, start);
  do {
    e.arguments.push_back(expression());
    expect("then", "after the condition of 'if'");
    e.arguments.push_back(expression());
  } while (accept("elseif"));
  expect("else", "in the expression 'if ... then ...'");
  e.arguments.push_back(expression());
  return e;
}

/// logical [: logical [: logical]]
Expression Grammar::simpleExpression() {
  const Position start = now().at;
  Expression first = logical(0);
  if (!at(":")) return first;
  Expression e = made(ExpressionKind::range, start);
  e.arguments.push_back(std::move(first));
  while (e.arguments.size() < 3 && accept(":")) e.arguments.push_back(logical(0));
  return e;
}

/// Level 0: or; 1: and; 2: not and relations.
Expression Grammar::logical(int level) {
  const Position start = now().at;
  if (level == 2) {
    if (!accept("not")) return relation();
    Expression e = made(ExpressionKind::unary, start);
    e.text = "not";
    e.arguments.push_back(relation());
    return e;
  }
  const char* const op = level == 0 ? "or" : "and";
  Expression e = logical(level + 1);
  Chain chain(*this);
  while (at(op)) {
    chain.next();
    const Position where = take().at;
    e = binary(op, where, std::move(e), logical(level + 1));
  }
  return e;
}

Expression Grammar::relation() {
  Expression e = arithmetic();
  for (const char* op : {"<", "<=", ">", ">=", "==", "<>"}) {
    if (!at(op)) continue;
    const Position where = take().at;
    return binary(op, where, std::move(e), arithmetic());
  }
  return e;
}

Expression Grammar::arithmetic() {
  const auto isSign = [&] { return at("+") || at("-") || at(".+") || at(".-"); };
  Expression e;
  if (isSign()) {
    const Token sign = take();
    e = made(ExpressionKind::unary, sign.at);
    e.text = sign.text;
    e.arguments.push_back(term());
  } else {
    e = term();
  }
  Chain chain(*this);
  while (isSign()) {
    chain.next();
    const Token op = take();
    e = binary(std::string(op.text), op.at, std::move(e), term());
  }
  return e;
}

Expression Grammar::term() {
  Expression e = factor();
  Chain chain(*this);
  while (at("*") || at("/") || at(".*") || at("./")) {
    chain.next();
    const Token op = take();
    e = binary(std::string(op.text), op.at, std::move(e), factor());
  }
  return e;
}

Expression Grammar::factor() {
  Expression e = primary();
  if (!at("^") && !at(".^")) return e;
  const Token op = take();
  return binary(std::string(op.text), op.at, std::move(e), primary());
}

Expression Grammar::primary() {
  const Nesting nesting(*this);
  const Token& t = now();
  switch (t.kind) {
    case TokenKind::number: {
      Expression e = made(ExpressionKind::number, t.at);
      e.number = t.number;
      e.text = take().text;
      return e;
    }
    case TokenKind::string: {
      Expression e = made(ExpressionKind::string, t.at);
      e.text = withoutEscapes(take().text);
      return e;
    }
    case TokenKind::name:
      return reference();
    default:
      break;
  }
  if (at("true") || at("false")) {
    Expression e = made(ExpressionKind::boolean, t.at);
    e.number = take().text == "true" ? 1 : 0;
    return e;
  }
  if (at(".")) return reference();
  if (at("der") || at("initial") || at("pure")) {
    Expression e = made(ExpressionKind::name, t.at);
    e.name.push_back({std::string(take().text), {}});
    if (!at("(")) unexpected("'(' after '" + e.name[0].name + "'");
    return callOf(std::move(e));
  }
  if (at("(")) return parenthesised();
  if (at("{")) return arrayConstructor();
  if (at("[")) return matrixConstructor();
  if (at("end")) return made(ExpressionKind::end, take().at);
  unexpected("an expression");
}

/// A component reference, or a call of what it names.
Expression Grammar::reference() {
  Expression e = made(ExpressionKind::name, now().at);
  e.isGlobal = accept(".");
  do {
    e.name.push_back({identifier("a name"), {}});
    if (at("[")) e.name.back().subscripts = subscripts();
  } while (accept("."));
  return at("(") ? callOf(std::move(e)) : e;
}

Expression Grammar::callOf(Expression e) {
  expect("(", "before the arguments");
  e.kind = ExpressionKind::call;
  if (!at(")")) callArguments(e);
  expect(")", "after the arguments");
  return e;
}

void Grammar::callArguments(Expression& call) {
  do {
    if (now().kind == TokenKind::name && ahead(1).is("=")) {
      call.argumentNames.push_back(identifier("the name of an argument"));
      expect("=", "after the name of an argument");
      call.arguments.push_back(functionArgument());
      continue;
    }
    if (!call.argumentNames.empty()) unexpected("a named argument behind a named one");
    call.arguments.push_back(functionArgument());
    if (call.arguments.size() == 1 && accept("for")) {
      call.kind = ExpressionKind::comprehension;
      call.text = call.name.back().name;
      call.indices = forIndices();
      return;
    }
  } while (accept(","));
}

Expression Grammar::functionArgument() {
  if (!at("function")) return expression();
  Expression e = made(ExpressionKind::function, take().at);
  const TypeName f = typeName();
  e.isGlobal = f.isGlobal;
  for (const std::string& part : f.parts) e.name.push_back({part, {}});
  expect("(", "after 'function' and its name");
  if (!at(")")) callArguments(e);
  expect(")", "after the arguments");
  e.kind = ExpressionKind::function;
  return e;
}

/// ( ), (e), (a, , b)
Expression Grammar::parenthesised() {
  const Position start = take().at;
  std::vector<Expression> items;
  bool isList = false;
  while (true) {
    if (at(",") || at(")")) {
      items.push_back(made(ExpressionKind::nothing, now().at));
    } else {
      items.push_back(expression());
    }
    if (!accept(",")) break;
    isList = true;
  }
  expect(")", "after the expression");
  if (!isList && items[0].kind != ExpressionKind::nothing) return std::move(items[0]);
  Expression e = made(ExpressionKind::tuple, start);
  e.arguments = std::move(items);
  return e;
}

Expression Grammar::arrayConstructor() {
  Expression e = made(ExpressionKind::array, take().at);
  if (at("}")) unexpected("an element of the array");
  do {
    e.arguments.push_back(functionArgument());
    if (e.arguments.size() == 1 && accept("for")) {
      e.kind = ExpressionKind::comprehension;
      e.indices = forIndices();
      break;
    }
  } while (accept(","));
  expect("}", "after the elements of the array");
  return e;
}

Expression Grammar::matrixConstructor() {
  Expression e = made(ExpressionKind::matrix, take().at);
  do {
    Expression row = made(ExpressionKind::array, now().at);
    do {
      row.arguments.push_back(expression());
    } while (accept(","));
    e.arguments.push_back(std::move(row));
  } while (accept(";"));
  expect("]", "after the elements of the matrix");
  return e;
}

std::vector<Expression> Grammar::subscripts() {
  expect("[", "before subscripts");
  std::vector<Expression> result;
  do {
    if (at(":")) {
      result.push_back(made(ExpressionKind::all, take().at));
    } else {
      result.push_back(expression());
    }
  } while (accept(","));
  expect("]", "after the subscripts");
  return result;
}

}  // namespace cardan::modelica
