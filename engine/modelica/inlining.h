/// Inlining: calls of functions whose arguments vary during the run, as expressions: their statements
/// are carried out with formulas in place of numbers.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "engine/modelica/evaluation.h"
#include "engine/modelica/instance.h"

namespace cardan::modelica {

class Inlining {
 public:
  /// `formula`: an expression of the model as a formula; `isSettled`: it has a value for good.
  Inlining(Evaluation& evaluation, std::function<Value(const Expression&, const Scope&)> formula,
           std::function<bool(const Expression&, const Scope&)> isSettled)
      : evaluation_(evaluation), formula_(std::move(formula)), isSettled_(std::move(isSettled)) {}

  /// The first result. Throws Refusal where statements depend on variables in a way that an
  /// expression cannot say.
  Value call(const ClassDefinition& f, const Expression& e, const Scope& scope);

 private:
  std::vector<Value> results(const ClassDefinition& f, const Expression& e, const Scope& scope);
  Value argument(const Expression& e, const Scope& scope, const Element& input, const Scope& inner);
  /// A formula of an array as its elements, by the sizes that the declaration says.
  std::optional<Value> recordOf(const Expression& e, const Scope& scope);
  Value shaped(Value v, const Element& declared, const Scope& inner, const SourceMark& at);
  Value value(const Expression& e, const Scope& scope);
  Value symbolic(const Expression& e, const Scope& scope, const Refusal& why);
  std::vector<Value> values(const std::vector<Expression>& all, const Scope& scope);
  Value symbolicCall(const Expression& e, const Scope& scope, const Refusal& why);
  Value conditional(const Expression& e, const Scope& scope);
  Value operated(const Value& a, Operator op, const Value& b);
  bool run(const std::vector<Statement>& statements, Scope& scope);
  bool branch(const Statement& s, Scope& scope);
  void check(const Expression& assertion, const Scope& scope, const SourceMark& at);

  Evaluation& evaluation_;
  std::function<Value(const Expression&, const Scope&)> formula_;
  std::function<bool(const Expression&, const Scope&)> isSettled_;
  std::vector<const Element*> declared_;  ///< of the function that is carried out
  int depth_ = 0;
  int conditions_ = 0;  ///< of variables, around what is carried out
};

}  // namespace cardan::modelica
