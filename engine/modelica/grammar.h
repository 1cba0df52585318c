/// Grammar: the rules of Modelica over a stream of tokens; a function a rule. For parser.cpp alone.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/modelica/syntax.h"
#include "engine/text/meanwhile.h"

namespace cardan::modelica {

/// Thrown at the first mistake, which has been reported: there is nothing to go on with.
struct SyntaxError {};

class Grammar {
 public:
  Grammar(std::vector<Token> tokens, std::shared_ptr<const std::string> file,
          Diagnostics& diagnostics)
      : tokens_(std::move(tokens)), file_(std::move(file)), diagnostics_(diagnostics) {}

  StoredDefinition storedDefinition();

 private:
  // The stream.
  const Token& now() const { return tokens_[at_]; }
  const Token& ahead(size_t n) const { return tokens_[std::min(at_ + n, tokens_.size() - 1)]; }
  bool at(std::string_view word) const { return now().is(word); }
  bool accept(std::string_view word);
  Token take() { return now().kind == TokenKind::end ? now() : tokens_[at_++]; }
  void expect(std::string_view word, const char* where);
  std::string identifier(const char* what);
  [[noreturn]] void fail(const Token& token, const std::string& text);
  [[noreturn]] void unexpected(const std::string& expected);
  /// One level deeper as long as it lives.
  Meanwhile<int> deeper();

  // Classes (grammar_classes.cpp).
  bool atClass() const;
  std::shared_ptr<ClassDefinition> classDefinition();
  void classSpecifier(ClassDefinition& c);
  void composition(ClassDefinition& c);
  void shortClass(ClassDefinition& c);
  void enumeration(ClassDefinition& c);
  void elementList(ClassDefinition& c, bool isProtected);
  void element(ClassDefinition& c, bool isProtected);
  void importClause(Element e, std::vector<Element>& elements);
  void extendsClause(Element e, ClassDefinition& c);
  void componentClause(Element e, std::vector<Element>& elements, bool single);
  void constrainingClause(Element& e);
  void annotation(ClassDefinition* c);
  std::string comment(ClassDefinition* c);
  std::string stringComment();
  TypeName typeName();
  std::vector<Expression> subscripts();
  Modification modification();
  std::vector<Argument> classModification();
  Argument argument();
  Argument redeclaration(Argument a);
  Argument replaceable(Argument a);
  void prefixes(Element& e);
  void external(ClassDefinition& c);

  // Equations and statements (grammar_equations.cpp).
  bool atSectionEnd() const;
  std::vector<Equation> section(bool isAlgorithm);
  bool block(Equation& e, bool isAlgorithm);
  Equation equation();
  Statement statement();
  std::vector<ForIndex> forIndices();

  // Expressions (grammar_expressions.cpp).
  Expression expression();
  Expression simpleExpression();
  Expression operation(int least);
  Expression primary();
  Expression reference();
  Expression callOf(Expression name);
  void callArguments(Expression& call);
  Expression functionArgument();
  Expression parenthesised();
  Expression arrayConstructor();
  Expression matrixConstructor();

  std::vector<Token> tokens_;
  std::shared_ptr<const std::string> file_;
  Diagnostics& diagnostics_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace cardan::modelica
