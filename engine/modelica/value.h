/// Values that are known while a Modelica model is instantiated: sizes, conditions, parameters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/expression/value.h"
#include "engine/modelica/trees.h"

namespace cardan::modelica {

/// A number, a Boolean, a text, a literal of an enumeration, an array of any depth or a record; or
/// an expression of variables (formula.h).
struct Value {
  enum class Kind { real, boolean, text, enumeration, array, record, formula };

  Kind kind = Kind::real;
  double number = 0;  ///< also of a Boolean (1 or 0); of a literal of the files its place, from 1
  std::string text;   ///< of a text; the last name of a literal
  Tree tree;          ///< of a formula
  std::vector<Value> items;                           ///< of an array
  bool isMaybeArray = false;                          ///< of a formula: its size is not known
  std::vector<std::pair<std::string, Value>> fields;  ///< of a record

  static Value real(double x);
  static Value boolean(bool x);
  static Value string(std::string x);
  static Value literal(std::string x, int place = 0);
  static Value array(std::vector<Value> items);
  static Value formula(Tree tree, bool isMaybeArray = false);

  bool isNumber() const { return kind == Kind::real; }
  bool isArray() const { return kind == Kind::array; }
  bool isFormula() const { return kind == Kind::formula; }
  bool isScalar() const { return !isArray() && !isMaybeArray; }
  /// Of a record; null where it has none of this name.
  const Value* field(std::string_view name) const;
  /// Lengths by dimension; none of a scalar.
  std::vector<int> sizes() const;
  /// "2.5", "an array of 3", "a text", ...
  std::string describe() const;
  /// As an expression of the model file: `{1, 2}`, `true`, `"text"`.
  std::string format() const;
  bool operator==(const Value& other) const;
};

/// For messages: "an array of 2 x 3".
std::string arrayOf(const std::vector<int>& sizes);
/// The same, or "a scalar".
std::string sizesText(const std::vector<int>& sizes);

/// The value with the places of literals of the files in place of these.
Value placesOf(Value v);

/// Nothing for texts and what else expressions do not know.
std::optional<ExpressionValue> toExpressionValue(const Value& value);
Value fromExpressionValue(const ExpressionValue& value);

}  // namespace cardan::modelica
