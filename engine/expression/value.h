/// Values of expressions: numbers, Booleans, their vectors and matrices, and strings.
#pragma once

#include <cassert>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// Shape of a value; scalars and vectors have one column, a scalar has one row too.
struct ValueShape {
  int dimensions = 0;  ///< 0 scalar, 1 vector, 2 matrix
  int rows = 1;
  int columns = 1;

  static ValueShape scalar() { return {}; }
  static ValueShape vector(int rows) { return {1, rows, 1}; }
  static ValueShape matrix(int rows, int columns) { return {2, rows, columns}; }

  bool isScalar() const { return dimensions == 0; }
  bool isVector() const { return dimensions == 1; }
  bool isMatrix() const { return dimensions == 2; }
  int size() const { return rows * columns; }
  bool operator==(const ValueShape&) const = default;

  /// "scalar", "vector of 3", "matrix 2 x 3"
  std::string describe() const;
};

/// An orientation (T row by row, then w) is a value of expressions only, never of a parameter.
enum class ValueType { real, boolean, string, orientation };

/// A constant: a number, a Boolean, a vector or matrix of either, or a string.
class ExpressionValue {
 public:
  /// The number 0.
  ExpressionValue() : elements_{0.0} {}
  ExpressionValue(double x) : elements_{x} {}  // NOLINT: a number is a value
  ExpressionValue(int x) : ExpressionValue(static_cast<double>(x)) {}                // NOLINT
  ExpressionValue(bool x) : type_(ValueType::boolean), elements_{x ? 1.0 : 0.0} {}   // NOLINT
  ExpressionValue(std::string x) : type_(ValueType::string), text_(std::move(x)) {}  // NOLINT
  ExpressionValue(const char* x) : ExpressionValue(std::string(x)) {}                // NOLINT
  /// A vector.
  ExpressionValue(std::vector<double> x);  // NOLINT
  /// An array of numbers or Booleans (1 and 0), row by row.
  ExpressionValue(ValueType type, ValueShape shape, std::vector<double> elements);

  static ExpressionValue matrix(int rows, int columns, std::vector<double> elements) {
    return {ValueType::real, ValueShape::matrix(rows, columns), std::move(elements)};
  }

  ValueType type() const { return type_; }
  const ValueShape& shape() const { return shape_; }
  int rows() const { return shape_.rows; }
  int columns() const { return shape_.columns; }
  int size() const { return std::ssize(elements_); }

  bool isReal() const { return type_ == ValueType::real; }
  bool isString() const { return type_ == ValueType::string; }
  /// One Boolean.
  bool isBoolean() const { return type_ == ValueType::boolean && shape_.isScalar(); }
  /// One number; a vector or a matrix of numbers.
  bool isScalar() const { return isReal() && shape_.isScalar(); }
  bool isVector() const { return isReal() && shape_.isVector(); }
  bool isMatrix() const { return isReal() && shape_.isMatrix(); }
  /// One number without fraction, small enough for an int.
  bool isInteger() const;

  /// Pre: isScalar(), isInteger(), isBoolean(), isString().
  double real() const { return assert(isScalar()), elements_[0]; }
  int integer() const { return assert(isInteger()), static_cast<int>(elements_[0]); }
  bool boolean() const { return assert(isBoolean()), elements_[0] != 0.0; }
  const std::string& string() const { return assert(isString()), text_; }

  /// Numbers (Booleans as 1 and 0) row by row; none of a string.
  const std::vector<double>& elements() const { return elements_; }
  /// Element by 0-based indices.
  double operator()(int row, int column = 0) const {
    return elements_[row * shape_.columns + column];
  }

  bool operator==(const ExpressionValue&) const = default;

  /// For messages: "2.5", "true", "\"text\"", "vector of 3", "Boolean vector of 3", "matrix 2 x 3"
  std::string describe() const;
  /// The whole value as an expression: "{1, 2, 3}"
  std::string format() const;

 private:
  ValueType type_ = ValueType::real;
  ValueShape shape_;
  std::vector<double> elements_;
  std::string text_;
};

/// The shortest decimal that reads back as the same double.
std::string formatNumber(double x);

/// A string in double quotes, with escapes.
std::string quotedText(std::string_view text);

/// Shape of the result of indexing: `indices` are 1-based, 0 stands for ':' (all). Fills `elements`
/// with the 0-based positions (row by row) of the chosen elements. Returns "" or what is wrong
/// ("index 4 is out of range 1..3").
std::string selectElements(const ValueShape& shape, const std::vector<int>& indices,
                           ValueShape& result, std::vector<int>& elements);

}  // namespace cardan
