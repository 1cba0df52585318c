#include "engine/equations/model_names.h"

#include <algorithm>

#include "engine/equations/held_values.h"

namespace cardan {
namespace {

ValueShape shapeOf(const VariableTable::Variable& v) {
  if (v.dimensions.empty()) return ValueShape::scalar();
  if (v.dimensions.size() == 1) return ValueShape::vector(v.dimensions[0]);
  return ValueShape::matrix(v.dimensions[0], v.dimensions[1]);
}

/// Of derivatives of what is no unknown of the model's own.
constexpr int kHighestOrder = 2;

/// "der(x)", "der(der(x))"
std::string derivativeOf(std::string name, int order) {
  for (int k = 0; k < order; ++k) name = "der(" + name + ")";
  return name;
}

/// Positions, velocities and states have a rate at every instant; accelerations, forces and
/// algebraic unknowns have none that an evaluation knows.
bool isDifferentiable(const VariableTable::Variable& v) {
  return v.expression || v.info.level < Level::Acceleration;
}

}  // namespace

std::vector<int> dimensionsOf(const ValueShape& shape) {
  if (shape.isScalar()) return {};
  return shape.isVector() ? std::vector{shape.rows} : std::vector{shape.rows, shape.columns};
}

std::optional<int> ModelNames::variable(const std::string& name) const {
  for (int s = scope_; s >= 0; s = model_.scopes[s].parent) {
    const std::string full = model_.withoutAliases(model_.scopes[s].prefix + name);
    // An element of one of the model's own unknowns is read as a part of the whole, whose derivatives
    // are the unknowns.
    if (full.ends_with(']') && model_.unknowns.contains(full.substr(0, full.rfind('[')))) break;
    if (const auto v = table_.find(full)) return v;
  }
  return std::nullopt;
}

/// What the file says of one of its own variables, which need not be in the table yet.
const VariableDescription* ModelNames::described(const std::string& name) const {
  for (int s = scope_; s >= 0; s = model_.scopes[s].parent) {
    const std::string full = model_.scopes[s].prefix + name;
    const auto found = std::ranges::find(model_.variables, full, &VariableDescription::name);
    if (found != model_.variables.end()) return &*found;
  }
  return nullptr;
}

/// pre(name): of what is continuous at the events of `when` only.
std::optional<NameMeaning> ModelNames::before(const std::string& name) {
  HeldValues* const held = table_.held();
  const auto v = variable(name);
  const bool isParameter = v && table_[*v].instance == VariableTable::kParameter;
  if (v && !isParameter) {
    if (!held || (place_ != ExpressionPlace::when && !held->isDiscrete(*v))) return std::nullopt;
    return slotsOf(held->before(*v));
  }
  // A variable whose own expression asks for it.
  const VariableDescription* later = isParameter ? nullptr : described(name);
  if (!held || !later) {
    const ParameterTable::Result r = parameters_.lookup(name, scope_);
    return r.isKnown() ? std::optional<NameMeaning>(r.value) : std::nullopt;
  }
  const auto isBoolean = [this](const std::string& full) {
    const auto other = table_.find(full);
    return other && table_[*other].info.isBoolean;
  };
  return slotsOf(held->before(later->name, model_.isBoolean(*later, isBoolean)));
}

std::optional<VariableSlots> ModelNames::sample(double start, double interval) {
  if (place_ == ExpressionPlace::anywhere || !table_.held()) return std::nullopt;
  return slotsOf(table_.held()->sample(start, interval));
}

std::optional<NameMeaning> ModelNames::resolve(const std::string& name, int derivativeOrder) {
  if (derivativeOrder == kBefore) return before(name);
  if (name == "initial()" || name == "terminal()") {
    if (place_ == ExpressionPlace::anywhere || !table_.held()) return std::nullopt;
    return slotsOf(name == "initial()" ? table_.held()->initial() : table_.held()->terminal());
  }
  const auto v = variable(name);
  for (int s = scope_; !v && !metUnread_ && s >= 0; s = model_.scopes[s].parent)
    metUnread_ = model_.isUnread(model_.scopes[s].prefix + name);
  // A parameter is a result too; in expressions it is a number.
  const bool isParameter = v && table_[*v].instance == VariableTable::kParameter;
  if (!v || (isParameter && derivativeOrder == 0)) {
    const ParameterTable::Result r = parameters_.lookup(name, scope_);
    if (r.isKnown() && derivativeOrder == 0) return r.value;
    return std::nullopt;
  }
  if (derivativeOrder > 0 && model_.unknowns.contains(table_[*v].name)) {
    // Derivatives of the model's own unknowns are variables themselves.
    const auto own = table_.find(derivativeOf(table_[*v].name, derivativeOrder));
    return own ? std::optional<NameMeaning>(slotsOf(*own)) : std::nullopt;
  }
  if (derivativeOrder > kHighestOrder || (derivativeOrder > 0 && !isDifferentiable(table_[*v])))
    return std::nullopt;
  return slotsOf(*v, derivativeOrder);
}

VariableSlots ModelNames::slotsOf(int variable, int derivative) {
  const VariableTable::Variable& v = table_[variable];
  for (const auto& s : sources_) {
    if (s.variable == variable && s.derivative == derivative)
      return VariableSlots{s.slot, shapeOf(v), v.info.isBoolean};
  }
  sources_.push_back({variable, slots_, derivative, {-1}});
  slots_ += v.size;
  return VariableSlots{sources_.back().slot, shapeOf(v), v.info.isBoolean};
}

std::vector<std::string> ModelNames::knownNames() const {
  std::vector<std::string> names = table_.names();
  for (const ModelParameter& p : model_.parameters) names.push_back(p.name);
  return names;
}

std::string ModelNames::explain(const std::string& name, int derivativeOrder) const {
  const auto v = variable(name);
  if (v && derivativeOrder == kBefore) {
    return "'pre(" + name +
           ")' of a variable that changes between events has a meaning in 'when' only";
  }
  if (v && derivativeOrder > 0 && model_.unknowns.contains(table_[*v].name)) {
    return "'" + derivativeOf(name, derivativeOrder) +
           "' is not available: no equation of the model contains it";
  }
  if (v && derivativeOrder > kHighestOrder)
    return "the third derivative of '" + name + "' is not available";
  if (v && derivativeOrder > 0 && !isDifferentiable(table_[*v])) {
    return "the derivative of '" + name +
           "' is not available: it is no position, velocity or state, nor a function of these";
  }
  return "";
}

std::unique_ptr<ExpressionVariable> makeExpressionVariable(
    const Expression& expression, int scope, const VariableTable& table, ParameterTable& parameters,
    const ModelSource& model, Diagnostics& diagnostics, ExpressionPlace place) {
  ModelNames names(table, parameters, model, scope, place);
  Diagnostics own;
  std::optional<BoundExpression> bound = bind(expression, names, own);
  // What the lack of a component or variable leads to has its cause elsewhere.
  if (bound || !names.metUnread()) diagnostics.add(own);
  if (!bound) return nullptr;
  return std::make_unique<ExpressionVariable>(std::move(*bound), names.sources(), table,
                                              toString(expression));
}

std::unique_ptr<ExpressionVariable> makeExpressionVariable(const SourceExpression& source,
                                                           const VariableTable& table,
                                                           ParameterTable& parameters,
                                                           const ModelSource& model,
                                                           Diagnostics& diagnostics) {
  const std::optional<Expression> expression = source.readTree(diagnostics);
  if (!expression) return nullptr;
  return makeExpressionVariable(*expression, source.scope, table, parameters, model, diagnostics);
}

}  // namespace cardan
