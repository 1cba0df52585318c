#include "engine/model_file/parameter_table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "components/names.h"
#include "engine/expression/constant_evaluation.h"
#include "engine/expression/expression.h"
#include "engine/model_file/quantities.h"
#include "engine/text/plain_number.h"

namespace cardan {
namespace {

using Result = ParameterTable::Result;
using State = Result::State;

/// Evaluation recurses from parameter to parameter; longer chains would exhaust the stack.
constexpr size_t kLongestChain = 200;
/// Arrays are made with few letters, in as many parameters as one likes.
constexpr size_t kMostNumbers = 20'000'000;

Result known(ExpressionValue value) { return {State::known, std::move(value)}; }
Result failed() { return {State::failed, {}}; }

/// A plain decimal number; most values are.
std::optional<double> numberIn(const std::string& text) {
  if (text.empty() || (text[0] != '-' && text[0] != '.' && (text[0] < '0' || text[0] > '9'))) {
    return std::nullopt;
  }
  const auto x = plainNumber<double>(text);
  return x && std::isfinite(*x) ? x : std::nullopt;
}

/// `r_0[2]` -> `r_0`; "" where there is no index.
std::string withoutIndex(const std::string& name) {
  const size_t open = name.back() == ']' ? name.rfind('[') : std::string::npos;
  return open == std::string::npos ? "" : name.substr(0, open);
}

/// Values of the same shape as the elements of a vector or the rows of a matrix; none if they do
/// not fit.
std::optional<ExpressionValue> stack(const std::vector<ExpressionValue>& items) {
  const ExpressionValue& first = items.front();
  const bool fits = std::all_of(items.begin(), items.end(), [&](const ExpressionValue& v) {
    return v.type() == first.type() && v.shape() == first.shape() && !v.isString() &&
           !v.shape().isMatrix();
  });
  if (!fits) return std::nullopt;
  std::vector<double> elements;
  for (const ExpressionValue& v : items) {
    elements.insert(elements.end(), v.elements().begin(), v.elements().end());
  }
  const int n = std::ssize(items);
  const ValueShape shape =
      first.shape().isScalar() ? ValueShape::vector(n) : ValueShape::matrix(n, first.rows());
  return ExpressionValue(first.type(), shape, std::move(elements));
}

}  // namespace

ParameterTable::ParameterTable(const ModelSource& model, Diagnostics& diagnostics)
    : model_(model), diagnostics_(diagnostics) {
  addParameters();
  components_[model.world.name].component = &model.world;
  for (const ComponentDescription& c : model.components) components_[c.name].component = &c;
}

void ParameterTable::addParameters() {
  for (; registered_ < model_.parameters.size(); ++registered_) {
    const ModelParameter& p = model_.parameters[registered_];
    ParameterEntry& entry = parameters_[p.name];
    entry.index = registered_;
    entry.isEvaluated = p.failed || p.value.has_value();
    if (p.value) entry.result = known(*p.value);
  }
}

ParameterTable::Stated ParameterTable::stated(const YamlNode& value, int scope) const {
  constexpr int kLongestWay = 20;  // from parameter to parameter
  const YamlNode* node = &value;
  for (int k = 0; k < kLongestWay; ++k) {
    if (std::string unit = statedUnit(*node); !unit.empty()) return {unit, node};
    if (!node->isScalar()) return {};
    const ModelParameter* named = nullptr;
    for (int s = scope; s >= 0 && !named; s = model_.scopes[s].parent) {
      const auto found = parameters_.find(model_.scopes[s].prefix + node->text);
      if (found != parameters_.end()) named = &model_.parameters[found->second.index];
    }
    if (!named) return {};
    if (!named->unit.empty()) {
      const bool saysIt = holdsQuantity(named->expression);
      return {named->unit, saysIt ? &named->expression : nullptr};
    }
    node = &named->expression;
    scope = named->scope;
  }
  return {};
}

void ParameterTable::readComponents(
    const std::function<void(const ComponentDescription&)>& reader) {
  read_ = reader;
  read(components_.at(model_.world.name));
  for (const ComponentDescription& c : model_.components) read(components_.at(c.name));
}

const ComponentDescription& ParameterTable::add(ComponentDescription component) {
  added_.push_back(std::move(component));
  components_[added_.back().name] = {&added_.back(), Reading::done, {}};
  return added_.back();
}

void ParameterTable::read(ComponentEntry& entry) {
  if (entry.reading != Reading::notYet) return;
  entry.reading = Reading::now;
  read_(*entry.component);
  entry.reading = Reading::done;
}

bool ParameterTable::Same::operator()(const Published& a, const Published& b) const {
  if (a.key != b.key || a.value.type() != b.value.type() || !(a.value.shape() == b.value.shape()))
    return false;
  if (a.value.isString()) return a.value.string() == b.value.string();
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  return std::ranges::equal(a.value.elements(), b.value.elements(), {}, bits, bits);
}

size_t ParameterTable::Hash::operator()(const Published& p) const {
  size_t hash = std::hash<std::string>()(p.key);
  const auto add = [&](size_t h) { hash = (hash ^ h) * 0x9E3779B97F4A7C15U; };
  if (p.value.isString()) add(std::hash<std::string>()(p.value.string()));
  for (const double x : p.value.elements()) {
    add(std::bit_cast<std::uint64_t>(x));
    hash ^= hash >> 32U;
  }
  return hash;
}

void ParameterTable::publish(const ComponentDescription& component, std::string key,
                             ExpressionValue value) {
  const auto owner = components_.find(component.name);
  if (owner == components_.end() || owner->second.component != &component) return;
  Published one{std::move(key), std::move(value)};
  auto kept = published_.find(one);
  if (kept == published_.end()) kept = published_.insert(std::move(one)).first;
  owner->second.values.push_back(&*kept);
}

Result ParameterTable::guarded(const std::string& name, const SourceMark& at,
                               const std::function<Result()>& run) {
  if (inCircle_.count(name) > 0) return failed();
  const auto open = std::find(underway_.begin(), underway_.end(), name);
  if (open != underway_.end()) {
    std::string circle;
    for (auto n = open; n != underway_.end(); ++n) {
      circle += *n + " -> ";
      inCircle_.insert(*n);
    }
    diagnostics_.error(at, "parameters must not depend on themselves: " + circle + name);
    return failed();
  }
  if (underway_.size() >= kLongestChain) {
    diagnostics_.error(at, "parameters must not refer to each other in a chain of more than " +
                               std::to_string(kLongestChain));
    return failed();
  }
  underway_.push_back(name);
  Result result = run();
  underway_.pop_back();
  if (inCircle_.count(name) > 0) return failed();
  return result;
}

Result ParameterTable::evaluateGuarded(const std::string& name, const YamlNode& node, int scope,
                                       Diagnostics& diagnostics) {
  return guarded(name, node.mark(), [&] { return evaluate(node, scope, name, diagnostics); });
}

std::optional<double> ParameterTable::plainNumber(const YamlNode& node) {
  return node.isScalar() ? numberIn(node.text) : std::nullopt;
}

Result ParameterTable::parameter(size_t index) {
  const ModelParameter& p = model_.parameters[index];
  ParameterEntry& entry = parameters_.at(p.name);
  if (entry.isEvaluated) return entry.result;
  const Result result = guarded(p.name, p.at, [&] {
    if (p.unit.empty() || !holdsQuantity(p.expression))
      return evaluate(p.expression, p.scope, p.name, diagnostics_);
    const auto number = withoutUnits(p.expression, siUnitOf(p.unit),
                                     [&](const SourceMark& at, const std::string& text) {
                                       diagnostics_.error(at, "parameter '" + p.name + "' " + text);
                                     });
    return number ? evaluate(*number, p.scope, p.name, diagnostics_) : failed();
  });
  if (result.state != State::deferred) {
    entry.result = result;
    entry.isEvaluated = true;
  }
  return result;
}

Result ParameterTable::lookup(const std::string& name, int scope) {
  for (int s = scope; s >= 0; s = model_.scopes[s].parent) {
    const Result result = lookupFull(model_.scopes[s].prefix + name);
    if (result.state != State::unknown) return result;
  }
  return {State::unknown, {}};
}

Result ParameterTable::lookupFull(const std::string& name) {
  if (const auto found = parameters_.find(name); found != parameters_.end()) {
    return parameter(found->second.index);
  }
  for (auto owner = ownerName(name); !owner.empty(); owner = ownerName(owner)) {
    const auto found = components_.find(std::string(owner));
    if (found != components_.end())
      return componentKey(found->second, name.substr(owner.size() + 1));
  }
  return {State::unknown, {}};
}

Result ParameterTable::componentKey(ComponentEntry& entry, const std::string& key) {
  const auto published = [&]() -> const ExpressionValue* {
    const auto found = std::ranges::find(entry.values, key, &Published::key);
    return found == entry.values.end() ? nullptr : &(*found)->value;
  };
  const ComponentDescription& component = *entry.component;
  const std::string full = component.name + "." + key;
  if (const ExpressionValue* value = published()) return known(*value);
  if (model_.unread.contains(component.name)) return failed();
  if (entry.reading == Reading::done) return {State::unknown, {}};

  // Given in the file: no need to wait for the reader, who will report what is wrong with it.
  const YamlNode* node = &component.arguments;
  for (size_t at = 0; node && at <= key.size();) {
    const size_t dot = std::min(key.find('.', at), key.size());
    node = node->find(std::string_view(key).substr(at, dot - at));
    at = dot + 1;
  }
  // What has a unit is known in that of the parameter, which the reader tells.
  const bool hasUnit = node && !unitOf(*node, component.scope).empty();
  if (node && !hasUnit && (node->isScalar() || node->isSequence())) {
    return guarded(full, node->mark(), [&] {
      Diagnostics reportedByReader;
      return evaluate(*node, component.scope, full, reportedByReader);
    });
  }
  if (!read_) return {State::deferred, {}};

  // A default, which may hinge on other parameters of that component.
  const std::string name = "defaults of " + component.name;
  if (entry.reading == Reading::now) {
    // An element: the reader will be asked for the whole again.
    if (!withoutIndex(key).empty()) return {State::unknown, {}};
    diagnostics_.error(component.at, "the default of '" + full + "' must not be needed to read '" +
                                         component.name + "' itself");
    return failed();
  }
  const Result result = guarded(name, component.at, [&] {
    read(entry);
    return known({});
  });
  if (!result.isKnown()) return failed();
  const ExpressionValue* value = published();
  return value ? known(*value) : Result{State::unknown, {}};
}

Result ParameterTable::evaluateText(const SourceExpression& expression, const std::string& name,
                                    Diagnostics& diagnostics) {
  const auto parsed = parseExpression(expression.text, expression.at, diagnostics);
  if (!parsed) return failed();
  std::unordered_map<std::string, ExpressionValue> values;
  bool isDeferred = false;
  bool isFine = true;
  for (const NameReference& reference : namesIn(*parsed)) {
    if (reference.derivativeOrder > 0) continue;  // an error below
    std::string found = reference.name;
    Result result = lookup(found, expression.scope);
    while (result.state == State::unknown && !(found = withoutIndex(found)).empty()) {
      result = lookup(found, expression.scope);
    }
    if (result.isKnown()) values[found] = result.value;
    if (result.state == State::deferred) isDeferred = true;
    if (result.state == State::failed) isFine = false;
    if (result.state == State::unknown) {
      isFine = false;
      diagnostics.error(reference.at, diagnostics.areFew()
                                          ? explainUnknown(reference.name, expression.scope)
                                          : "unknown name '" + reference.name + "'");
    }
  }
  if (!isFine) return failed();
  if (isDeferred) return {State::deferred, {}};
  const auto value = evaluateConstant(
      *parsed,
      [&](const std::string& wanted) -> std::optional<ExpressionValue> {
        const auto found = values.find(wanted);
        return found == values.end() ? std::nullopt : std::optional(found->second);
      },
      diagnostics);
  if (!value) return failed();
  elements_ += value->size();
  if (elements_ > kMostNumbers) {
    diagnostics.error(expression.at, "the arrays of a model's parameters must not hold more than " +
                                         std::to_string(kMostNumbers) + " numbers in all");
    return failed();
  }
  for (const double x : value->elements()) {
    if (std::isfinite(x)) continue;
    diagnostics.error(expression.at, "'" + name + "' must be finite, found " + formatNumber(x));
    return failed();
  }
  return known(*value);
}

Result ParameterTable::evaluate(const YamlNode& node, int scope, const std::string& name,
                                Diagnostics& diagnostics) {
  if (node.isSequence()) return list(node, scope, name, diagnostics);
  if (!node.isScalar()) {
    diagnostics.error(node.mark(),
                      "'" + name + "' must be a value or an expression, found " + node.describe());
    return failed();
  }
  if (const auto x = plainNumber(node)) return known(*x);
  if (holdsQuantity(node)) {
    const auto number = withoutUnits(node, {}, [&](const SourceMark& at, const std::string& text) {
      diagnostics.error(at, "'" + name + "' " + text);
    });
    return number ? evaluate(*number, scope, name, diagnostics) : failed();
  }
  const bool marked = node.text.starts_with('=');
  return evaluateText({node.text.substr(marked ? 1 : 0), node.markInText(marked ? 1 : 0), scope},
                      name, diagnostics);
}

Result ParameterTable::list(const YamlNode& node, int scope, const std::string& name,
                            Diagnostics& diagnostics) {
  std::vector<ExpressionValue> items;
  State state = State::known;
  for (const YamlNode& item : node.items) {
    Result result = evaluate(item, scope, name, diagnostics);
    if (result.state == State::failed) state = State::failed;
    if (result.state == State::deferred && state == State::known) state = State::deferred;
    items.push_back(std::move(result.value));
  }
  if (state != State::known) return {state, {}};
  if (items.empty()) {
    diagnostics.error(node.mark(), "'" + name + "' must not be an empty list");
    return failed();
  }
  if (auto value = stack(items)) return known(std::move(*value));
  diagnostics.error(node.mark(), "'" + name +
                                     "' must be a list of numbers or of rows of the same "
                                     "length, found values that differ in kind or size");
  return failed();
}

const ComponentDescription* ParameterTable::ownerOf(const std::string& name) const {
  for (auto owner = ownerName(name); !owner.empty(); owner = ownerName(owner)) {
    const auto found = components_.find(std::string(owner));
    if (found != components_.end()) return found->second.component;
  }
  return nullptr;
}

bool ParameterTable::isPublished(const std::string& name) const {
  const ComponentDescription* owner = ownerOf(name);
  if (!owner) return false;
  const auto& values = components_.at(owner->name).values;
  return std::ranges::any_of(
      values, [&](const Published* v) { return name == owner->name + "." + v->key; });
}

/// Why a name has no value: variables have none before the run.
std::string ParameterTable::explainUnknown(const std::string& name, int scope) const {
  const std::string late = " has no value before the run: a parameter cannot depend on a variable";
  const ComponentDescription* owner = nullptr;
  for (int s = scope; s >= 0; s = model_.scopes[s].parent) {
    const std::string full = model_.scopes[s].prefix + name;
    const std::string whole = withoutIndex(full).empty() ? full : withoutIndex(full);
    if (std::ranges::any_of(model_.variables, [&](const VariableDescription& v) {
          return v.name == full || v.name == whole;
        })) {
      return "'" + name + "'" + late;
    }
    if (!owner) owner = ownerOf(full);
    if (!owner) continue;
    const YamlNode* given =
        owner->arguments.find(std::string_view(whole).substr(owner->name.size() + 1));
    if (given && given->isMap()) return "'" + name + "'" + late;
    break;
  }
  const std::string hint = didYouMean(name, knownNames(name, scope));
  if (!hint.empty() || !owner) return "unknown name '" + name + "'" + hint;
  return "'" + name + "' is no parameter of '" + owner->name +
         "', and variables have no value before the run: a parameter cannot depend on one";
}

std::vector<std::string> ParameterTable::knownNames(const std::string& near, int scope) const {
  std::vector<std::string> names{"pi", "deg", "time"};
  const auto visible = [&](const std::string& name) {
    names.push_back(name);
    for (int s = scope; s > 0; s = model_.scopes[s].parent) {
      const std::string& prefix = model_.scopes[s].prefix;
      if (name.starts_with(prefix)) names.push_back(name.substr(prefix.size()));
    }
  };
  for (const ModelParameter& p : model_.parameters) visible(p.name);
  if (near.find('.') == std::string::npos) return names;
  for (const auto& [name, entry] : components_) {
    for (const Published* v : entry.values) visible(name + "." + v->key);
    for (const YamlNode::Entry& given : entry.component->arguments.entries) {
      if (!given.value.isMap()) visible(name + "." + given.key);
    }
  }
  std::sort(names.begin(), names.end());  // the order of the map must not matter
  return names;
}

}  // namespace cardan
