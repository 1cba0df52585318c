/// What the names of an expression stand for.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/expression/value.h"

namespace cardan {

/// A variable of the run: its elements are in consecutive slots, row by row.
struct VariableSlots {
  int first = 0;
  ValueShape shape;
  bool isBoolean = false;  ///< slots hold 1 or 0
};

using NameMeaning = std::variant<ExpressionValue, VariableSlots>;

/// Gives names their meaning when an expression is bound.
///
/// A name with indices is asked for in full first ("sine1[1].y", "r_0[2]"), then without its last
/// indices ("r_0"), which are then applied to the value. "initial()" is asked for like a name.
class VariableResolver {
 public:
  virtual ~VariableResolver() = default;

  /// In place of an order: the value before an event.
  static constexpr int kBefore = -1;

  /// A constant or a variable, or its derivative of this order by time.
  virtual std::optional<NameMeaning> resolve(const std::string& name, int derivativeOrder) = 0;
  /// A Boolean that is true at the events start, start + interval, ...; nothing: not here.
  virtual std::optional<VariableSlots> sample(double /*start*/, double /*interval*/) {
    return std::nullopt;
  }
  /// Names for suggestions.
  virtual std::vector<std::string> knownNames() const { return {}; }
  /// The error for a name without meaning; "" for the usual text.
  virtual std::string explain(const std::string& /*name*/, int /*derivativeOrder*/) const {
    return "";
  }
};

/// Value of a name before the run, if it has one.
using NameLookup = std::function<std::optional<ExpressionValue>(const std::string& name)>;

}  // namespace cardan
