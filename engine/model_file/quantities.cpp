#include "engine/model_file/quantities.h"

#include <algorithm>
#include <cmath>

#include "engine/expression/value.h"

namespace cardan {

bool holdsQuantity(const YamlNode& node) {
  if (node.isScalar()) return asQuantity(node.text).has_value();
  return std::ranges::any_of(node.items, holdsQuantity);
}

std::string statedUnit(const YamlNode& node) {
  if (node.isScalar()) {
    const auto quantity = asQuantity(node.text);
    return quantity ? quantity->unit : "";
  }
  for (const YamlNode& item : node.items) {
    if (std::string unit = statedUnit(item); !unit.empty()) return unit;
  }
  return "";
}

WantedUnit wantedUnit(std::string_view unit) {
  UnitError ignored;
  return {parseUnit(unit, ignored), std::string(unit)};
}

WantedUnit siUnitOf(std::string_view unit) {
  UnitError ignored;
  const auto stated = parseUnit(unit, ignored);
  if (!stated) return {};
  return {Unit{stated->dimension, 1, 1, 0, 0}, ""};
}

std::optional<YamlNode> withoutUnits(const YamlNode& node, const WantedUnit& wanted,
                                     const QuantityError& report) {
  YamlNode result = node;
  if (node.isSequence()) {
    bool isFine = true;
    for (YamlNode& item : result.items) {
      auto number = withoutUnits(item, wanted, report);
      if (number) item = std::move(*number);
      isFine = isFine && number;
    }
    return isFine ? std::optional(std::move(result)) : std::nullopt;
  }
  const auto quantity = node.isScalar() ? asQuantity(node.text) : std::nullopt;
  if (!quantity) return result;
  UnitError error;
  const auto unit = parseUnit(quantity->unit, error);
  if (!unit) {
    report(node.markInText(quantity->unitAt + error.offset),
           "must be a number with its unit: " + error.text);
    return std::nullopt;
  }
  if (wanted.unit && !agrees(unit->dimension, wanted.unit->dimension)) {
    report(node.mark(), "must be " + wanted.unit->dimension.describe(wanted.shown) + ", found " +
                            node.describe() + ", " + unit->dimension.describe());
    return std::nullopt;
  }
  const Unit si{unit->dimension, 1, 1, 0, 0};
  const double number = convert(quantity->number, *unit, wanted.unit ? *wanted.unit : si);
  if (!std::isfinite(number)) {
    report(node.mark(), "must be finite, found " + node.describe());
    return std::nullopt;
  }
  result.text = formatNumber(number);
  result.quoted = false;
  return result;
}

}  // namespace cardan
