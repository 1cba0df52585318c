/// Units of values: `30 deg`, `2.5 kN/m`, read and converted.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace cardan {

/// Exponents of what a unit is made of. Angles and cycles are kept apart from plain numbers, so that
/// `50 Hz` is not taken for 50 rad/s.
struct Dimension {
  enum Base { length, mass, time, current, temperature, amount, intensity, angle, cycle, kBases };
  std::array<int, kBases> exponents{};

  bool operator==(const Dimension&) const = default;
  /// "a length [m]", "a torque or an energy [N.m]", "a quantity [kg.m/s3]", "a plain number"; `shown`
  /// takes the place of the SI unit.
  std::string describe(std::string_view shown = "") const;
};

/// A unit: x of it are (x + offset) * numerator / denominator * 10^power in SI units.
struct Unit {
  Dimension dimension;
  double numerator = 1;
  double denominator = 1;
  int power = 0;
  double offset = 0;  ///< of degC and degF, where they stand alone

  bool isSi() const { return numerator == denominator && power == 0 && offset == 0; }
};

/// What is wrong with the text of a unit; `offset` is the place in it.
struct UnitError {
  size_t offset = 0;
  std::string text;
};

/// Reads `N.m/rad`, `kg.m2`, `kN/m`, `1/s`, `J/(kg.K)`, `m/s^2`, `1`: symbols with SI prefixes and whole
/// exponents, '.' or '*' between them; behind '/' stands one symbol or a group in parentheses.
std::optional<Unit> parseUnit(std::string_view text, UnitError& error);

/// A value with its unit, as written.
struct Quantity {
  double number = 0;
  std::string unit;
  size_t unitAt = 0;  ///< where it begins in the text
};

/// `30 deg`: a number, white space, and a word or `1/` that begins a unit. Nothing for other texts,
/// which are expressions; the unit may still be unknown.
std::optional<Quantity> asQuantity(std::string_view text);

/// True where `given` may stand for `wanted`: the same dimension, or one without the angles and
/// cycles of the other (`N.m` where N.m/rad is meant: SI takes radians for numbers).
bool agrees(const Dimension& given, const Dimension& wanted);

/// The number that `x` of `from` is in `to`. Decimal prefixes lose no digit: 35 mm is 0.035.
double convert(double x, const Unit& from, const Unit& to);

}  // namespace cardan
