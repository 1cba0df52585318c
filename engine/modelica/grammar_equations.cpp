// The rules of equations and statements.
#include "engine/modelica/grammar.h"

namespace cardan::modelica {

bool Grammar::atSectionEnd() const {
  for (const char* word : {"end", "else", "elseif", "elsewhen", "equation", "algorithm", "public",
                           "protected", "external", "annotation"}) {
    if (at(word)) return true;
  }
  if (at("initial")) return ahead(1).is("equation") || ahead(1).is("algorithm");
  return now().kind == TokenKind::end;
}

std::vector<Equation> Grammar::equations() {
  std::vector<Equation> result;
  while (!atSectionEnd()) {
    result.push_back(equation());
    comment(nullptr);
    expect(";", "after the equation");
  }
  return result;
}

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

Equation Grammar::equation() {
  const Nesting nesting(*this);
  Equation e;
  e.at = now().at;
  if (accept("connect")) {
    e.kind = EquationKind::connect;
    expect("(", "after 'connect'");
    e.left = reference();
    expect(",", "between the connectors");
    e.right = reference();
    expect(")", "after the connectors");
  } else if (at("if") || at("when")) {
    e.kind = at("if") ? EquationKind::conditional : EquationKind::when;
    const bool isIf = e.kind == EquationKind::conditional;
    const char* const more = isIf ? "elseif" : "elsewhen";
    ++at_;
    do {
      Expression condition = expression();
      expect("then", isIf ? "after the condition of 'if'" : "after the condition of 'when'");
      e.branches.push_back({std::move(condition), equations()});
    } while (accept(more));
    if (isIf && accept("else")) e.branches.push_back({std::nullopt, equations()});
    expect("end", "after the equations");
    expect(isIf ? "if" : "when", "after 'end'");
  } else if (accept("for")) {
    e.kind = EquationKind::loop;
    e.indices = forIndices();
    expect("loop", "after the indices of 'for'");
    e.branches.push_back({std::nullopt, equations()});
    expect("end", "after the equations");
    expect("for", "after 'end'");
  } else {
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

std::vector<Statement> Grammar::statements() {
  std::vector<Statement> result;
  while (!atSectionEnd()) {
    result.push_back(statement());
    comment(nullptr);
    expect(";", "after the statement");
  }
  return result;
}

Statement Grammar::statement() {
  const Nesting nesting(*this);
  Statement s;
  s.at = now().at;
  if (accept("break")) {
    s.kind = StatementKind::breakLoop;
  } else if (accept("return")) {
    s.kind = StatementKind::finish;
  } else if (at("if") || at("when")) {
    const bool isIf = at("if");
    s.kind = isIf ? StatementKind::conditional : StatementKind::when;
    ++at_;
    do {
      Expression condition = expression();
      expect("then", isIf ? "after the condition of 'if'" : "after the condition of 'when'");
      s.branches.push_back({std::move(condition), statements()});
    } while (accept(isIf ? "elseif" : "elsewhen"));
    if (isIf && accept("else")) s.branches.push_back({std::nullopt, statements()});
    expect("end", "after the statements");
    expect(isIf ? "if" : "when", "after 'end'");
  } else if (at("for") || at("while")) {
    const bool isFor = take().source == "for";
    s.kind = isFor ? StatementKind::loop : StatementKind::whileLoop;
    std::optional<Expression> condition;
    if (isFor) {
      s.indices = forIndices();
    } else {
      condition = expression();
    }
    expect("loop", isFor ? "after the indices of 'for'" : "after the condition of 'while'");
    s.branches.push_back({std::move(condition), statements()});
    expect("end", "after the statements");
    expect(isFor ? "for" : "while", "after 'end'");
  } else if (at("(")) {
    s.left = parenthesised();
    s.at = now().at;
    expect(":=", "after the list of results");
    s.right = reference();
  } else {
    const bool isFunction = at("initial") || at("der") || at("pure");
    s.left = isFunction ? primary() : reference();
    if (at(":=")) {
      s.at = take().at;
      s.right = expression();
    } else if (s.left->kind == ExpressionKind::call) {
      s.kind = StatementKind::call;
    } else {
      unexpected("':=' in the statement");
    }
  }
  return s;
}

}  // namespace cardan::modelica
