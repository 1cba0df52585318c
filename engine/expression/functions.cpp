#include "engine/expression/functions.h"

#include <cfloat>
#include <numbers>

#include "engine/expression/tokens.h"
#include "engine/expression/value.h"
#include "engine/text/mapped.h"

namespace cardan {
namespace {

using K = FunctionKind;
using O = Operation;

constexpr double kPi = std::numbers::pi;
constexpr double kDegree = kPi / 180.0;
constexpr double kRpm = kPi / 30.0;
constexpr int kMany = 1000;

constexpr FunctionInfo elementwise(std::string_view name, O op, int arguments = 1) {
  return {name, K::elementwise, arguments, arguments, op};
}
constexpr FunctionInfo conversion(std::string_view name, double scale, double offset = 0.0) {
  return {name, K::conversion, 1, 1, O::constant, scale, offset};
}

constexpr FunctionInfo kFunctions[] = {
    elementwise("sin", O::sin),
    elementwise("cos", O::cos),
    elementwise("tan", O::tan),
    elementwise("asin", O::asin),
    elementwise("acos", O::acos),
    elementwise("atan", O::atan),
    elementwise("atan2", O::atan2, 2),
    elementwise("sinh", O::sinh),
    elementwise("cosh", O::cosh),
    elementwise("tanh", O::tanh),
    elementwise("exp", O::exp),
    elementwise("log", O::log),
    elementwise("log10", O::log10),
    elementwise("sqrt", O::sqrt),
    elementwise("abs", O::abs),
    elementwise("sign", O::sign),
    elementwise("floor", O::floor),
    elementwise("ceil", O::ceil),
    elementwise("integer", O::floor),
    elementwise("div", O::quotient, 2),
    elementwise("rem", O::remainder, 2),
    elementwise("mod", O::modulo, 2),
    {"min", K::minimum, 1, 2},
    {"max", K::maximum, 1, 2},
    {"dot", K::dot, 2, 2},
    {"length", K::length, 1, 1},
    {"norm", K::length, 1, 1},
    {"normalize", K::normalize, 1, 1},
    {"cross", K::cross, 2, 2},
    {"skew", K::skew, 1, 1},
    {"outerProduct", K::outerProduct, 2, 2},
    {"transpose", K::transpose, 1, 1},
    {"diagonal", K::diagonal, 1, 1},
    {"identity", K::identity, 1, 1},
    {"zeros", K::zeros, 1, 2},
    {"ones", K::ones, 1, 2},
    {"fill", K::fill, 2, 3},
    {"linspace", K::linspace, 3, 3},
    {"sum", K::sum, 1, 1},
    {"product", K::product, 1, 1},
    {"size", K::size, 1, 2},
    {"der", K::derivative, 1, 1},
    {"noEvent", K::noEvent, 1, 1},
    {"smooth", K::smooth, 2, 2},
    {"initial", K::initial, 0, 0},
    {"terminal", K::terminal, 0, 0},
    {"sample", K::sample, 2, 2},
    {"pre", K::before, 1, 1},
    {"edge", K::edge, 1, 1},
    {"change", K::change, 1, 1},
    conversion("from_deg", kDegree),
    conversion("to_deg", 1.0 / kDegree),
    conversion("from_rpm", kRpm),
    conversion("to_rpm", 1.0 / kRpm),
    conversion("from_degC", 1.0, 273.15),
    conversion("to_degC", 1.0, -273.15),
    conversion("from_kmh", 1.0 / 3.6),
    conversion("to_kmh", 3.6),
    conversion("from_minute", 60.0),
    conversion("to_minute", 1.0 / 60.0),
    conversion("from_hour", 3600.0),
    conversion("to_hour", 1.0 / 3600.0),
    conversion("from_bar", 1e5),
    conversion("to_bar", 1e-5),
    conversion("from_day", 86400.0),
    conversion("to_day", 1.0 / 86400.0),
    conversion("from_litre", 1e-3),
    conversion("to_litre", 1e3),
    conversion("from_kWh", 3.6e6),
    conversion("to_kWh", 1.0 / 3.6e6),
    conversion("from_Hz", 2.0 * kPi),
    conversion("to_Hz", 0.5 / kPi),
    conversion("from_degF", 5.0 / 9.0, 273.15 - 160.0 / 9.0),
    conversion("to_degF", 1.8, -459.67),
};

/// Functions of MSL Frames and its Quaternions and TransformationMatrices.
constexpr FunctionInfo kOrientation = {"Frames", K::orientation, 0, kMany};

constexpr std::string_view kPackages[] = {
    "Modelica.Math.Vectors.",
    "Modelica.Math.",
    "Modelica.Units.Conversions.",
    "Modelica.SIunits.Conversions.",
    "Math.Vectors.",
    "Math.",
    "Vectors.",
};

struct NamedConstant {
  std::string_view name;
  double value;
};
constexpr NamedConstant kConstants[] = {
    {"pi", kPi},
    {"deg", kDegree},
    {"Modelica.Constants.pi", kPi},
    {"Modelica.Constants.D2R", kDegree},
    {"Modelica.Constants.R2D", 1.0 / kDegree},
    {"Modelica.Constants.e", std::numbers::e},
    {"Modelica.Constants.eps", DBL_EPSILON},
    {"Modelica.Constants.small", DBL_MIN},
    {"Modelica.Constants.inf", DBL_MAX},
    {"Modelica.Constants.g_n", 9.80665},
    {"Modelica.Constants.G", 6.6743e-11},
};

}  // namespace

const FunctionInfo* findFunction(std::string_view name) {
  for (const std::string_view package : {"Modelica.Mechanics.MultiBody.Frames.", "Frames."}) {
    if (name.starts_with(package)) return &kOrientation;
  }
  for (const std::string_view package : kPackages) {
    if (name.starts_with(package)) {
      name.remove_prefix(package.size());
      break;
    }
  }
  for (const FunctionInfo& f : kFunctions) {
    if (f.name == name) return &f;
  }
  return nullptr;
}

Operation operationOf(Operator op) {
  static constexpr O all[] = {
      // by Operator
      O::negate,    O::negate,  O::logicalNot,   O::logicalOr, O::logicalAnd, O::less,
      O::lessEqual, O::greater, O::greaterEqual, O::equal,     O::notEqual,   O::add,
      O::subtract,  O::add,     O::subtract,     O::multiply,  O::divide,     O::multiply,
      O::divide,    O::power,   O::power};
  return all[static_cast<int>(op)];
}

const std::vector<std::string>& functionNames() {
  static const auto names =
      mapped(kFunctions, [](const FunctionInfo& f) { return std::string(f.name); });
  return names;
}

bool findConstant(std::string_view name, double& value) {
  for (const NamedConstant& c : kConstants) {
    if (c.name == name) return value = c.value, true;
  }
  return false;
}

bool isReserved(std::string_view name) {
  double value = 0;
  return name == "time" || isKeyword(name) || findConstant(name, value);
}

std::string faultOf(Operation op, double a, double b) {
  switch (op) {
    case O::divide:
    case O::quotient:
    case O::remainder:
    case O::modulo:
      if (b == 0.0) return "division by zero";
      break;
    case O::power:
    case O::constantPower:
      if (a == 0.0 && b < 0.0) return "division by zero (0 to the power " + formatNumber(b) + ")";
      if (a < 0.0 && b != std::trunc(b)) {
        return formatNumber(a) + " to the power " + formatNumber(b) + " is not a real number";
      }
      break;
    case O::sqrt:
      if (a < 0.0) return "square root of " + formatNumber(a);
      break;
    case O::log:
    case O::log10:
      if (a <= 0.0) return "logarithm of " + formatNumber(a);
      break;
    case O::asin:
    case O::acos:
      if (a < -1.0 || a > 1.0) return "argument " + formatNumber(a) + " is not between -1 and 1";
      break;
    default:
      break;
  }
  return "overflow";
}

std::string cureOf(Operation op, double a, double b, const std::string& argument) {
  const auto instead = [&](const std::string& kept) {
    return kept + " in place of '" + argument + "'";
  };
  switch (op) {
    case O::power:
    case O::constantPower:
      if (!(a < 0.0) || b == std::trunc(b)) return "";
      return instead("max(" + argument + ", 0)");
    case O::sqrt:
      return a < 0.0 ? instead("max(" + argument + ", 0)") : "";
    case O::log:
    case O::log10:
      return a <= 0.0 ? instead("max(" + argument + ", 1e-9)") : "";
    case O::asin:
    case O::acos:
      return std::abs(a) > 1.0 ? instead("min(max(" + argument + ", -1), 1)") : "";
    default:
      return "";
  }
}

}  // namespace cardan
