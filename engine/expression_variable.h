/// A model expression as a variable: evaluates the variables that it names, then itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/expression/bound_expression.h"
#include "engine/model_file/parameter_table.h"
#include "engine/variable_table.h"

namespace cardan {

/// Function of a variable's elements; knows which variables it reads.
class ExpressionVariable final : public VariableFunction {
 public:
  struct Source {
    int variable;     ///< in the table
    int slot;         ///< first slot
    bool derivative;  ///< its time derivative is meant
  };

  ExpressionVariable(BoundExpression expression, std::vector<Source> sources,
                     const VariableTable& table, std::string text);

  void evaluate(const View<double>& x, double* out) const override { evaluateAs(x, doubles_, out); }
  void evaluate(const View<Dual>& x, Dual* out) const override { evaluateAs(x, duals_, out); }

  const BoundExpression& expression() const { return expression_; }
  const std::vector<Source>& sources() const { return sources_; }
  const std::string& text() const { return text_; }
  /// Highest level of what it reads; a derivative needs the motion as a whole.
  Level level() const;

  /// The motion feels this: kinks and jumps of its functions are relations.
  void watchBends() { expression_.watchBends(); }

  /// Relations keep their state during a step: `states` has relationCount() entries and outlives
  /// this.
  void freeze(const RelationState* states) { frozen_ = states; }
  /// left - right of all relations, at a point.
  void relationResiduals(const View<double>& x, double* residuals) const;
  void relationStates(const View<double>& x, RelationState* states) const;
  /// Relation k depends on time alone.
  bool relationIsOfTime(int k) const;
  /// Time itself has a part in the value, directly or through a source of time alone.
  bool readsTime() const;
  /// What went wrong where the value is not finite ("division by zero in '1/x'"), or "".
  std::string whereNotFinite(const View<double>& x) const;

 private:
  template <class S>
  void evaluateAs(const View<S>& x, std::vector<S>& slots, S* out) const;
  template <class S>
  void fill(const View<S>& x, std::vector<S>& slots) const;

  BoundExpression expression_;
  std::vector<Source> sources_;
  const VariableTable& table_;
  std::string text_;
  const RelationState* frozen_ = nullptr;
  mutable std::vector<double> doubles_;
  mutable std::vector<Dual> duals_;
};

/// Names of expressions: variables of the model and values of parameters, as seen from a scope.
class ModelNames final : public VariableResolver {
 public:
  ModelNames(const VariableTable& table, ParameterTable& parameters, const ModelDescription& model,
             int scope)
      : table_(table), parameters_(parameters), model_(model), scope_(scope) {}

  std::optional<NameMeaning> resolve(const std::string& name, int derivativeOrder) override;
  std::vector<std::string> knownNames() const override;
  std::string explain(const std::string& name, int derivativeOrder) const override;

  const std::vector<ExpressionVariable::Source>& sources() const { return sources_; }

 private:
  std::optional<int> variable(const std::string& name) const;

  const VariableTable& table_;
  ParameterTable& parameters_;
  const ModelDescription& model_;
  int scope_;
  int slots_ = 0;
  std::vector<ExpressionVariable::Source> sources_;
};

/// Reads and binds an expression of the model file; null after an error.
std::unique_ptr<ExpressionVariable> makeExpressionVariable(const SourceExpression& source,
                                                           const VariableTable& table,
                                                           ParameterTable& parameters,
                                                           const ModelDescription& model,
                                                           Diagnostics& diagnostics);
/// The same for an expression that has been read already (one side of an equation).
std::unique_ptr<ExpressionVariable> makeExpressionVariable(const Expression& expression, int scope,
                                                           const VariableTable& table,
                                                           ParameterTable& parameters,
                                                           const ModelDescription& model,
                                                           Diagnostics& diagnostics);

}  // namespace cardan
