// The rules of equations and statements.
#include "engine/modelica/grammar.h"

namespace cardan::modelica {

bool Grammar::atSectionEnd() const {
  if (now().isOneOf({"end", "else", "elseif", "elsewhen", "equation", "algorithm", "public",
                     "protected", "external", "annotation"}))
    return true;
  if (at("initial")) return ahead(1).is("equation") || ahead(1).is("algorithm");
  return now().kind == TokenKind::end;
}

std::vector<Equation> Grammar::section(bool isAlgorithm) {
  std::vector<Equation> result;
  while (!atSectionEnd()) {
    result.push_back(isAlgorithm ? statement() : equation());
    comment(nullptr);
    expect(";", isAlgorithm ? "after the statement" : "after the equation");
  }
  return result;
}

namespace {

/// What an index that has no range is an index of.  Source  MLS 3.6, 11.2.2.1
void findUses(const std::vector<Equation>& equations, ForIndex& index) {
  for (const Equation& e : equations) {
    for (const auto* side : {&e.left, &e.right}) {
      if (*side) findUses(**side, index);
    }
    for (const ForIndex& inner : e.indices) {
      for (const Expression& range : inner.range) findUses(range, index);
    }
    for (const Equation::Branch& b : e.branches) {
      if (b.condition) findUses(*b.condition, index);
      findUses(b.equations, index);
    }
  }
}

}  // namespace

std::vector<ForIndex> Grammar::forIndices() {
  std::vector<ForIndex> result;
  do {
    ForIndex index;
    index.at = now().at;
    index.name = identifier("the name of an index");
    if (accept("in")) index.range.push_back(expression());
    result.push_back(std::move(index));
  } while (accept(","));
  return result;
}

/// `if`, `when`, `for` and, of statements, `while` with all that is in them; false at others.
bool Grammar::block(Equation& e, bool isAlgorithm) {
  const bool isIf = at("if"), isFor = at("for");
  const std::string word(now().source);
  if (isIf || at("when")) {
    e.kind = isIf ? EquationKind::conditional : EquationKind::when;
    ++at_;
    do {
      Expression condition = expression();
      expect("then", isIf ? "after the condition of 'if'" : "after the condition of 'when'");
      e.branches.push_back({std::move(condition), section(isAlgorithm)});
    } while (accept(isIf ? "elseif" : "elsewhen"));
    if (isIf && accept("else")) e.branches.push_back({std::nullopt, section(isAlgorithm)});
  } else if (isFor || (isAlgorithm && at("while"))) {
    e.kind = isFor ? EquationKind::loop : EquationKind::whileLoop;
    ++at_;
    std::optional<Expression> condition;
    if (isFor) {
      e.indices = forIndices();
    } else {
      condition = expression();
    }
    expect("loop", isFor ? "after the indices of 'for'" : "after the condition of 'while'");
    e.branches.push_back({std::move(condition), section(isAlgorithm)});
    for (ForIndex& index : e.indices) {
      if (index.range.empty()) findUses(e.branches[0].equations, index);
    }
  } else {
    return false;
  }
  expect("end", isAlgorithm ? "after the statements" : "after the equations");
  expect(word, "after 'end'");
  return true;
}

Equation Grammar::equation() {
  const auto nesting = deeper();
  Equation e;
  e.at = now().at;
  if (accept("connect")) {
    e.kind = EquationKind::connect;
    expect("(", "after 'connect'");
    e.left = reference();
    expect(",", "between the connectors");
    e.right = reference();
    expect(")", "after the connectors");
  } else if (!block(e, false)) {
    e.left = simpleExpression();
    if (at("=")) {
      e.at = take().at;
      e.right = expression();
    } else if (e.left->kind == ExpressionKind::call) {
      e.kind = EquationKind::call;
    } else {
      unexpected("'=' in the equation");
    }
  }
  return e;
}

Statement Grammar::statement() {
  const auto nesting = deeper();
  Statement s;
  s.at = now().at;
  if (accept("break")) {
    s.kind = EquationKind::breakLoop;
  } else if (accept("return")) {
    s.kind = EquationKind::finish;
  } else if (at("(")) {
    s.left = parenthesised();
    s.at = now().at;
    expect(":=", "after the list of results");
    s.right = reference();
  } else if (!block(s, true)) {
    const bool isFunction = at("initial") || at("der") || at("pure");
    s.left = isFunction ? primary() : reference();
    if (at(":=")) {
      s.at = take().at;
      s.right = expression();
    } else if (s.left->kind == ExpressionKind::call) {
      s.kind = EquationKind::call;
    } else {
      unexpected("':=' in the statement");
    }
  }
  return s;
}

}  // namespace cardan::modelica
