#include "engine/expression/value.h"

#include <charconv>
#include <cmath>

namespace cardan {

std::string ValueShape::describe() const {
  if (isScalar()) return "scalar";
  if (isVector()) return "vector of " + std::to_string(rows);
  return "matrix " + std::to_string(rows) + " x " + std::to_string(columns);
}

ExpressionValue::ExpressionValue(std::vector<double> x)
    : shape_(ValueShape::vector(std::ssize(x))), elements_(std::move(x)) {}

ExpressionValue::ExpressionValue(ValueType type, ValueShape shape, std::vector<double> elements)
    : type_(type), shape_(shape), elements_(std::move(elements)) {
  assert(std::ssize(elements_) == shape_.size());
}

bool ExpressionValue::isInteger() const {
  return isScalar() && std::abs(elements_[0]) <= 2147483647.0 &&
         elements_[0] == std::trunc(elements_[0]);
}

std::string ExpressionValue::describe() const {
  if (isString() || shape_.isScalar()) return format();
  return (type_ == ValueType::boolean ? "Boolean " : "") + shape_.describe();
}

std::string ExpressionValue::format() const {
  if (isString()) return quotedText(text_);
  const auto element = [&](int row, int column) {
    const double x = (*this)(row, column);
    return type_ == ValueType::boolean ? std::string(x != 0.0 ? "true" : "false") : formatNumber(x);
  };
  if (shape_.isScalar()) return element(0, 0);
  std::string s = "{";
  for (int i = 0; i < rows(); ++i) {
    if (i > 0) s += ", ";
    if (shape_.isVector()) {
      s += element(i, 0);
      continue;
    }
    s += "{";
    for (int j = 0; j < columns(); ++j) s += (j > 0 ? ", " : "") + element(i, j);
    s += "}";
  }
  return s + "}";
}

std::string formatNumber(double x) {
  if (std::isnan(x)) return "nan";  // its sign has no meaning
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x);
  return {buffer, end.ptr};
}

std::string quotedText(std::string_view text) {
  std::string s = "\"";
  for (const char c : text) {
    if (c == '\n') {
      s += "\\n";
    } else if (c == '\t') {
      s += "\\t";
    } else {
      if (c == '"' || c == '\\') s += '\\';
      s += c;
    }
  }
  return s + "\"";
}

std::string selectElements(const ValueShape& shape, const std::vector<int>& indices,
                           ValueShape& result, std::vector<int>& elements) {
  if (std::ssize(indices) > shape.dimensions) {
    if (shape.isScalar()) return "a scalar has no elements";
    return "a " + shape.describe() + " takes " + (shape.isVector() ? "one index" : "two indices") +
           ", found " + std::to_string(indices.size());
  }
  const int bounds[2] = {shape.rows, shape.columns};
  int first[2] = {0, 0};
  int last[2] = {shape.rows, shape.columns};
  int kept = shape.dimensions;
  bool columnsAreKept = shape.isMatrix();
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] == 0) continue;
    if (indices[i] < 1 || indices[i] > bounds[i]) {
      return "index " + std::to_string(indices[i]) + " is out of range 1.." +
             std::to_string(bounds[i]);
    }
    first[i] = indices[i] - 1;
    last[i] = indices[i];
    --kept;
    if (i == 1) columnsAreKept = false;
  }
  elements.clear();
  for (int row = first[0]; row < last[0]; ++row) {
    for (int column = first[1]; column < last[1]; ++column) {
      elements.push_back(row * shape.columns + column);
    }
  }
  if (kept == 2) {
    result = shape;
  } else if (kept == 1) {
    result = ValueShape::vector(columnsAreKept ? shape.columns : shape.rows);
  } else {
    result = ValueShape::scalar();
  }
  return "";
}

}  // namespace cardan
