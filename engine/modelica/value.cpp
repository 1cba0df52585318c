#include "engine/modelica/value.h"

#include <span>

#include "engine/text/joined.h"

namespace cardan::modelica {
namespace {

Value valueOfKind(Value::Kind kind, double number, std::string text = {}) {
  Value v;
  v.kind = kind;
  v.number = number;
  v.text = std::move(text);
  return v;
}

}  // namespace

Value Value::real(double x) { return valueOfKind(Kind::real, x); }
Value Value::boolean(bool x) { return valueOfKind(Kind::boolean, x ? 1 : 0); }
Value Value::string(std::string x) { return valueOfKind(Kind::text, 0, std::move(x)); }
Value Value::literal(std::string x, int place) {
  return valueOfKind(Kind::enumeration, place, std::move(x));
}
Value Value::formula(Tree tree, bool isMaybeArray) {
  Value v = valueOfKind(Kind::formula, 0);
  v.tree = std::move(tree);
  v.isMaybeArray = isMaybeArray;
  return v;
}
Value Value::array(std::vector<Value> items) {
  Value v = valueOfKind(Kind::array, 0);
  v.items = std::move(items);
  return v;
}

std::string arrayOf(const std::vector<int>& sizes) {
  return "an array of " + joined(sizes, " x ", [](int n) { return std::to_string(n); });
}

std::string sizesText(const std::vector<int>& sizes) {
  return sizes.empty() ? "a scalar" : arrayOf(sizes);
}

const Value* Value::field(std::string_view name) const {
  for (const auto& [known, v] : fields) {
    if (known == name) return &v;
  }
  return nullptr;
}

std::vector<int> Value::sizes() const {
  std::vector<int> result;
  for (const Value* v = this; v->isArray(); v = &v->items[0]) {
    result.push_back(std::ssize(v->items));
    if (v->items.empty()) break;
  }
  return result;
}

std::string Value::describe() const {
  switch (kind) {
    case Kind::array:
      return arrayOf(sizes());
    case Kind::record:
      return "a record";
    case Kind::formula:
      return "what has no value before the run";
    case Kind::text:
      return "a text";
    case Kind::enumeration:
      return "'" + text + "'";
    default:
      return format();
  }
}

std::string Value::format() const {
  switch (kind) {
    case Kind::boolean:
      return number != 0 ? "true" : "false";
    case Kind::text:
      return quotedText(text);
    case Kind::enumeration:
      return text;
    case Kind::formula:
      return toString(*tree);
    case Kind::array:
      return "{" + joined(items, ", ", &Value::format) + "}";
    case Kind::record:
      return "record";
    default:
      return formatNumber(number == 0 ? 0 : number);  // no -0
  }
}

bool Value::operator==(const Value& o) const {
  const bool isSameTree = tree == o.tree || (tree && o.tree && saysTheSame(*tree, *o.tree));
  return kind == o.kind && number == o.number && text == o.text && isSameTree && items == o.items &&
         isMaybeArray == o.isMaybeArray && fields == o.fields;
}

Value placesOf(Value v) {
  if (v.kind == Value::Kind::enumeration && v.number > 0) return Value::real(v.number);
  for (Value& item : v.items) item = placesOf(std::move(item));
  return v;
}

std::optional<ExpressionValue> toExpressionValue(const Value& value) {
  if (value.isNumber()) return ExpressionValue(value.number);
  if (value.kind == Value::Kind::boolean) return ExpressionValue(value.number != 0);
  if (value.kind == Value::Kind::text) return ExpressionValue(value.text);
  if (!value.isArray() || value.items.empty()) return std::nullopt;
  const std::vector<int> sizes = value.sizes();
  if (sizes.size() > 2) return std::nullopt;
  const bool isMatrix = sizes.size() == 2;
  std::vector<double> elements;
  ValueType type = ValueType::real;
  for (const Value& item : value.items) {
    if (isMatrix != item.isArray()) return std::nullopt;
    if (isMatrix && std::ssize(item.items) != sizes[1]) return std::nullopt;
    for (const Value& one : isMatrix ? std::span(item.items) : std::span(&item, 1)) {
      if (!one.isNumber() && one.kind != Value::Kind::boolean) return std::nullopt;
      if (one.kind == Value::Kind::boolean) type = ValueType::boolean;
      elements.push_back(one.number);
    }
  }
  const ValueShape shape =
      isMatrix ? ValueShape::matrix(sizes[0], sizes[1]) : ValueShape::vector(sizes[0]);
  return ExpressionValue(type, shape, std::move(elements));
}

Value fromExpressionValue(const ExpressionValue& value) {
  if (value.isString()) return Value::string(value.string());
  const bool isBoolean = value.type() == ValueType::boolean;
  const auto element = [&](double x) {
    return isBoolean ? Value::boolean(x != 0) : Value::real(x);
  };
  if (value.shape().isScalar()) return element(value.elements()[0]);
  std::vector<Value> rows;
  for (int i = 0; i < value.rows(); ++i) {
    if (value.shape().isVector()) {
      rows.push_back(element(value(i)));
      continue;
    }
    std::vector<Value> row;
    for (int k = 0; k < value.columns(); ++k) row.push_back(element(value(i, k)));
    rows.push_back(Value::array(std::move(row)));
  }
  return Value::array(std::move(rows));
}

}  // namespace cardan::modelica
