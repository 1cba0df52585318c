#include "engine/expression/units.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "engine/expression/functions.h"
#include "engine/text/diagnostics.h"
#include "engine/text/mapped.h"

namespace cardan {
namespace {

using DimensionExponents = std::array<int, Dimension::kBases>;

struct UnitSymbol {
  std::string_view name;
  bool takesPrefix;
  DimensionExponents e;  ///< m, kg, s, A, K, mol, cd, rad, cycle
  double numerator = 1;
  double denominator = 1;
  int power = 0;
  double offset = 0;
};

constexpr double kPiOf = std::numbers::pi;

/// SI units and those that engineers write beside them (BIPM: The International System of Units, 9th
/// edition; NIST SP 811 for the others).
const std::vector<UnitSymbol>& unitSymbols() {
  static const std::vector<UnitSymbol> all{
      // Base units; the gram takes the prefixes.
      {"m", true, {1}},
      {"g", true, {0, 1}, 1, 1, -3},
      {"s", true, {0, 0, 1}},
      {"A", true, {0, 0, 0, 1}},
      {"K", true, {0, 0, 0, 0, 1}},
      {"mol", true, {0, 0, 0, 0, 0, 1}},
      {"cd", true, {0, 0, 0, 0, 0, 0, 1}},
      // Angles, turns, frequencies
      {"rad", true, {0, 0, 0, 0, 0, 0, 0, 1}},
      {"deg", false, {0, 0, 0, 0, 0, 0, 0, 1}, kPiOf / 180},
      {"\xC2\xB0", false, {0, 0, 0, 0, 0, 0, 0, 1}, kPiOf / 180},
      {"arcmin", false, {0, 0, 0, 0, 0, 0, 0, 1}, kPiOf / 180, 60},
      {"arcsec", false, {0, 0, 0, 0, 0, 0, 0, 1}, kPiOf / 180, 3600},
      {"rev", false, {0, 0, 0, 0, 0, 0, 0, 1}, 2 * kPiOf},
      {"rpm", false, {0, 0, -1, 0, 0, 0, 0, 1}, kPiOf, 30},
      {"Hz", true, {0, 0, -1, 0, 0, 0, 0, 0, 1}},
      // Times
      {"min", false, {0, 0, 1}, 60},
      {"h", false, {0, 0, 1}, 3600},
      {"d", false, {0, 0, 1}, 86400},
      // Lengths, areas, volumes
      {"in", false, {1}, 254, 1, -4},
      {"ft", false, {1}, 3048, 1, -4},
      {"yd", false, {1}, 9144, 1, -4},
      {"mi", false, {1}, 1609344, 1, -3},
      {"ha", false, {2}, 1, 1, 4},
      {"l", true, {3}, 1, 1, -3},
      {"L", true, {3}, 1, 1, -3},
      // Velocities
      {"mph", false, {1, 0, -1}, 44704, 1, -5},
      {"knot", false, {1, 0, -1}, 1852, 3600},
      // Masses, forces, pressures
      {"t", true, {0, 1}, 1, 1, 3},
      {"lb", false, {0, 1}, 45359237, 1, -8},
      {"N", true, {1, 1, -2}},
      {"kgf", false, {1, 1, -2}, 980665, 1, -5},
      {"kp", false, {1, 1, -2}, 980665, 1, -5},
      {"lbf", false, {1, 1, -2}, 44482216152605, 1, -13},
      {"Pa", true, {-1, 1, -2}},
      {"bar", true, {-1, 1, -2}, 1, 1, 5},
      {"atm", false, {-1, 1, -2}, 101325},
      {"psi", false, {-1, 1, -2}, 4.4482216152605 / (0.0254 * 0.0254)},
      // Energies, powers
      {"J", true, {2, 1, -2}},
      {"Wh", true, {2, 1, -2}, 3600},
      {"cal", true, {2, 1, -2}, 4184, 1, -3},
      {"eV", true, {2, 1, -2}, 1.602176634e-19},
      {"W", true, {2, 1, -3}},
      {"VA", true, {2, 1, -3}},
      {"PS", false, {2, 1, -3}, 73549875, 1, -5},
      {"hp", false, {2, 1, -3}, 745.69987158227022},
      // Electrics
      {"V", true, {2, 1, -3, -1}},
      {"Ohm", true, {2, 1, -3, -2}},
      {"\xCE\xA9", true, {2, 1, -3, -2}},
      {"S", true, {-2, -1, 3, 2}},
      {"F", true, {-2, -1, 4, 2}},
      {"H", true, {2, 1, -2, -2}},
      {"C", true, {0, 0, 1, 1}},
      {"Ah", true, {0, 0, 1, 1}, 3600},
      {"Wb", true, {2, 1, -2, -1}},
      {"T", true, {0, 1, -2, -1}},
      // Temperatures
      {"degC", false, {0, 0, 0, 0, 1}, 1, 1, 0, 273.15},
      {"\xC2\xB0\x43", false, {0, 0, 0, 0, 1}, 1, 1, 0, 273.15},
      {"degF", false, {0, 0, 0, 0, 1}, 5, 9, 0, 459.67},
      // Light, numbers
      {"lm", true, {0, 0, 0, 0, 0, 0, 1}},
      {"lx", true, {-2, 0, 0, 0, 0, 0, 1}},
      {"%", false, {}, 1, 1, -2},
      {"ppm", false, {}, 1, 1, -6},
  };
  return all;
}

struct UnitPrefix {
  std::string_view name;
  int power;
};
// \xC2\xB5 is the micro sign, \xCE\xBC the Greek mu.
constexpr UnitPrefix kUnitPrefixes[] = {
    {"da", 1}, {"y", -24}, {"z", -21},       {"a", -18},       {"f", -15}, {"p", -12},
    {"n", -9}, {"u", -6},  {"\xC2\xB5", -6}, {"\xCE\xBC", -6}, {"m", -3},  {"c", -2},
    {"d", -1}, {"h", 2},   {"k", 3},         {"M", 6},         {"G", 9},   {"T", 12}};

const UnitSymbol* findUnitSymbol(std::string_view name) {
  const auto found = std::ranges::find(unitSymbols(), name, &UnitSymbol::name);
  return found == unitSymbols().end() ? nullptr : &*found;
}

/// A symbol as it is, else with a prefix: `min` are minutes, `mm` millimetres.
std::optional<Unit> unitNamed(std::string_view name) {
  const auto unit = [](const UnitSymbol& s, int power) {
    return Unit{{s.e}, s.numerator, s.denominator, s.power + power, s.offset};
  };
  if (const UnitSymbol* s = findUnitSymbol(name)) return unit(*s, 0);
  for (const UnitPrefix& p : kUnitPrefixes) {
    if (!name.starts_with(p.name)) continue;
    const UnitSymbol* s = findUnitSymbol(name.substr(p.name.size()));
    if (s && s->takesPrefix) return unit(*s, p.power);
  }
  return std::nullopt;
}

/// Words of plain English for units and prefixes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 33> kUnitWords{
    {{"meter", "m"},    {"metre", "m"},    {"gram", "g"},     {"tonne", "t"},  {"ton", "t"},
     {"second", "s"},   {"sec", "s"},      {"minute", "min"}, {"hour", "h"},   {"day", "d"},
     {"degree", "deg"}, {"radian", "rad"}, {"turn", "rev"},   {"hertz", "Hz"}, {"newton", "N"},
     {"joule", "J"},    {"watt", "W"},     {"pascal", "Pa"},  {"volt", "V"},   {"ampere", "A"},
     {"amp", "A"},      {"farad", "F"},    {"henry", "H"},    {"kelvin", "K"}, {"celsius", "degC"},
     {"inch", "in"},    {"inches", "in"},  {"foot", "ft"},    {"feet", "ft"},  {"pound", "lb"},
     {"liter", "l"},    {"litre", "l"},    {"percent", "%"}}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kPrefixWords{
    {{"kilo", "k"}, {"milli", "m"}, {"centi", "c"}, {"micro", "u"}, {"mega", "M"}, {"nano", "n"}}};

/// "; did you mean 'km'?" of "kilometers"; "" of what is no such word.
std::string unitMeant(std::string_view written) {
  std::string word(written);
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  std::string prefix;
  for (const auto& [name, symbol] : kPrefixWords) {
    if (!word.starts_with(name)) continue;
    word.erase(0, name.size());
    prefix = symbol;
  }
  for (const auto& [name, symbol] : kUnitWords) {
    if (word == name || word == std::string(name) + "s")
      return "; did you mean '" + prefix + std::string(symbol) + "'?";
  }
  return "";
}

std::vector<std::string> unitNames() {
  std::vector<std::string> names{"kg",  "mm",  "cm",   "km", "kN", "MN", "kW", "ms", "kHz",
                                 "MPa", "GPa", "kOhm", "mA", "mV", "uF", "mH", "kJ", "mrad"};
  for (const UnitSymbol& s : unitSymbols()) names.emplace_back(s.name);
  return names;
}

class UnitReader {
 public:
  UnitReader(std::string_view text, UnitError& error) : text_(text), error_(error) {}

  std::optional<Unit> run() {
    Unit unit;
    if (!product(unit, 1) || (at_ < text_.size() && !fail(at_, "unexpected '" + rest() + "'"))) {
      return std::nullopt;
    }
    // A temperature counts from its own zero only where nothing else is beside it.
    if (usesOffset_ && (factors_ != 1 || !isPlain_)) {
      fail(0, "'degC' and 'degF' stand alone; differences of temperature are in K");
      return std::nullopt;
    }
    return unit;
  }

 private:
  static constexpr int kMostFactors = 20;
  static constexpr int kLargestExponent = 9;

  bool fail(size_t at, std::string text) {
    if (error_.text.empty()) error_ = {at, std::move(text)};
    return false;
  }
  std::string rest() const { return std::string(text_.substr(at_)); }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  static bool isLetter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '%' ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
  }
  bool isDigitAt(size_t i) const { return i < text_.size() && text_[i] >= '0' && text_[i] <= '9'; }

  bool product(Unit& unit, int sign) {
    if (++depth_ > 10) return fail(at_, "parentheses are nested too deep");
    if (!factor(unit, sign)) return false;
    while (at_ < text_.size()) {
      if (take('.') || take('*')) {
        if (!factor(unit, sign)) return false;
      } else if (take('/')) {
        if (!factor(unit, -sign)) return false;
      } else {
        break;
      }
    }
    --depth_;
    return true;
  }

  bool factor(Unit& unit, int sign) {
    if (take('(')) {
      isPlain_ = false;
      if (!product(unit, sign)) return false;
      return take(')') || fail(at_, "expected ')'");
    }
    if (at_ < text_.size() && text_[at_] == '1' && !isDigitAt(at_ + 1)) {
      ++at_;
      isPlain_ = false;
      return true;
    }
    const size_t start = at_;
    while (at_ < text_.size() && isLetter(text_[at_])) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    if (name.empty()) return fail(start, "expected a unit");
    std::optional<Unit> one = unitNamed(name);
    if (!one) {
      const std::string meant = unitMeant(name);
      return fail(start, "unknown unit '" + std::string(name) + "'" +
                             (meant.empty() ? didYouMean(name, unitNames()) : meant));
    }
    int exponent = 1;
    if (!readExponent(exponent)) return false;
    if (++factors_ > kMostFactors) return fail(start, "there are too many units");
    usesOffset_ = usesOffset_ || one->offset != 0;
    isPlain_ = isPlain_ && sign * exponent == 1;
    if (one->offset != 0 && sign * exponent != 1) {
      return fail(start, "'degC' and 'degF' stand alone; differences of temperature are in K");
    }
    unit.offset = one->offset;
    multiply(unit, *one, sign * exponent);
    return true;
  }

  bool readExponent(int& exponent) {
    const size_t start = at_;
    const bool caret = take('^');
    const bool minus = take('-');
    if (!isDigitAt(at_)) {
      return (!caret && !minus) || fail(start, "expected a whole exponent");
    }
    exponent = text_[at_++] - '0';
    if (isDigitAt(at_) || exponent > kLargestExponent)
      return fail(start, "an exponent has one digit");
    if (minus) exponent = -exponent;
    return true;
  }

  static void multiply(Unit& unit, const Unit& one, int exponent) {
    for (size_t i = 0; i < Dimension::kBases; ++i)
      unit.dimension.exponents[i] += exponent * one.dimension.exponents[i];
    unit.power += exponent * one.power;
    for (int k = 0; k < std::abs(exponent); ++k) {
      unit.numerator *= exponent > 0 ? one.numerator : one.denominator;
      unit.denominator *= exponent > 0 ? one.denominator : one.numerator;
    }
  }

  std::string_view text_;
  UnitError& error_;
  size_t at_ = 0;
  int depth_ = 0;
  int factors_ = 0;
  bool usesOffset_ = false;
  bool isPlain_ = true;
};

/// What is measured in SI units, by these.
constexpr std::pair<std::string_view, std::string_view> kNamedQuantities[] = {
    {"", "a plain number"},
    {"m", "a length"},
    {"m2", "an area"},
    {"m3", "a volume"},
    {"kg", "a mass"},
    {"s", "a time"},
    {"A", "a current"},
    {"K", "a temperature"},
    {"rad", "an angle"},
    {"Hz", "a frequency"},
    {"1/s", "a rate"},
    {"m/s", "a velocity"},
    {"m/s2", "an acceleration"},
    {"rad/s", "an angular velocity"},
    {"rad/s2", "an angular acceleration"},
    {"N", "a force"},
    {"N.m", "a torque or an energy"},
    {"N/m", "a stiffness"},
    {"N.m/rad", "a rotational stiffness"},
    {"N.s/m", "a damping"},
    {"N.m.s/rad", "a rotational damping"},
    {"kg.m2", "a moment of inertia"},
    {"kg/m3", "a density"},
    {"Pa", "a pressure"},
    {"W", "a power"},
    {"V", "a voltage"},
    {"Ohm", "a resistance"},
    {"S", "a conductance"},
    {"F", "a capacitance"},
    {"H", "an inductance"},
    {"C", "a charge"},
    {"J/K", "a heat capacity"},
    {"W/K", "a thermal conductance"}};

/// A quantity of this dimension and its unit, if it has a name.
const std::pair<std::string_view, std::string_view>* quantityOf(const Dimension& dimension) {
  static const auto dimensions = mapped(kNamedQuantities, [](const auto& q) {
    UnitError ignored;
    return q.first.empty() ? Dimension{} : parseUnit(q.first, ignored)->dimension;
  });
  const size_t k = std::ranges::find(dimensions, dimension) - dimensions.begin();
  return k < dimensions.size() ? &kNamedQuantities[k] : nullptr;
}

}  // namespace

std::string Dimension::describe(std::string_view shown) const {
  if (const auto* named = quantityOf(*this)) {
    const auto& [si, name] = *named;
    const std::string_view unit = shown.empty() ? si : shown;
    return std::string(name) + (si.empty() ? "" : " [" + std::string(unit) + "]");
  }
  static constexpr std::array<const char*, kBases> names{"m",   "kg", "s",   "A",    "K",
                                                         "mol", "cd", "rad", "cycle"};
  std::string above, below;
  for (size_t i = 0; i < kBases; ++i) {
    const int e = exponents[i];
    if (e == 0) continue;
    std::string& side = e > 0 ? above : below;
    side += (side.empty() ? "" : ".") + std::string(names[i]);
    if (std::abs(e) > 1) side += std::to_string(std::abs(e));
  }
  if (below.find('.') != std::string::npos) below = "(" + below + ")";
  const std::string own = (above.empty() ? "1" : above) + (below.empty() ? "" : "/" + below);
  return "a quantity [" + (shown.empty() ? own : std::string(shown)) + "]";
}

std::optional<Unit> parseUnit(std::string_view text, UnitError& error) {
  error = {};
  return UnitReader(text, error).run();
}

std::optional<Quantity> asQuantity(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return std::nullopt;
  const char c = text[first];
  if ((c < '0' || c > '9') && c != '-' && c != '+' && c != '.') return std::nullopt;
  const size_t number = first + (c == '+' ? 1 : 0);
  if (c == '+' && number < text.size() && text[number] == '-') return std::nullopt;
  double x = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data() + number, end, x);
  if (problem != std::errc() || !std::isfinite(x)) return std::nullopt;
  const size_t after = stop - text.data();
  const size_t unit = text.find_first_not_of(" \t", after);
  if (unit == std::string_view::npos) return std::nullopt;
  const size_t last = text.find_last_not_of(" \t\n");
  const std::string_view written = text.substr(unit, last + 1 - unit);
  const auto isWordCharacter = [](char k) {
    return std::isalpha(static_cast<unsigned char>(k)) != 0 || k == '%' ||
           (static_cast<unsigned char>(k) & 0x80U) != 0;
  };
  if (!isWordCharacter(written[0]) && !written.starts_with("1/")) return std::nullopt;
  // A blank stands between them, but for signs that no expression has: 10°, 5%.
  if (unit == after && std::isalnum(static_cast<unsigned char>(written[0])) != 0)
    return std::nullopt;
  const auto isUnitCharacter = [&](char k) {
    return isWordCharacter(k) || (k >= '0' && k <= '9') ||
           std::string_view("_.*/^()-").find(k) != std::string_view::npos;
  };
  if (!std::ranges::all_of(written, isUnitCharacter)) return std::nullopt;
  // `2 pi`, `3 time`: a forgotten '*' in an expression, which says so itself.
  UnitError ignored;
  const std::string word(written);
  if (!parseUnit(written, ignored) && isReserved(word)) return std::nullopt;
  return Quantity{x, word, unit};
}

bool agrees(const Dimension& given, const Dimension& wanted) {
  if (given == wanted) return true;
  if (given.exponents[Dimension::angle] != 0 || given.exponents[Dimension::cycle] != 0)
    return false;
  Dimension plain = wanted;
  plain.exponents[Dimension::angle] = plain.exponents[Dimension::cycle] = 0;
  return given == plain;
}

double convert(double x, const Unit& from, const Unit& to) {
  double numerator = from.numerator * to.denominator;
  double denominator = from.denominator * to.numerator;
  if (numerator == denominator) numerator = denominator = 1;
  const bool isShifted = from.offset != to.offset;
  if (isShifted) x += from.offset;
  x = x * numerator / denominator;
  const int power = from.power - to.power;
  x = power < 0 ? x / std::pow(10.0, -power) : x * std::pow(10.0, power);
  return isShifted ? x - to.offset : x;
}

}  // namespace cardan
