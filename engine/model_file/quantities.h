/// Values with units in a model file: `300 mm` becomes the number that its parameter wants.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/expression/units.h"
#include "engine/text/yaml_document.h"

namespace cardan {

/// True if the value, or one in the list, is a number with a unit.
bool holdsQuantity(const YamlNode& node);

/// The first unit stated in a value; "" if there is none.
std::string statedUnit(const YamlNode& node);

/// What a number with a unit becomes.
struct WantedUnit {
  std::optional<Unit> unit;  ///< none: any quantity, in SI units
  std::string shown;         ///< its text, for messages
};

/// The unit that a parameter has.
WantedUnit wantedUnit(std::string_view unit);
/// The SI unit of what is measured in `unit`.
WantedUnit siUnitOf(std::string_view unit);

/// Gets the place of an error and what is wrong there: "must be a length [m], found '3 kg', a mass
/// [kg]".
using QuantityError = std::function<void(const SourceMark&, const std::string&)>;

/// The value with every quantity in it as a plain number; nothing, and reported, where one has the
/// wrong dimension or no known unit.
std::optional<YamlNode> withoutUnits(const YamlNode& node, const WantedUnit& wanted,
                                     const QuantityError& report);

}  // namespace cardan
