#include "engine/expression/units.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

using namespace cardan;

namespace {

Unit unitNamed(const std::string& text) {
  UnitError error;
  const auto unit = parseUnit(text, error);
  REQUIRE_MESSAGE(unit, text << ": " << error.text);
  return *unit;
}

double converted(double x, const std::string& from, const std::string& to) {
  const Unit a = unitNamed(from), b = unitNamed(to);
  REQUIRE(agrees(a.dimension, b.dimension));
  return convert(x, a, b);
}

std::string unitErrorOf(const std::string& text) {
  UnitError error;
  CHECK_FALSE(parseUnit(text, error));
  return std::to_string(error.offset) + ": " + error.text;
}

}  // namespace

TEST_CASE("Units: decimal prefixes lose no digit") {
  for (int n = 1; n < 2000; ++n) {
    const std::string digits = std::to_string(n);
    CHECK(converted(n, "mm", "m") == std::stod(digits + "e-3"));
    CHECK(converted(n, "um", "m") == std::stod(digits + "e-6"));
    CHECK(converted(n, "kN", "N") == std::stod(digits + "e3"));
    CHECK(converted(n, "g", "kg") == std::stod(digits + "e-3"));
    CHECK(converted(n, "deg", "deg") == n);
    CHECK(converted(n, "deg", "rad") == n * (std::numbers::pi / 180));
  }
}

TEST_CASE("Units: conversions of the SI brochure and of NIST SP 811") {
  const auto close = [](double a, double b) { return std::abs(a - b) <= 1e-15 * std::abs(b) * 4; };
  CHECK(close(converted(1200, "rpm", "rad/s"), 40 * std::numbers::pi));
  CHECK(close(converted(90, "km/h", "m/s"), 25));
  CHECK(close(converted(2.5, "kN/m", "N/m"), 2500));
  CHECK(close(converted(0.5, "rad", "deg"), 90 / std::numbers::pi));
  CHECK(close(converted(1, "N.m/deg", "N.m/rad"), 180 / std::numbers::pi));
  CHECK(close(converted(7.85, "g/cm3", "kg/m3"), 7850));
  CHECK(close(converted(1, "kgf.cm", "N.m"), 0.0980665));
  CHECK(close(converted(1, "psi", "Pa"), 6894.757293168361));
  CHECK(close(converted(1, "hp", "W"), 745.69987158227022));
  CHECK(close(converted(1, "lbf", "N"), 4.4482216152605));
  CHECK(close(converted(1, "kWh", "MJ"), 3.6));
  CHECK(close(converted(47, "uF", "F"), 47e-6));
  CHECK(close(converted(2.2, "kOhm", "Ohm"), 2200));
  CHECK(close(converted(1, "Ah", "C"), 3600));
  CHECK(close(converted(3, "J/(kg.K)", "J/kg/K"), 3));
  CHECK(close(converted(5, "1/min", "1/s"), 5.0 / 60));
  CHECK(close(converted(9.81, "m/s^2", "m/s2"), 9.81));
  CHECK(converted(20, "degC", "K") == 293.15);
  CHECK(close(converted(300, "K", "degC"), 26.85));
  CHECK(std::abs(converted(212, "degF", "degC") - 100) < 1e-12);
  CHECK(converted(5, "min", "s") == 300);
  CHECK(converted(30, "\xC2\xB0", "deg") == 30);
  CHECK(converted(3, "\xC2\xB5m", "um") == 3);
}

TEST_CASE(
    "Units: a quantity is a number, white space and a unit, or a sign; anything else is an "
    "expression") {
  for (const char* text : {"30 deg", "-2.5 kN/m", "1e3 mm", "5 1/s", "  3   m ", "7 %", "2 foo",
                           "+4 kg.m2", ".5 rad", "1 N.m/(rad/s)", "30\xC2\xB0", "7%",
                           "20\xC2\xB0"
                           "C",
                           "3\xC2\xB5m"}) {
    CHECK_MESSAGE(asQuantity(text), text);
  }
  for (const char* text : {"30", "30*deg", "30deg", "m", "2 pi", "2 time", "3 if", "2 - x",
                           "2 m + 1", "x 3", "", " ", "1e999 m", "3 [m]", "nan m", "2 *m"}) {
    CHECK_MESSAGE(!asQuantity(text), text);
  }
  CHECK(asQuantity("-2.5 kN/m")->number == -2.5);
  CHECK(asQuantity("-2.5 kN/m")->unit == "kN/m");
  CHECK(asQuantity("-2.5 kN/m")->unitAt == 5);
  CHECK(asQuantity("30\xC2\xB0")->unitAt == 2);
}

TEST_CASE("Units: the words of English for them are understood, for a proposal") {
  const std::pair<const char*, const char*> words[] = {
      {"degree", "deg"},      {"Degrees", "deg"}, {"meters", "m"},
      {"millimetre", "mm"},   {"kilogram", "kg"}, {"Newton", "N"},
      {"megapascals", "MPa"}, {"inches", "in"},   {"kgg", "kg"}};
  for (const auto& [word, unit] : words) {
    UnitError error;
    CHECK(!parseUnit(word, error));
    CHECK(error.text.ends_with("; did you mean '" + std::string(unit) + "'?"));
    CHECK(parseUnit(unit, error));
  }
}

TEST_CASE("Units: dimensions agree where SI takes radians for numbers, and cycles never") {
  const auto agree = [](const char* given, const char* wanted) {
    return agrees(unitNamed(given).dimension, unitNamed(wanted).dimension);
  };
  CHECK(agree("N.m", "N.m/rad"));
  CHECK(agree("1/s", "rad/s"));
  CHECK(agree("J", "N.m"));
  CHECK_FALSE(agree("Hz", "rad/s"));
  CHECK_FALSE(agree("rpm", "Hz"));
  CHECK_FALSE(agree("deg", "1"));
  CHECK_FALSE(agree("kg", "m"));
}

TEST_CASE("Units: what is wrong with one is said at its place") {
  CHECK(unitErrorOf("kgg") == "0: unknown unit 'kgg'; did you mean 'kg'?");
  CHECK(unitErrorOf("N.mm/foo").starts_with("5: unknown unit 'foo'"));
  CHECK(unitErrorOf("N.") == "2: expected a unit");
  CHECK(unitErrorOf("m^") == "1: expected a whole exponent");
  CHECK(unitErrorOf("m12") == "1: an exponent has one digit");
  CHECK(unitErrorOf("J/(kg.K") == "7: expected ')'");
  CHECK(unitErrorOf("m)") == "1: unexpected ')'");
  CHECK(unitErrorOf("W/degC") ==
        "2: 'degC' and 'degF' stand alone; differences of temperature are in K");
  CHECK(unitErrorOf("degC.m") ==
        "0: 'degC' and 'degF' stand alone; differences of temperature are in K");
}

TEST_CASE("Units: dimensions have the names of the field") {
  const auto described = [](const char* unit) { return unitNamed(unit).dimension.describe(); };
  CHECK(described("mm") == "a length [m]");
  CHECK(described("kN/mm") == "a stiffness [N/m]");
  CHECK(described("kWh") == "a torque or an energy [N.m]");
  CHECK(described("%") == "a plain number");
  CHECK(described("kg.m/s3") == "a quantity [m.kg/s3]");
  CHECK(described("1/(K.m)") == "a quantity [1/(m.K)]");
}
