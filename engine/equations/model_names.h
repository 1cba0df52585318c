/// ModelNames: what the names of an expression stand for: variables of the model and values of
/// parameters, as seen from a scope.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/equations/expression_variable.h"
#include "engine/model_file/parameter_table.h"

namespace cardan {

/// Where an expression stands: clocks tick, and the run begins and ends, for the model's own variables and in
/// `when`, at whose events values before an event are those of all variables.
enum class ExpressionPlace { anywhere, variable, when };

/// One number a dimension: none of a scalar, {rows}, {rows, columns}.
std::vector<int> dimensionsOf(const ValueShape& shape);

/// Names of expressions: variables of the model and values of parameters, as seen from a scope.
class ModelNames final : public VariableResolver {
 public:
  ModelNames(const VariableTable& table, ParameterTable& parameters, const ModelSource& model,
             int scope, ExpressionPlace place)
      : table_(table), parameters_(parameters), model_(model), scope_(scope), place_(place) {}

  std::optional<NameMeaning> resolve(const std::string& name, int derivativeOrder) override;
  std::optional<VariableSlots> sample(double start, double interval) override;
  std::vector<std::string> knownNames() const override;
  std::string explain(const std::string& name, int derivativeOrder) const override;

  const std::vector<ExpressionVariable::Source>& sources() const { return sources_; }
  /// True if a name begins with what could not be made; its error has been reported.
  bool metUnread() const { return metUnread_; }

 private:
  std::optional<int> variable(const std::string& name) const;
  VariableSlots slotsOf(int variable, int derivative = 0);
  std::optional<NameMeaning> before(const std::string& name);
  const VariableDescription* described(const std::string& name) const;

  const VariableTable& table_;
  ParameterTable& parameters_;
  const ModelSource& model_;
  int scope_;
  ExpressionPlace place_;
  int slots_ = 0;
  bool metUnread_ = false;
  std::vector<ExpressionVariable::Source> sources_;
};

/// Reads and binds an expression of the model file; null after an error.
std::unique_ptr<ExpressionVariable> makeExpressionVariable(const SourceExpression& source,
                                                           const VariableTable& table,
                                                           ParameterTable& parameters,
                                                           const ModelSource& model,
                                                           Diagnostics& diagnostics);
/// The same for an expression that has been read already (one side of an equation).
std::unique_ptr<ExpressionVariable> makeExpressionVariable(
    const Expression& expression, int scope, const VariableTable& table, ParameterTable& parameters,
    const ModelSource& model, Diagnostics& diagnostics,
    ExpressionPlace place = ExpressionPlace::anywhere);

}  // namespace cardan
