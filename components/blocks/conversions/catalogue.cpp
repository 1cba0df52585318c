// The blocks of Blocks.Math.UnitConversions: a class for each unit and direction.
#include <array>
#include <numbers>
#include <utility>

#include "components/blocks/unit_conversion.h"

namespace cardan::blocks {
namespace conversions {
namespace {

/// A row, which names class and type as every catalogue does.
template <class>
constexpr Conversion entry(const char* type, const char* description, const char* from,
                           const char* to, double gain, double before, double behind) {
  return {type, description, from, to, gain, before, behind};
}

/// [K]  of 0 degC and 0 degF
constexpr double kCelsius = 273.15, kFahrenheit = 459.67 * 5 / 9;
constexpr double kDegree = std::numbers::pi / 180;
constexpr double kTurnPerMinute = 2 * std::numbers::pi / 60;

constexpr std::array kConversions = {
    entry<blocks::UnitConversion>("Blocks.To_degC", "K in degC", "K", "degC", 1, -kCelsius, 0),
    entry<blocks::UnitConversion>("Blocks.From_degC", "degC in K", "degC", "K", 1, 0, kCelsius),
    entry<blocks::UnitConversion>("Blocks.To_degF", "K in degF", "K", "degF", 1.8, -kFahrenheit, 0),
    entry<blocks::UnitConversion>("Blocks.From_degF", "degF in K", "degF", "K", 1 / 1.8, 0,
                                  kFahrenheit),
    entry<blocks::UnitConversion>("Blocks.To_degRk", "K in degRk", "K", "degRk", 1.8, 0, 0),
    entry<blocks::UnitConversion>("Blocks.From_degRk", "degRk in K", "degRk", "K", 1 / 1.8, 0, 0),
    entry<blocks::UnitConversion>("Blocks.To_deg", "rad in deg", "rad", "deg", 1 / kDegree, 0, 0),
    entry<blocks::UnitConversion>("Blocks.From_deg", "deg in rad", "deg", "rad", kDegree, 0, 0),
    entry<blocks::UnitConversion>("Blocks.To_rpm", "rad/s in rev/min", "rad/s", "rev/min",
                                  1 / kTurnPerMinute, 0, 0),
    entry<blocks::UnitConversion>("Blocks.From_rpm", "rev/min in rad/s", "rev/min", "rad/s",
                                  kTurnPerMinute, 0, 0),
    entry<blocks::UnitConversion>("Blocks.To_kmh", "m/s in km/h", "m/s", "km/h", 3.6, 0, 0),
    entry<blocks::UnitConversion>("Blocks.From_kmh", "km/h in m/s", "km/h", "m/s", 1 / 3.6, 0, 0),
    entry<blocks::UnitConversion>("Blocks.To_day", "s in d", "s", "d", 1.0 / 86400, 0, 0),
    entry<blocks::UnitConversion>("Blocks.From_day", "d in s", "d", "s", 86400, 0, 0),
    entry<blocks::UnitConversion>("Blocks.To_hour", "s in h", "s", "h", 1.0 / 3600, 0, 0),
    entry<blocks::UnitConversion>("Blocks.From_hour", "h in s", "h", "s", 3600, 0, 0),
    entry<blocks::UnitConversion>("Blocks.To_minute", "s in min", "s", "min", 1.0 / 60, 0, 0),
    entry<blocks::UnitConversion>("Blocks.From_minute", "min in s", "min", "s", 60, 0, 0),
    entry<blocks::UnitConversion>("Blocks.To_litre", "m3 in l", "m3", "l", 1000, 0, 0),
    entry<blocks::UnitConversion>("Blocks.From_litre", "l in m3", "l", "m3", 1e-3, 0, 0),
    entry<blocks::UnitConversion>("Blocks.To_kWh", "J in kW.h", "J", "kW.h", 1 / 3.6e6, 0, 0),
    entry<blocks::UnitConversion>("Blocks.From_kWh", "kW.h in J", "kW.h", "J", 3.6e6, 0, 0),
    entry<blocks::UnitConversion>("Blocks.To_bar", "Pa in bar", "Pa", "bar", 1e-5, 0, 0),
    entry<blocks::UnitConversion>("Blocks.From_bar", "bar in Pa", "bar", "Pa", 1e5, 0, 0),
    entry<blocks::UnitConversion>("Blocks.To_gps", "kg/s in g/s", "kg/s", "g/s", 1000, 0, 0),
    entry<blocks::UnitConversion>("Blocks.From_gps", "g/s in kg/s", "g/s", "kg/s", 1e-3, 0, 0),
};

template <size_t I>
std::unique_ptr<Component> makeConversion() {
  return std::make_unique<UnitConversion>(kConversions[I]);
}

template <size_t... I>
Catalogue listed(std::index_sequence<I...>) {
  return {{kConversions[I].type, "", kConversions[I].description, &makeConversion<I>}...};
}

}  // namespace
}  // namespace conversions

Catalogue unitConversions() {
  return conversions::listed(std::make_index_sequence<conversions::kConversions.size()>());
}

}  // namespace cardan::blocks
