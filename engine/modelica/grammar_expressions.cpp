// The rules of expressions.
#include <optional>

#include "engine/modelica/grammar.h"

namespace cardan::modelica {

Expression Grammar::expression() {
  const auto nesting = deeper();
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

/// operation [: operation [: operation]]
Expression Grammar::simpleExpression() {
  const Position start = now().at;
  Expression first = operation(kOr);
  if (!at(":")) return first;
  Expression e = made(ExpressionKind::range, start);
  e.arguments.push_back(std::move(first));
  while (e.arguments.size() < 3 && accept(":")) e.arguments.push_back(operation(kOr));
  return e;
}

/// Operators that hold at least so tightly. `not` stands in front of a relation, a sign of a product.
/// Those in a row nest as deep as they are many; relations and powers make no rows.
Expression Grammar::operation(int least) {
  constexpr int longest = 300;
  Expression e;
  int last = kOperand;
  const bool isSign = at("+") || at("-") || at(".+") || at(".-");
  if ((least <= kNot && at("not")) || (least <= kSum && isSign)) {
    const Token t = take();
    last = isSign ? kSum : kNot;
    e = made(ExpressionKind::unary, t.at);
    e.op = !isSign                  ? Operator::logicalNot
           : t.source.back() == '-' ? Operator::negate
                                    : Operator::plus;
    e.arguments.push_back(operation(last + 1));
  } else {
    e = primary();
  }
  for (int count = 0;;) {
    const bool isWord = now().kind == TokenKind::symbol || now().kind == TokenKind::keyword;
    const auto op = isWord ? binaryOperator(now().source) : std::nullopt;
    const int rank = op ? formOf(*op).rank : kIf;
    const bool isSecond = rank == last && (rank == kComparison || rank == kPower);
    if (rank < least || rank > last || isSecond) return e;
    count = rank == last ? count + 1 : 1;
    if (count > longest)
      fail(now(), "more than " + std::to_string(longest) + " operators in a row");
    last = rank;
    Expression both = made(ExpressionKind::binary, take().at);
    both.op = *op;
    both.arguments.push_back(std::move(e));
    both.arguments.push_back(operation(rank + 1));
    e = std::move(both);
  }
}

Expression Grammar::primary() {
  const auto nesting = deeper();
  const Token& t = now();
  switch (t.kind) {
    case TokenKind::number: {
      Expression e = made(ExpressionKind::number, t.at);
      e.number = t.number;
      e.text = take().source;
      return e;
    }
    case TokenKind::string: {
      Expression e = made(ExpressionKind::string, t.at);
      e.text = take().text;
      return e;
    }
    case TokenKind::name:
      return reference();
    default:
      break;
  }
  if (at("true") || at("false")) {
    Expression e = made(ExpressionKind::boolean, t.at);
    e.number = take().source == "true" ? 1 : 0;
    return e;
  }
  if (at(".")) return reference();
  if (at("der") || at("initial") || at("pure")) {
    Expression e = made(ExpressionKind::name, t.at);
    e.name.push_back({std::string(take().source), {}});
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
      for (ForIndex& index : call.indices) {
        if (index.range.empty()) findUses(call.arguments[0], index);
      }
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

/// ( ), (e), (e)[i], (a, , b)
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
  if (!isList && items[0].kind != ExpressionKind::nothing) {
    if (!at("[")) return std::move(items[0]);
    Expression element = made(ExpressionKind::element, start);
    element.arguments = subscripts();
    element.arguments.insert(element.arguments.begin(), std::move(items[0]));
    return element;
  }
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
      // With several indices the first one is innermost.  Source  MLS 3.6, 10.4.1.1
      Expression element = std::move(e.arguments[0]);
      for (ForIndex& index : forIndices()) {
        if (index.range.empty()) findUses(element, index);
        e.kind = ExpressionKind::comprehension;
        e.indices = {std::move(index)};
        e.arguments = {std::move(element)};
        element = e;
      }
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
