#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/expression/lowering.h"

namespace cardan {
namespace {

constexpr int kHighestOrder = 9;  ///< of derivatives

LoweredValue constantValue(const ExpressionValue& value) {
  LoweredValue x{value.type(), value.shape(), {}, value.isString() ? value.string() : ""};
  for (const double element : value.elements()) x.elements.push_back(Operand::number(element));
  return x;
}

/// Takes the last "[1,2]" off a name; false if there is none.
bool splitIndices(std::string& name, std::vector<int>& indices) {
  if (!name.ends_with(']')) return false;
  const size_t open = name.rfind('[');
  if (open == std::string::npos) return false;
  indices.clear();
  const char* at = name.data() + open + 1;
  const char* const end = name.data() + name.size();
  while (at < end) {
    int index = 0;
    const auto read = std::from_chars(at, end, index);
    if (read.ec != std::errc()) return false;
    indices.push_back(index);
    at = read.ptr + 1;  // ',' or ']'
  }
  name.resize(open);
  return true;
}

}  // namespace

LoweredValue Lowering::name(const Node& node, const std::string& fullName, int derivativeOrder) {
  const auto limited = [&](const Value& value) {
    limitSize(node, static_cast<double>(value.elements.size()));
    return value;
  };
  if (const auto value = find(node, fullName, derivativeOrder)) return limited(*value);
  std::string base = fullName;
  std::vector<std::vector<int>> groups;
  std::vector<int> indices;
  while (splitIndices(base, indices)) {
    groups.push_back(indices);
    // Of a variable only what is chosen is loaded.
    const std::optional<VariableSlots> slots = slotsOf(base, derivativeOrder);
    auto value = slots ? std::optional(placesOf(*slots)) : find(node, base, derivativeOrder);
    if (!value) continue;
    for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
      value = select(*value, *group, node, base);
    }
    if (slots) loadPlaces(*value, *slots, node, base, derivativeOrder);
    return limited(*value);
  }
  if (derivativeOrder == 0 && !locals_) {
    if (const auto R = findOrientation(node, fullName)) return *R;
  }
  failUnknown(node, fullName, derivativeOrder);
}

std::optional<LoweredValue> Lowering::find(const Node& node, const std::string& name,
                                           int derivativeOrder) {
  if (locals_) {
    const auto local = locals_->find(name);
    return local == locals_->end() ? std::nullopt : std::optional<Value>(local->second);
  }
  const auto meaning = resolver_.resolve(name, derivativeOrder);
  if (!meaning) {
    if (derivativeOrder == 0) return std::nullopt;
    const auto itself = resolver_.resolve(name, 0);
    if (!itself || !std::holds_alternative<ExpressionValue>(*itself)) return std::nullopt;
    Value zero = constantValue(std::get<ExpressionValue>(*itself));
    if (derivativeOrder < 0) return zero;  // what never changes
    std::fill(zero.elements.begin(), zero.elements.end(), Operand::number(0.0));
    return zero;
  }
  if (const auto* value = std::get_if<ExpressionValue>(&*meaning)) {
    for (const double x : value->elements()) {
      if (!std::isfinite(x))
        fail(node, "value of '" + name + "' is not finite: " + formatNumber(x));
    }
    return constantValue(*value);
  }
  const VariableSlots& slots = std::get<VariableSlots>(*meaning);
  Value x = placesOf(slots);
  loadPlaces(x, slots, node, name, derivativeOrder);
  return x;
}

/// Of a variable; nothing: the name is of something else.
std::optional<VariableSlots> Lowering::slotsOf(const std::string& name, int derivativeOrder) {
  if (locals_) return std::nullopt;
  const auto meaning = resolver_.resolve(name, derivativeOrder);
  const auto* slots = meaning ? std::get_if<VariableSlots>(&*meaning) : nullptr;
  return slots ? std::optional(*slots) : std::nullopt;
}

/// The numbers of the elements in place of these.
LoweredValue Lowering::placesOf(const VariableSlots& slots) {
  Value x{slots.isBoolean ? ValueType::boolean : ValueType::real, slots.shape, {}, ""};
  for (int i = 0; i < slots.shape.size(); ++i) x.elements.push_back(Operand::number(i));
  return x;
}

void Lowering::loadPlaces(Value& x, const VariableSlots& slots, const Node& node,
                          const std::string& name, int derivativeOrder) {
  for (Operand& element : x.elements) {
    const int i = static_cast<int>(element.constant);
    element = program_.load(slots.first + i, &node);
    sources_.try_emplace(element.target, Source{name, derivativeOrder, i, &node});
  }
}

void Lowering::failUnknown(const Node& node, const std::string& name, int derivativeOrder) {
  std::string text = resolver_.explain(name, derivativeOrder);
  if (text.empty() && derivativeOrder > 0) {
    std::string base = name;
    std::vector<int> indices;
    bool exists = false;
    do {
      exists = exists || resolver_.resolve(base, 0);
    } while (splitIndices(base, indices));
    if (exists) {
      text = (derivativeOrder > 1 ? "second derivative of '" : "derivative of '") + name +
             "' is not available";
      if (derivativeOrder > 2) text = "derivatives are available to second order";
    }
  }
  if (text.empty()) {
    text = "unknown name '" + name + "'" +
           diagnostics_.suggestion(name, [&] { return resolver_.knownNames(); });
  }
  fail(node, text);
}

LoweredValue Lowering::select(const Value& x, const std::vector<int>& indices, const Node& node,
                              const std::string& what) {
  Value result{x.type, {}, {}, ""};
  std::vector<int> chosen;
  const std::string wrong = selectElements(x.shape, indices, result.shape, chosen);
  if (!wrong.empty()) fail(node, "'" + what + "': " + wrong);
  for (const int i : chosen) result.elements.push_back(x.elements[i]);
  return result;
}

LoweredValue Lowering::index(const Node& node) {
  const Node& whole = *node.arguments[0];
  const std::optional<VariableSlots> slots =
      whole.kind == NodeKind::name ? slotsOf(whole.text, 0) : std::nullopt;
  const Value x = slots ? placesOf(*slots) : lower(whole);
  std::vector<int> indices;
  for (size_t i = 1; i < node.arguments.size(); ++i) {
    const Node& part = *node.arguments[i];
    if (part.kind == NodeKind::all) {
      indices.push_back(0);
      continue;
    }
    const int chosen = constantInteger(part, lower(part), "an index", -2147483647);
    indices.push_back(chosen == 0 ? -1 : chosen);  // 0 would mean ':'
    if (chosen == 0) fail(part, "index 0 is out of range; the first index is 1");
  }
  if (x.type == ValueType::string) fail(node, "a string has no elements");
  Value chosen = select(x, indices, node, toString(whole));
  if (slots) loadPlaces(chosen, *slots, whole, whole.text, 0);
  return chosen;
}

LoweredValue Lowering::derivative(const Node& node) {
  if (beforeRun_) fail(node, "'der' has no value here: the value must be known before the run");
  // der(x), der(der(x)): the resolver knows best.
  int order = 1;
  const Node* inner = node.arguments[0].get();
  while (inner->kind == NodeKind::call && inner->function->kind == FunctionKind::derivative) {
    ++order;
    inner = inner->arguments[0].get();
  }
  if (inner->kind == NodeKind::name) {
    if (order > kHighestOrder) fail(node, "derivatives are available to order 9");
    const Value x = name(*inner, inner->text, order);
    needNumbers(node, {x}, "der");
    return x;
  }
  const Value x = lower(*node.arguments[0]);
  needNumbers(node, {x}, "der");
  return differentiated(x, node);
}

/// pre(x), edge(b) = b and not pre(b), change(v) = v <> pre(v)
LoweredValue Lowering::before(const Node& node) {
  const FunctionKind kind = node.function->kind;
  const Node& x = *node.arguments[0];
  if (beforeRun_) {
    fail(node, "'" + node.text + "' has no value here: the value must be known before the run");
  }
  if (x.kind != NodeKind::name) {
    fail(x, "'" + node.text + "' takes the name of a variable, found '" + toString(x) + "'");
  }
  const Value then = name(x, x.text, VariableResolver::kBefore);
  if (kind == FunctionKind::before) return then;
  const Value now = name(x, x.text, 0);
  if (!now.shape.isScalar()) {
    fail(x, "'" + node.text + "' needs a scalar, found " + now.describe());
  }
  if (kind == FunctionKind::edge && now.type != ValueType::boolean) {
    fail(x, "'edge' needs a Boolean, found " + now.describe());
  }
  const Operand result =
      kind == FunctionKind::edge
          ? operate(Operation::logicalAnd, now.elements[0],
                    operate(Operation::logicalNot, then.elements[0], node), node)
          : operate(Operation::notEqual, now.elements[0], then.elements[0], node);
  return LoweredValue::scalar(result, ValueType::boolean);
}

LoweredValue Lowering::sample(const Node& node) {
  const std::vector<Value> x = lowerAll(node);
  for (const Value& v : x) {
    if (v.type != ValueType::real || !v.shape.isScalar() || !v.isConstant()) {
      fail(node,
           "'sample' takes its start and its interval as numbers that are known before the "
           "run, found " +
               v.describe());
    }
  }
  const double start = x[0].elements[0].constant, interval = x[1].elements[0].constant;
  if (!(interval > 0)) {
    fail(node, "the interval of 'sample' must be greater than 0, found " + formatNumber(interval));
  }
  const auto slots = beforeRun_ ? std::nullopt : resolver_.sample(start, interval);
  if (!slots) fail(node, "'sample' has a meaning in 'when' and in variables of the model only");
  return LoweredValue::scalar(program_.load(slots->first, &node), ValueType::boolean);
}

LoweredValue Lowering::differentiated(const Value& x, const Node& node) {
  Value result = x;
  for (Operand& element : result.elements) {
    element = program_.derivative(
        element, [&](int target) { return rateOf(sources_.at(target), node); }, &node);
    limitOperations(node);
  }
  return result;
}

Operand Lowering::rateOf(const Source& source, const Node& node) {
  if (source.derivativeOrder < 0) fail(node, "what was before an event has no derivative");
  const int order = source.derivativeOrder + 1;
  if (order > kHighestOrder) fail(node, "derivatives are available to order 9");
  const auto rate = find(*source.node, source.name, order);
  if (!rate) failUnknown(*source.node, source.name, order);
  return rate->elements.at(source.element);
}

}  // namespace cardan
