#include "engine/expression_variable.h"

#include <algorithm>

namespace cardan {
namespace {

ValueShape shapeOf(const VariableTable::Variable& v) {
  if (v.dimensions.empty()) return ValueShape::scalar();
  if (v.dimensions.size() == 1) return ValueShape::vector(v.dimensions[0]);
  return ValueShape::matrix(v.dimensions[0], v.dimensions[1]);
}

/// Time derivative of a variable: known where the evaluation carries the flow.
void derivative(const VariableFunction& f, int size, const View<double>& x, double* out) {
  Dual values[16];
  if (!x.flow() || size > 16) {
    std::fill_n(out, size, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  f.evaluate(*x.flow(), values);
  for (int i = 0; i < size; ++i) out[i] = values[i].lane(0);
}
void derivative(const VariableFunction&, int size, const View<Dual>&, Dual* out) {
  std::fill_n(out, size, Dual(std::numeric_limits<double>::quiet_NaN()));
}

/// Positions, velocities and states have a rate at every instant; accelerations, forces and
/// algebraic unknowns have none that an evaluation knows.
bool isDifferentiable(const VariableTable::Variable& v) {
  const bool isExpression = dynamic_cast<const ExpressionVariable*>(v.function.get()) != nullptr;
  return isExpression || v.info.level < Level::Acceleration;
}

}  // namespace

ExpressionVariable::ExpressionVariable(BoundExpression expression, std::vector<Source> sources,
                                       const VariableTable& table, std::string text)
    : expression_(std::move(expression)),
      sources_(std::move(sources)),
      table_(table),
      text_(std::move(text)) {
  int slots = 0;
  for (const Source& s : sources_) slots = std::max(slots, s.slot + table_[s.variable].size);
  doubles_.assign(static_cast<size_t>(slots), 0.0);
  duals_.assign(static_cast<size_t>(slots), Dual(0));
}

template <class S>
void ExpressionVariable::fill(const View<S>& x, std::vector<S>& slots) const {
  for (const Source& s : sources_) {
    const VariableTable::Variable& v = table_[s.variable];
    S* out = slots.data() + s.slot;
    if (s.derivative) {
      derivative(*v.function, v.size, x, out);
    } else {
      v.function->evaluate(x, out);
    }
  }
}

template <class S>
void ExpressionVariable::evaluateAs(const View<S>& x, std::vector<S>& slots, S* out) const {
  fill(x, slots);
  expression_.evaluate(slots.data(), x.time(), frozen_, out);
}

template void ExpressionVariable::evaluateAs(const View<double>&, std::vector<double>&,
                                             double*) const;
template void ExpressionVariable::evaluateAs(const View<Dual>&, std::vector<Dual>&, Dual*) const;

Level ExpressionVariable::level() const {
  Level result = expression_.isConstant() ? Level::Constant : Level::Time;
  for (const Source& s : sources_) {
    const VariableTable::Variable& v = table_[s.variable];
    const auto* e = dynamic_cast<const ExpressionVariable*>(v.function.get());
    Level l = e ? e->level() : v.info.level;
    if (s.derivative) l = std::max(l, Level::Acceleration);
    result = std::max(result, l);
  }
  return result;
}

void ExpressionVariable::relationResiduals(const View<double>& x, double* residuals) const {
  fill(x, doubles_);
  expression_.relationResiduals(doubles_.data(), x.time(), frozen_, residuals);
}
void ExpressionVariable::relationStates(const View<double>& x, RelationState* states) const {
  fill(x, doubles_);
  expression_.relationStates(doubles_.data(), x.time(), frozen_, states);
}
namespace {

/// A number, or a function of time that no input reaches.
bool isOfTime(const VariableTable& table, const ExpressionVariable::Source& source) {
  if (source.derivative) return false;
  const VariableTable::Variable& v = table[source.variable];
  if (const auto* e = dynamic_cast<const ExpressionVariable*>(v.function.get())) {
    return std::ranges::all_of(e->sources(), [&](const auto& s) { return isOfTime(table, s); });
  }
  return v.info.level <= Level::Time && v.info.reads.empty();
}

}  // namespace

bool ExpressionVariable::relationIsOfTime(int k) const {
  const Program::Reads reads = expression_.relationReads(k);
  return std::ranges::all_of(reads.slots, [&](int slot) {
    return std::ranges::any_of(sources_, [&](const Source& s) {
      return slot >= s.slot && slot < s.slot + table_[s.variable].size && isOfTime(table_, s);
    });
  });
}

bool ExpressionVariable::readsTime() const {
  if (expression_.reads().time) return true;
  return std::ranges::any_of(sources_, [&](const Source& s) {
    const VariableTable::Variable& v = table_[s.variable];
    if (const auto* e = dynamic_cast<const ExpressionVariable*>(v.function.get())) {
      return e->readsTime();
    }
    return v.info.level == Level::Time;
  });
}

std::string ExpressionVariable::whereNotFinite(const View<double>& x) const {
  fill(x, doubles_);
  return expression_.whereNotFinite(doubles_.data(), x.time(), frozen_);
}

std::optional<int> ModelNames::variable(const std::string& name) const {
  for (int s = scope_; s >= 0; s = model_.scopes[static_cast<size_t>(s)].parent) {
    const std::string full =
        model_.withoutAliases(model_.scopes[static_cast<size_t>(s)].prefix + name);
    if (const auto v = table_.find(full)) return v;
  }
  return std::nullopt;
}

std::optional<NameMeaning> ModelNames::resolve(const std::string& name, int derivativeOrder) {
  const auto v = variable(name);
  // A parameter is a result too; in expressions it is a number.
  const bool isParameter = v && table_[*v].instance == VariableTable::kParameter;
  if (!v || (isParameter && derivativeOrder == 0)) {
    const ParameterTable::Result r = parameters_.lookup(name, scope_);
    if (r.isKnown() && derivativeOrder == 0) return r.value;
    return std::nullopt;
  }
  if (derivativeOrder > 1) return std::nullopt;
  const VariableTable::Variable& variable = table_[*v];
  if (derivativeOrder == 1 && !isDifferentiable(variable)) return std::nullopt;
  for (const auto& s : sources_) {
    if (s.variable == *v && s.derivative == (derivativeOrder == 1)) {
      return VariableSlots{s.slot, shapeOf(variable), variable.info.isBoolean};
    }
  }
  sources_.push_back({*v, slots_, derivativeOrder == 1});
  slots_ += variable.size;
  return VariableSlots{sources_.back().slot, shapeOf(variable), variable.info.isBoolean};
}

std::vector<std::string> ModelNames::knownNames() const {
  std::vector<std::string> names = table_.names();
  for (const ModelParameter& p : model_.parameters) names.push_back(p.name);
  return names;
}

std::string ModelNames::explain(const std::string& name, int derivativeOrder) const {
  if (derivativeOrder > 1) return "the second derivative of '" + name + "' is not available";
  if (const auto v = variable(name); v && derivativeOrder == 1 && !isDifferentiable(table_[*v])) {
    return "the derivative of '" + name +
           "' is not available: it is no position, velocity or state, nor a function of these";
  }
  return "";
}

std::unique_ptr<ExpressionVariable> makeExpressionVariable(const Expression& expression, int scope,
                                                           const VariableTable& table,
                                                           ParameterTable& parameters,
                                                           const ModelDescription& model,
                                                           Diagnostics& diagnostics) {
  ModelNames names(table, parameters, model, scope);
  std::optional<BoundExpression> bound = bind(expression, names, diagnostics);
  if (!bound) return nullptr;
  return std::make_unique<ExpressionVariable>(std::move(*bound), names.sources(), table,
                                              toString(expression));
}

std::unique_ptr<ExpressionVariable> makeExpressionVariable(const SourceExpression& source,
                                                           const VariableTable& table,
                                                           ParameterTable& parameters,
                                                           const ModelDescription& model,
                                                           Diagnostics& diagnostics) {
  const std::optional<Expression> expression = parseExpression(source.text, source.at, diagnostics);
  if (!expression) return nullptr;
  return makeExpressionVariable(*expression, source.scope, table, parameters, model, diagnostics);
}

}  // namespace cardan
