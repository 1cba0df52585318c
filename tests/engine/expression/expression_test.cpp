#include "engine/expression/expression.h"

#include <doctest/doctest.h>

#include <cfloat>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "engine/expression/bound_expression.h"
#include "engine/expression/constant_evaluation.h"

using namespace cardan;

namespace {

constexpr double kPi = std::numbers::pi;
const SourceMark kMark{"m.yaml", 4, 10};

Expression parse(const std::string& text) {
  Diagnostics diagnostics;
  const auto expression = parseExpression(text, kMark, diagnostics);
  REQUIRE_MESSAGE(expression, text << ": " << diagnostics.format());
  return *expression;
}

const std::map<std::string, ExpressionValue> kParameters = {
    {"L", 0.5},
    {"n", 3},
    {"zero", 0},
    {"flag", true},
    {"kind", "fast"},
    {"v", std::vector<double>{1, 2, 3}},
    {"w", std::vector<double>{4, 5, 6}},
    {"pair", std::vector<double>{1, 2}},
    {"M", ExpressionValue::matrix(2, 3, {1, 2, 3, 4, 5, 6})},
    {"box.width", 0.1},
    {"sine1[2].f", 50},
    {"bad", std::nan("")},
};

std::optional<ExpressionValue> lookup(const std::string& name) {
  const auto found = kParameters.find(name);
  if (found == kParameters.end()) return std::nullopt;
  return found->second;
}

std::optional<ExpressionValue> evaluated(const std::string& text, Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const auto& [name, value] : kParameters) names.push_back(name);
  const auto expression = parseExpression(text, kMark, diagnostics);
  if (!expression) return std::nullopt;
  return evaluateConstant(*expression, lookup, diagnostics, names);
}

ExpressionValue constant(const std::string& text) {
  Diagnostics diagnostics;
  const auto value = evaluated(text, diagnostics);
  REQUIRE_MESSAGE(value, text << ": " << diagnostics.format());
  return *value;
}

/// The errors of a constant expression, "column: text" a line each.
std::string errorsOfExpression(const std::string& text) {
  Diagnostics diagnostics;
  CHECK_MESSAGE(!evaluated(text, diagnostics), text);
  std::string s;
  for (const Diagnostic& d : diagnostics.all()) {
    CHECK(d.at.file == "m.yaml");
    CHECK(d.at.line == 4);
    s += (s.empty() ? "" : "\n") + std::to_string(d.at.column - kMark.column + 1) + ": " + d.text;
  }
  return s;
}

/// Slots: x y z, a vector r of 3, a Boolean b, a matrix T 2 x 2, derivatives of x (two) and r.
class Variables final : public VariableResolver {
 public:
  static constexpr int kSlots = 17;

  std::optional<NameMeaning> resolve(const std::string& name, int order) override {
    const auto slots = [](int first, ValueShape shape = {}, bool isBoolean = false) {
      return NameMeaning(VariableSlots{first, shape, isBoolean});
    };
    if (name == "x") return slots(order == 0 ? 0 : 10 + order);
    if (name == "r" && order < 2) return slots(order == 0 ? 3 : 13, ValueShape::vector(3));
    if (order > 0) return std::nullopt;
    if (name == "y") return slots(1);
    if (name == "body[1].z") return slots(2);
    if (name == "b") return slots(6, {}, true);
    if (name == "T") return slots(7, ValueShape::matrix(2, 2));
    if (name == "k") return NameMeaning(ExpressionValue(2.5));
    return std::nullopt;
  }
  std::vector<std::string> knownNames() const override { return {"x", "y", "body[1].z", "r", "T"}; }
};

BoundExpression bound(const std::string& text) {
  Variables variables;
  Diagnostics diagnostics;
  const auto result = bind(parse(text), variables, diagnostics);
  REQUIRE_MESSAGE(result, text << ": " << diagnostics.format());
  return *result;
}

std::string bindErrors(const std::string& text) {
  Variables variables;
  Diagnostics diagnostics;
  CHECK(!bind(parse(text), variables, diagnostics));
  return diagnostics.format();
}

const std::vector<double> kSlotValues = {0.7, 1.3,  -0.4, 0.2, -1.1, 0.6, 1.0,  1.5, 0.3,
                                         0.8, -0.9, 0.35, 0.6, 0.5,  0.1, -0.7, 0.0};

double at(const BoundExpression& e, std::vector<double> slots, double time,
          const RelationState* frozen = nullptr) {
  std::vector<double> out(static_cast<size_t>(e.size()));
  e.evaluate(slots.data(), time, frozen, out.data());
  return out.at(0);
}

// left - right of relation k.
double relationResidual(const BoundExpression& e, int k, const double* slots, double time,
                        const RelationState* frozen = nullptr) {
  std::vector<double> all(e.relationCount());
  e.relationResiduals(slots, time, frozen, all.data());
  return all[k];
}

std::string whereNotFinite(const BoundExpression& e, const std::vector<double>& slots,
                           double time) {
  const auto fault = e.fault(slots.data(), time);
  return fault ? fault->text : "";
}

}  // namespace

TEST_CASE("Expression: precedence and associativity are Modelica's") {
  const std::pair<const char*, double> table[] = {
      {"1 + 2*3", 7},
      {"(1 + 2)*3", 9},
      {"10 - 4 - 3", 3},
      {"10 - (4 - 3)", 9},
      {"24/4/3", 2},
      {"24/4*3", 18},
      {"2*3^2", 18},
      {"-2^2", -4},
      {"(-2)^2", 4},
      {"2^-1", 0.5},
      {"2*-3", -6},
      {"4 - -3", 7},
      {"-2*3 + 10", 4},
      {"+5 - +2", 3},
      {"- - 3", 3},
      {"1 .+ 2", 3},
      {"2.*3", 6},
      {"2. + .5 + 1e-3 + 1.5E+2", 152.501},
      {"if 1 < 2 then 3 else 4 + 10", 3},
      {"if 1 > 2 then 3 else 4 + 10", 14},
      {"if 1 > 2 then 3 elseif 2 > 1 then 5 else 4", 5},
      {"(if flag then 1 else 2)*10", 10},
      {"30*deg", 30 * kPi / 180},
      {"pi", kPi},
      {"Modelica.Constants.eps", DBL_EPSILON},
      {"box.width*2", 0.2},
      {"sine1[2].f", 50},
      {"v[2] + M[2, 3]", 8},
      {"M[2, :]*v", 32},
      {"M[:, 1]*pair", 9},
      {"v[n]", 3},
      {"v[integer(n/2) + 1]", 2},
      {"[1, 2, 3]*w", 32},
      {"(v + w)[3]", 9},
  };
  for (const auto& [text, expected] : table) {
    INFO(text);
    CHECK(constant(text).real() == doctest::Approx(expected).epsilon(1e-15));
  }
  const std::pair<const char*, bool> booleans[] = {
      {"not true or true", true},
      {"not (true or true)", false},
      {"true or false and false", true},
      {"(true or false) and false", false},
      {"not 1 > 2", true},
      {"1 + 1 == 2 and 3 <> 4", true},
      {"1 != 1", false},
      {"2 >= 2 and 2 <= 2 and not 2 < 2 and not 2 > 2", true},
      {"flag == true", true},
      {"kind == 'fast'", true},
      {"kind <> \"fast\"", false},
      {"zero > 0 and 1/zero > 2", false},
      {"zero == 0 or 1/zero > 2", true},
  };
  for (const auto& [text, expected] : booleans) {
    INFO(text);
    CHECK(constant(text).boolean() == expected);
  }
  CHECK(constant("if zero > 0 then 1/zero else 7").real() == 7);
  CHECK(constant("'a' + \"b\\\"c\"").string() == "ab\"c");
  CHECK(constant("if flag then kind else \"slow\"").string() == "fast");
}

TEST_CASE("Expression: functions of one scalar are those of std") {
  const std::pair<const char*, double (*)(double)> table[] = {
      {"sin", [](double x) { return std::sin(x); }},
      {"cos", [](double x) { return std::cos(x); }},
      {"tan", [](double x) { return std::tan(x); }},
      {"asin", [](double x) { return std::asin(x); }},
      {"acos", [](double x) { return std::acos(x); }},
      {"atan", [](double x) { return std::atan(x); }},
      {"sinh", [](double x) { return std::sinh(x); }},
      {"cosh", [](double x) { return std::cosh(x); }},
      {"tanh", [](double x) { return std::tanh(x); }},
      {"exp", [](double x) { return std::exp(x); }},
      {"log", [](double x) { return std::log(x); }},
      {"log10", [](double x) { return std::log10(x); }},
      {"sqrt", [](double x) { return std::sqrt(x); }},
      {"abs", [](double x) { return std::abs(x); }},
      {"Modelica.Math.sin", [](double x) { return std::sin(x); }},
      {"Modelica.Units.Conversions.from_deg", [](double x) { return x * (kPi / 180); }},
      {"Modelica.SIunits.Conversions.to_deg", [](double x) { return x * (1 / (kPi / 180)); }},
      {"from_rpm", [](double x) { return x * (kPi / 30); }},
      {"to_rpm", [](double x) { return x * (1 / (kPi / 30)); }},
      {"from_degC", [](double x) { return x + 273.15; }},
      {"to_degC", [](double x) { return x - 273.15; }},
      {"to_kmh", [](double x) { return x * 3.6; }},
  };
  for (const auto& [name, function] : table) {
    for (const double x : {0.1, 0.3, 0.99, 1.0}) {
      const std::string argument = "(" + formatNumber(x) + ")";
      INFO(name << argument);
      CHECK(constant(name + argument).real() == function(x));
      std::vector<double> slots = kSlotValues;
      slots[0] = x;
      CHECK(at(bound(std::string(name) + "(x)"), slots, 0) == function(x));
    }
  }
}

TEST_CASE("Expression: other functions") {
  const std::pair<const char*, double> table[] = {
      {"atan2(1, -1)", 3 * kPi / 4},
      {"sign(-3) + 10*sign(0) + 100*sign(2)", 99},
      {"min(2, -1)", -1},
      {"max(2, -1)", 2},
      {"min(v) + 10*max(w)", 61},
      {"floor(-1.5) + 10*ceil(-1.5) + 100*integer(2.9)", 188},
      {"div(7, 2) + 10*div(-7, 2)", -27},
      {"rem(-7, 3) + 10*mod(-7, 3)", 19},
      {"mod(5.5, 2)", 1.5},
      {"length({3, 4})", 5},
      {"Modelica.Math.Vectors.length({3, 4})", 5},
      {"norm([3, 4])", 5},
      {"dot(v, w)", 32},
      {"v*w", 32},
      {"sum(M)", 21},
      {"product(v)", 6},
      {"size(v, 1) + 10*size(M, 2)", 33},
      {"sum(size(M))", 5},
      {"sum(fill(2, 3)) + sum(fill(1, 2, 2))", 10},
      {"noEvent(2)", 2},
      {"smooth(1, 2)", 2},
  };
  for (const auto& [text, expected] : table) {
    INFO(text);
    CHECK(constant(text).real() == doctest::Approx(expected).epsilon(1e-15));
  }
  const std::pair<const char*, const char*> arrays[] = {
      {"cross(v, w)", "{-3, 6, -3}"},
      {"skew(v)*w", "{-3, 6, -3}"},
      {"v + w", "{5, 7, 9}"},
      {"-v .+ 1", "{0, -1, -2}"},
      {"2*v/4", "{0.5, 1, 1.5}"},
      {"v .* w", "{4, 10, 18}"},
      {"w ./ v", "{4, 2.5, 2}"},
      {"v .^ 2", "{1, 4, 9}"},
      {"2 .- v", "{1, 0, -1}"},
      {"M*v", "{14, 32}"},
      {"pair*M", "{9, 12, 15}"},
      {"M*transpose(M)", "{{14, 32}, {32, 77}}"},
      {"M[:, 2]", "{2, 5}"},
      {"M[2]", "{4, 5, 6}"},
      {"[1, 2; 3, 4]", "{{1, 2}, {3, 4}}"},
      {"[1; 2]", "{{1}, {2}}"},
      {"{{1, 2}, {3, 4}}*{1, 1}", "{3, 7}"},
      {"[[1, 2], [3, 4]] - identity(2)", "{{0, 2}, {3, 3}}"},
      {"diagonal({1, 2})", "{{1, 0}, {0, 2}}"},
      {"outerProduct(pair, pair)", "{{1, 2}, {2, 4}}"},
      {"zeros(2) + ones(2)", "{1, 1}"},
      {"zeros(1, 2)", "{{0, 0}}"},
      {"linspace(0, 1, 3)", "{0, 0.5, 1}"},
      {"normalize({0, 2})", "{0, 1}"},
      {"normalize(zeros(3))", "{0, 0, 0}"},
      {"abs(-v)", "{1, 2, 3}"},
      {"max(v, 2)", "{2, 2, 3}"},
      {"{true, 1 > 2}", "{true, false}"},
      {"if flag then v else w", "{1, 2, 3}"},
  };
  for (const auto& [text, expected] : arrays) {
    INFO(text);
    CHECK(constant(text).format() == expected);
  }
}

TEST_CASE("Expression: syntax errors say what was expected and found, and where") {
  const std::pair<std::string, const char*> table[] = {
      {"2*", "3: expected an operand after '*', found end of expression"},
      {"", "1: expected an expression, found nothing"},
      {"*2", "1: expected an expression, found '*'"},
      {"=k", "1: expected an expression, found '='; equality is '=='"},
      {"2*)", "3: expected an operand after '*', found ')'"},
      {"(1 + 2", "7: expected ')' to close '(', found end of expression"},
      {"[1, 2}", "6: expected ']' to close '[', found '}'"},
      {"{1; 2}", "3: expected '}' to close '{', found ';'"},
      {"{}", "2: expected an operand after '{', found '}'"},
      {"1)", "2: ')' has no counterpart before it"},
      {"2pi", "2: expected an operator, found 'pi'; write '2*pi'"},
      {"x = 2", "3: expected an operator, found '='; equality is '=='"},
      {"n && n", "3: expected an operator, found '&&'; write 'and'"},
      {"n || n", "3: expected an operator, found '||'; write 'or'"},
      {"n**2", "2: expected an operator, found '**'; a power is '^'"},
      {"1 < 2 < 3", "7: comparisons cannot be chained; combine them with 'and'"},
      {"2^3^4", "4: powers cannot be chained; use parentheses"},
      {"1 + if true then 1 else 2",
       "5: expected an operand after '+', found 'if'; put it in parentheses"},
      {"true == not true", "9: expected an operand after '==', found 'not'; put it in parentheses"},
      {"if true 1", "9: expected 'then' of 'if ... then ... else ...', found '1'"},
      {"if true then 1",
       "15: expected 'else' of 'if ... then ... else ...', found end of expression"},
      {"3 # 4", "3: unexpected character '#'"},
      {"3 \xC2\xB7 4", "3: unexpected character '\xC2\xB7'"},
      {"'abc", "1: missing ' at the end of a string"},
      {"1e999", "1: number '1e999' is out of range"},
      {"a.2", "2: expected an operator, found '.2'"},
      {"a.", "3: expected a name after 'a.', found end of expression"},
      {"v[0]", "3: index 0 is out of range; the first index is 1"},
      {"sni(2)", "1: unknown function 'sni'; did you mean 'sin'?"},
      {"Modelica.Math.Sin(2)",
       "1: unknown function 'Modelica.Math.Sin'; there are sin, cos, tan, asin, acos, atan, atan2, "
       "sinh, cosh, tanh, exp, log, log10, sqrt, abs, sign, floor, ceil, integer, div, rem, mod, "
       "min, max, dot, length, norm, normalize, cross, skew, outerProduct, transpose, diagonal, "
       "identity, zeros, ones, fill, linspace, sum, product, size, der, noEvent, smooth, initial, "
       "terminal, sample, pre, edge, change, from_deg, to_deg, from_rpm, to_rpm, from_degC, "
       "to_degC, from_kmh, to_kmh, from_minute, "
       "to_minute, from_hour, to_hour, from_bar, to_bar, from_day, to_day, from_litre, "
       "to_litre, from_kWh, to_kWh, from_Hz, to_Hz, from_degF, to_degF"},
      {"atan2(1)", "6: 'atan2' takes 2 arguments, found 1"},
      {"sin()", "4: 'sin' takes 1 argument, found 0"},
      {"min(1, 2, 3)", "4: 'min' takes 1 to 2 arguments, found 3"},
      {"sin(1", "6: expected ',' or ')' in the arguments of 'sin', found end of expression"},
      {"1 + 'a' 'b'", "9: expected an operator, found a string"},
      {std::string(1000000, '('), "1: expression is longer than 100000 characters"},
      {std::string(1000, '('), "201: expression is nested deeper than 200 levels"},
      {std::string(1000, '-'), "201: expression is nested deeper than 200 levels"},
  };
  for (const auto& [text, expected] : table) CHECK(errorsOfExpression(text) == expected);
  std::string chain = "1";
  for (int i = 0; i < 5000; ++i) chain += "+1";
  CHECK(errorsOfExpression(chain) ==
        "2000: expression has more than 1000 operations within each other");
  std::string indices;
  for (int i = 0; i < 5000; ++i) indices += "v[";
  CHECK(errorsOfExpression(indices).ends_with("expression is nested deeper than 200 levels"));
}

TEST_CASE("Expression: errors of evaluation are located and name both sides") {
  const std::pair<const char*, const char*> table[] = {
      {"1 + l", "5: unknown name 'l'; did you mean 'L'?"},
      {"q1 + q2", "1: unknown name 'q1'\n6: unknown name 'q2'"},
      {"2*time", "3: 'time' has no value here: the value must be known before the run"},
      {"der(L)", "1: 'der' has no value here: the value must be known before the run"},
      {"1/(n - 3)", "2: division by zero in '1/(n - 3)'"},
      {"mod(1, zero)", "1: division by zero in 'mod(1, zero)'"},
      {"zero^-1", "5: division by zero (0 to the power -1) in 'zero^(-1)'"},
      {"(-8)^(1/3)", "5: -8 to the power 0.3333333333333333 is not a real number in '(-8)^(1/3)'"},
      {"sqrt(-2)", "1: square root of -2 in 'sqrt(-2)'"},
      {"log(zero)", "1: logarithm of 0 in 'log(zero)'"},
      {"asin(1.5)", "1: argument 1.5 is not between -1 and 1 in 'asin(1.5)'"},
      {"exp(1000)", "1: overflow in 'exp(1000)'"},
      {"1e300*1e300", "6: overflow in '1e+300*1e+300'"},
      {"bad + 1", "1: value of 'bad' is not finite: nan"},
      {"v + 1", "3: '+' needs operands of the same shape, found vector of 3 and scalar"},
      {"v - pair", "3: '-' needs operands of the same shape, found vector of 3 and vector of 2"},
      {"v .* pair", "3: '.*' needs operands of the same shape, found vector of 3 and vector of 2"},
      {"atan2(v, pair)",
       "1: 'atan2' needs operands of the same shape, found vector of 3 and vector of 2"},
      {"v*pair", "2: '*' cannot multiply vector of 3 by vector of 2"},
      {"M*M", "2: '*' cannot multiply matrix 2 x 3 by matrix 2 x 3"},
      {"1/v", "2: '/' divides by a scalar, found vector of 3; element by element it is './'"},
      {"v^2", "2: '^' needs scalars, found vector of 3 and scalar; element by element it is '.^'"},
      {"1 + flag", "3: '+' needs numbers, found true"},
      {"sin(kind)", "1: 'sin' needs numbers, found \"fast\""},
      {"not 1", "1: 'not' needs a Boolean, found 1"},
      {"1 and flag", "3: 'and' needs Booleans, found 1"},
      {"v < 1", "3: '<' cannot compare vector of 3 with 1"},
      {"flag < true", "6: '<' cannot compare true with true"},
      {"if n then 1 else 2", "4: the condition of 'if' must be a Boolean, found 3"},
      {"v[4]", "1: 'v': index 4 is out of range 1..3"},
      {"M[1, 4]", "1: 'M': index 4 is out of range 1..3"},
      {"v[n + 1]", "2: 'v': index 4 is out of range 1..3"},
      {"v[1, 1]", "1: 'v': a vector of 3 takes one index, found 2"},
      {"L[1]", "1: 'L': a scalar has no elements"},
      {"v[L]", "3: an index must be an integer known before the run, found 0.5"},
      {"{1, v}", "1: the elements of an array must be alike, found 1 and vector of 3"},
      {"[1, 2; 3]", "1: the rows of a matrix must be alike, found vector of 2 and vector of 1"},
      {"{kind}", "1: an array cannot hold strings, found \"fast\""},
      {"cross(v, pair)", "1: 'cross' needs a vector of 3, found vector of 2"},
      {"length(L)", "1: 'length' needs a vector, found scalar"},
      {"transpose(v)", "1: 'transpose' needs a matrix, found vector of 3"},
      {"zeros(-1)", "1: a size in 'zeros' must be at least 0, found -1"},
      {"zeros(1e9)", "1: arrays in 'zeros(1e+09)' are too large"},
      {"zeros(2000)*identity(2000)", "13: arrays in 'identity(2000)' are too large"},
      {"size(v, 2)", "1: 'size' of dimension 2 of a vector of 3"},
      {"Modelica.Mechanics.MultiBody.Frames.turnAround()",
       "1: function 'Modelica.Mechanics.MultiBody.Frames.turnAround' is not supported in "
       "expressions"},
  };
  for (const auto& [text, expected] : table) CHECK(errorsOfExpression(text) == expected);
}

TEST_CASE("Expression: text reads back as the same tree") {
  for (const char* text :
       {"a + b*c - d/e^2", "(a + b)*(c - d)", "a - (b - c)", "-(a + b)", "(-a)^2", "-a^2",
        "(a^b)^c", "not (a and b) or c", "(a < b) == (c < d)", "2*(-x)", "a/(b*c)",
        "(if a then b else c) + 1", "if a then b elseif c then d else e", "{a, b[n + 1], c[:, 2]}",
        "[a, b; c, d]", "sin(x .^ 2)*der(y[3]) .+ 1", "f == \"a\\\"b\"", "a.b[2].c[1,3]",
        "1e-07 + 2.5"}) {
    const std::string printed = toString(parse(text));
    CHECK(toString(parse(printed)) == printed);
    CHECK(printed == text);
  }
}

TEST_CASE("Expression: names in the order of the text, with order of derivative and place") {
  const auto names =
      namesIn(parse("a.b[2].c[1, 3]*der(x) + der(der(y)) + sin(time)*pi + x + der(2*u)"));
  const std::tuple<const char*, int, int> expected[] = {{"a.b[2].c[1,3]", 0, 10},
                                                        {"x", 1, 29},
                                                        {"y", 2, 42},
                                                        {"x", 0, 63},
                                                        {"u", 0, 73},
                                                        {"u", 1, 73}};
  REQUIRE(names.size() == std::size(expected));
  for (size_t i = 0; i < names.size(); ++i) {
    CHECK(names[i].name == std::get<0>(expected[i]));
    CHECK(names[i].derivativeOrder == std::get<1>(expected[i]));
    CHECK(names[i].at.column == std::get<2>(expected[i]));
  }
  CHECK(mentions(parse("2 + 30*deg"), "deg"));
  CHECK(mentions(parse("sin(time)"), "time"));
  CHECK(!mentions(parse("time.deg"), "deg"));
}

TEST_CASE("Expression: what the conformance models write is read") {
  for (const char* text :
       {"30*deg", "k", "wz", "0.5",
        "sin(3.141592653589793*pipeWithScalarField.xsi)*cos(3.141592653589793*time) .+ 1",
        "time >= pathPlanning.path.endTime + pathPlanning.swingTime", "jointRRP.e_im",
        "10*sin(2*pi*time)", "-3*boxBody2.v_0[3]", "pathPlanning.pathToAxis1.q_axisUsed.u",
        "sqrt(boxBody2.frame_b.r_0[1]^2 + boxBody2.frame_b.r_0[2]^2)"}) {
    parse(text);
  }
  for (const char* text :
       {"rod_f_diff = rod1.frame_b.f - rod3.frame_b.f", "wz = time", "gravity = body.g_0",
        "engineSpeed_rpm = to_rpm(load.w)", "j2_v = der(jointSSP.prismatic.distance)",
        "bevelGearPower = (ws + der(bevelGear.flange_a.phi)*na)*bevelGear.flange_a.tau*na + "
        "(ws + der(bevelGear.flange_b.phi)*nb)*bevelGear.flange_b.tau*nb + ws*sensor2.torque",
        "mechanics.q = {mechanics.r1.phi, mechanics.r2.phi, mechanics.r3.phi}",
        "mechanics.qd = der(mechanics.q)", "der(axis1.motor.La.i) = 0", "axis.gear.a_rel = 0",
        "0 = if (time < 1) then k - (tor) else k - (0)",
        "R = Modelica.Mechanics.MultiBody.Frames.nullRotation()"}) {
    Diagnostics diagnostics;
    CHECK_MESSAGE(parseEquation(text, kMark, diagnostics), text);
  }
  Diagnostics diagnostics;
  CHECK(toString(parseEquation("a = if b then 1 else 2", kMark, diagnostics)->right) ==
        "if b then 1 else 2");
  CHECK(!parseEquation("a + b", kMark, diagnostics));
  CHECK(!parseEquation("a = b = c", kMark, diagnostics));
  CHECK(
      diagnostics.format() ==
      "m.yaml:4:15: error: expected '=' between the sides of an equation, found end of expression\n"
      "m.yaml:4:16: error: expected an operator, found '='; equality is '=='");
}

TEST_CASE("BoundExpression: derivatives of dual numbers are those of central differences") {
  const char* texts[] = {
      "x*y - body[1].z/x",
      "sin(x)*cos(y)*tan(time) + exp(-x^2)",
      "sqrt(x) + log(y) + log10(x*y) + x^1.5 + 2^x + x^y + y^3",
      "asin(x) + acos(x/2) + atan(y) + atan2(x, y) + sinh(x) + cosh(y) + tanh(x*y)",
      "abs(body[1].z) + min(x, y) + max(x, y) + mod(x*7, y) + rem(x*7, y)",
      "r*r + length(r) + sum(cross(r, {x, y, 1})) + product(r)",
      "T*{x, y}",
      "transpose(T)*T + identity(2)*x",
      "if x > 2*y then x^2 else x*y",
      "if b then {x, y, r[2]} else r",
      "normalize(r)",
      "skew(r)*r + k*r[1]*r",
      "noEvent(if y > 1 then x^3 else 0) + from_deg(x)",
  };
  for (const char* text : texts) {
    INFO(text);
    const BoundExpression e = bound(text);
    const auto n = static_cast<size_t>(e.size());
    const double time = 0.3;
    std::vector<double> value(n);
    e.evaluate(kSlotValues.data(), time, nullptr, value.data());
    for (size_t seeded = 0; seeded <= kSlotValues.size(); ++seeded) {
      if (seeded == 6) continue;  // Boolean
      const bool byTime = seeded == kSlotValues.size();
      std::vector<Dual> slots(kSlotValues.begin(), kSlotValues.end());
      if (!byTime) slots[seeded].setLane(1, 1.0);
      const Dual dualTime = byTime ? Dual::seed(time, 1) : Dual(time);
      std::vector<Dual> out(n);
      e.evaluate(slots.data(), dualTime, nullptr, out.data());
      const double h = 1e-6;
      std::vector<double> up(n);
      std::vector<double> down(n);
      for (const double side : {h, -h}) {
        std::vector<double> moved = kSlotValues;
        if (!byTime) moved[seeded] += side;
        e.evaluate(moved.data(), byTime ? time + side : time, nullptr,
                   side > 0 ? up.data() : down.data());
      }
      for (size_t i = 0; i < n; ++i) {
        CHECK(out[i].v == value[i]);
        CHECK(std::abs(out[i].lane(1) - (up[i] - down[i]) / (2 * h)) < 1e-8);
        CHECK(out[i].lane(0) == 0.0);
      }
    }
  }
}

TEST_CASE("BoundExpression: der of an expression is its directional derivative") {
  for (const char* text : {"x",
                           "2*x + 3",
                           "x^2",
                           "x^3",
                           "x^1.5",
                           "2^x",
                           "x^x",
                           "sin(x)",
                           "cos(x)",
                           "tan(x)",
                           "asin(x)",
                           "acos(x)",
                           "atan(x)",
                           "atan2(x, 2)",
                           "atan2(2, x)",
                           "sinh(x)",
                           "cosh(x)",
                           "tanh(x)",
                           "exp(-x)",
                           "log(x)",
                           "log10(x)",
                           "sqrt(x)",
                           "abs(x)",
                           "1/x",
                           "x/(1 + x)",
                           "min(x, 3)",
                           "max(x, 3)",
                           "mod(5*x, 2)",
                           "rem(5*x, 2)",
                           "time*x",
                           "if x > 0.5 then x^2 else x",
                           "r*r",
                           "length(r)*x",
                           "sum({x, x^2})",
                           "floor(x) + k"}) {
    INFO(text);
    const std::string inner(text);
    // Seeds the rates in lane 0, time with 1.
    std::vector<Dual> slots(kSlotValues.begin(), kSlotValues.end());
    slots[0].setLane(0, kSlotValues[11]);
    for (size_t i = 0; i < 3; ++i) slots[3 + i].setLane(0, kSlotValues[13 + i]);
    Dual expected;
    bound(inner).evaluate(slots.data(), Dual::seed(0.3, 0), nullptr, &expected);
    const double got = at(bound("der(" + inner + ")"), kSlotValues, 0.3);
    CHECK(got == doctest::Approx(expected.lane(0)).epsilon(1e-13));
  }
  CHECK(at(bound("der(der(x))"), kSlotValues, 0) == kSlotValues[12]);
  CHECK(at(bound("der(der(2*x))"), kSlotValues, 0) == 2 * kSlotValues[12]);
  CHECK(at(bound("der(r[2])"), kSlotValues, 0) == kSlotValues[14]);
  CHECK(at(bound("der(r)*r"), kSlotValues, 0) ==
        doctest::Approx(0.5 * 0.2 - 0.1 * 1.1 - 0.7 * 0.6));
  CHECK(bound("der(k)").constant().real() == 0.0);
  CHECK(bindErrors("der(y)") == "m.yaml:4:14: error: derivative of 'y' is not available");
  CHECK(bindErrors("1 + der(3*y)") == "m.yaml:4:20: error: derivative of 'y' is not available");
  CHECK(bindErrors("der(der(r))") ==
        "m.yaml:4:18: error: second derivative of 'r' is not available");
  CHECK(bindErrors("der(b)") == "m.yaml:4:14: error: derivative of 'b' is not available");
}

TEST_CASE("BoundExpression: how fast functions of time can be is known of sums of products") {
  const double none = std::numeric_limits<double>::infinity(), turn = 0.5;  // of time itself
  const std::pair<const char*, double> types[] = {
      {"3*sin(2*time + 1)", 2},
      {"1 - cos(k*time)/4", 2.5},
      {"sin(3*time)*cos(5*time) + sin(time)", 8},
      {"sin(3*time)^4", 12},
      {"exp(-7*(time - 1))", 7},
      {"2*time - 1", turn},
      {"time^3 - time*(1 - time)", 3 * turn},
      {"time*sin(time)", 1 + turn},
      {"k^2", 0},
      // Narrow ones are made of these.
      {"exp(-time^2)", none},
      {"sin(time^2)", none},
      {"1/(2 + sin(time))", none},
      {"max(0, sin(time) - 0.999)", none},
      {"noEvent(if sin(time) > 0 then 1 else 0)", none},
      {"floor(time)", none},
      // What jumps at events is between them what its branches are.
      {"if sin(time) > 0 and time^2 > x then sin(3*time) else cos(5*time)", 5},
      {"if noEvent(x > 0) then 1 else time", none},
      {"sin(time)^0.5", none},
      {"sin(x)", none},
      {"x*sin(time)", none},
  };
  for (const auto& [text, type] : types) {
    INFO(text);
    const double found = bound(text).typeInTime(turn);
    CHECK((found == type || found == doctest::Approx(type)));
  }
}

TEST_CASE("BoundExpression: relations are watched, and a frozen state overrules the comparison") {
  const BoundExpression e = bound("if x > y then 10 else if x > y or time >= 2 then 20 else 30");
  REQUIRE(e.relationCount() == 2);
  std::vector<double> slots = kSlotValues;
  CHECK(at(e, slots, 0) == 30);
  CHECK(at(e, slots, 2) == 20);
  slots[0] = 5;
  CHECK(at(e, slots, 0) == 10);
  CHECK(relationResidual(e, 0, slots.data(), 0.5) == 5 - 1.3);
  CHECK(relationResidual(e, 1, slots.data(), 0.5) == -1.5);
  double residuals[2];
  e.relationResiduals(slots.data(), 0.5, nullptr, residuals);
  CHECK(residuals[0] == 5 - 1.3);
  CHECK(residuals[1] == -1.5);
  RelationState states[2];
  e.relationStates(slots.data(), 2.0, nullptr, states);
  CHECK(states[0] == 1);
  CHECK(states[1] == 1);
  const RelationState none[2] = {0, 0};
  const RelationState second[2] = {0, 1};
  CHECK(at(e, slots, 2, none) == 30);
  CHECK(at(e, slots, 2, second) == 20);
  CHECK(!e.timeEvent(0));
  REQUIRE(e.timeEvent(1));
  CHECK(e.timeEvent(1)->time == 2.0);
  CHECK(e.timeEvent(1)->after);

  const std::tuple<const char*, double, bool> events[] = {
      {"time < 1", 1.0, false},        {"k <= time", 2.5, true},
      {"2*time - 1 > 3", 2.0, true},   {"-(time + 1)/2 < -3", 5.0, true},
      {"1 - time > time", 0.5, false}, {"k*(3 - time) >= 0", 3.0, false},
  };
  for (const auto& [text, time, after] : events) {
    INFO(text);
    const BoundExpression relation = bound(text);
    REQUIRE(relation.relationCount() == 1);
    REQUIRE(relation.timeEvent(0));
    CHECK(relation.timeEvent(0)->time == time);
    CHECK(relation.timeEvent(0)->after == after);
    CHECK(relation.isBoolean());
  }
  for (const char* text : {"time^2 > 1", "time > x", "sin(time) > 0", "1/time > 2", "x*time > 1"}) {
    CHECK(!bound(text).timeEvent(0));
  }
  for (const char* text :
       {"noEvent(x > y)", "smooth(0, if x > y then x else y)", "x == y", "x <> y", "k > 2",
        "b == true", "if k < 2 then x > 3 else b", "floor(x) + abs(y)"}) {
    INFO(text);
    CHECK(bound(text).relationCount() == 0);
  }
  CHECK(bound("x > y or noEvent(x > y)").relationCount() == 1);
  // Functions that bend or jump have relations where the motion feels them.
  const std::pair<const char*, int> functions[] = {
      {"abs(x)", 1},
      {"max(x, y)", 1},
      {"min({x, y, 1})", 2},
      {"sign(x)", 2},
      {"floor(x)", 1},
      {"ceil(x)", 1},
      {"mod(x, 2)", 1},
      {"rem(x, 2)", 3},
      {"abs(x) + abs(x)", 1},
      {"noEvent(abs(x))", 0},
      {"abs(k)", 0},
      {"max(1, k)", 0},
      {"sin(x)", 0},
      {"smooth(0, abs(x))", 0},
      {"if x > 0 then abs(x) else 0", 2},
  };
  for (const auto& [text, count] : functions) {
    INFO(text);
    BoundExpression felt = bound(text);
    const double value = at(felt, slots, 0.5);
    felt.watchBends();
    CHECK(felt.relationCount() == count);
    std::vector<RelationState> now(static_cast<size_t>(count));
    felt.relationStates(slots.data(), 0.5, nullptr, now.data());
    CHECK(at(felt, slots, 0.5, now.data()) == value);
  }
  BoundExpression late1 = bound("max(0, time - 1)");
  late1.watchBends();
  REQUIRE(late1.timeEvent(0));
  CHECK(late1.timeEvent(0)->time == 1.0);
  CHECK(!late1.timeEvent(0)->after);
  // The frozen branch goes on beyond its end, and noise about zero is no change.
  BoundExpression bent = bound("abs(x)");
  bent.watchBends();
  RelationState side[1] = {1};
  std::vector<double> moved = slots;
  moved[0] = -0.5;
  CHECK(at(bent, moved, 0, side) == -0.5);
  CHECK(relationResidual(bent, 0, moved.data(), 0, side) < 0);
  moved[0] = -1e-14;
  CHECK(relationResidual(bent, 0, moved.data(), 0, side) > 0);
  bent.relationStates(moved.data(), 0, side, side);
  CHECK(side[0] == 1);
  // floor by the state of its value: constant far beyond either end.
  BoundExpression whole = bound("floor(x)");
  whole.watchBends();
  for (const double n : {-3.0, -2.0, 0.0, 5.0}) {
    moved[0] = n + 0.25;
    RelationState state[1];
    whole.relationStates(moved.data(), 0, nullptr, state);
    for (const double x : {n - 1e6, n - 0.4, n, n + 0.9, n + 1.4, n + 1e6}) {
      INFO(x);
      moved[0] = x;
      CHECK(at(whole, moved, 0, state) == n);
      CHECK(relationResidual(whole, 0, moved.data(), 0, state) == (x - n) * (n + 1 - x));
      whole.relationStates(moved.data(), 0, nullptr, side);
      CHECK((side[0] == state[0]) == (std::floor(x) == n));
    }
  }
  // Beyond what states tell apart, and of what is no number.
  for (const double x : {0x1p60, -0x1p60, 1e300, std::nan("")}) {
    moved[0] = x;
    whole.relationStates(moved.data(), 0, nullptr, side);
    CHECK(side[0] == 0);
  }
  // A branch that ends a hair before the step that tries it is not evaluated there.
  const BoundExpression guarded = bound("if x > 0 then sqrt(x) else 7");
  moved[0] = -1e-9;
  const RelationState open[1] = {1};
  CHECK(at(guarded, moved, 0, open) == 7);
  CHECK(!std::isfinite(at(bound("if x < 5 then 1/(x - x) else 7"), moved, 0, open)));
  // A relation within another one.
  const BoundExpression nested = bound("x > (if time > 1 then 2 else 0)");
  CHECK(nested.relationCount() == 2);
  const RelationState late[2] = {1, 1};
  CHECK(relationResidual(nested, 1, slots.data(), 0) == 5);
  CHECK(relationResidual(nested, 1, slots.data(), 0, late) == 3);
}

TEST_CASE("BoundExpression: shapes, constants and errors are known when it is bound") {
  CHECK(bound("r + cross(r, r)").shape() == ValueShape::vector(3));
  CHECK(bound("T*T").shape() == ValueShape::matrix(2, 2));
  CHECK(bound("T[1, :]").shape() == ValueShape::vector(2));
  CHECK(bound("r[2]").shape() == ValueShape::scalar());
  CHECK(at(bound("r[2] + T[2, 1]"), kSlotValues, 0) == doctest::Approx(-1.1 + 0.8));
  CHECK(at(bound("body[1].z"), kSlotValues, 0) == -0.4);
  CHECK(bound("2*k").isConstant());
  CHECK(bound("2*k").constant().real() == 5.0);
  CHECK(at(bound("2*k"), kSlotValues, 0) == 5.0);
  CHECK(!bound("2*x").isConstant());
  CHECK(at(bound("not b or x > 1"), kSlotValues, 0) == 0.0);
  CHECK(bindErrors("r + x") ==
        "m.yaml:4:12: error: '+' needs operands of the same shape, found vector of 3 and scalar");
  CHECK(bindErrors("bodi[1].z") ==
        "m.yaml:4:10: error: unknown name 'bodi[1].z'; did you mean 'body[1].z'?");
  CHECK(bindErrors("x + b") == "m.yaml:4:12: error: '+' needs numbers, found Boolean");
  CHECK(bindErrors("if b then x else r") ==
        "m.yaml:4:10: error: the branches of 'if' differ: scalar and vector of 3");
  CHECK(bindErrors("1/0 + x") == "m.yaml:4:11: error: division by zero in '1/0'");
  CHECK(bindErrors("zeros(x)") ==
        "m.yaml:4:10: error: a size in 'zeros' must be an integer known before the run, found "
        "scalar");
  CHECK(bindErrors("r[4]") == "m.yaml:4:10: error: 'r': index 4 is out of range 1..3");
  CHECK(bindErrors("initial()") == "m.yaml:4:10: error: 'initial()' is not supported here");
  CHECK(bindErrors("'text'") == "m.yaml:4:10: error: expected a number, found \"text\"");
}

TEST_CASE("BoundExpression: a result that is not finite is explained") {
  std::vector<double> slots = kSlotValues;
  const auto explain = [&](const char* text, double time) {
    return whereNotFinite(bound(text), slots, time);
  };
  CHECK(explain("1 + x/(time - 1)", 2) == "");
  CHECK(explain("1 + x/(time - 1)", 1) == "division by zero in 'x/(time - 1)'");
  CHECK(explain("{x, sqrt(2*body[1].z)*2}", 1) == "square root of -0.8 in 'sqrt(2*body[1].z)'");
  CHECK(explain("sum(1/(time - 1)*r)", 1) == "division by zero in '1/(time - 1)'");
  CHECK(explain("exp(2000*x)", 1) == "overflow in 'exp(2000*x)'");
  CHECK(explain("if x > 100 then log(-x) else 3", 1) == "");
  CHECK(explain("if x > 0.5 then log(-x) else 3", 1) == "logarithm of -0.7 in 'log(-x)'");
  CHECK(explain("if x > 100 then 1/0 else 3", 1) == "");
  slots[1] = std::nan("");
  CHECK(explain("2*y", 1) == "'y' is not finite");
}

TEST_CASE("Expression: random token strings are read or refused, never more") {
  const char* tokens[] = {"1",    "2.5",        ".5",        "x",      "r",        "T",
                          "b",    "k",          "time",      "pi",     "(",        ")",
                          "[",    "]",          "{",         "}",      ",",        ";",
                          ":",    "+",          "-",         "*",      "/",        "^",
                          ".*",   "./",         "if ",       " then ", " else ",   " elseif ",
                          "sin(", "der(",       "max(",      "cross(", " and ",    " or ",
                          "not ", "<",          ">=",        "==",     "true",     "'s'",
                          "r[2]", "T[1,2]",     "zeros(",    "size(",  "noEvent(", "0",
                          "v",    "transpose(", "identity(", "=",      ".",        "1e300"};
  std::mt19937 random(20240117);
  std::uniform_int_distribution<size_t> token(0, std::size(tokens) - 1);
  std::uniform_int_distribution<int> length(1, 14);
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (int k = length(random); k > 0; --k) text += tokens[token(random)];
    Diagnostics diagnostics;
    const auto expression = parseExpression(text, kMark, diagnostics);
    CHECK(expression.has_value() == (diagnostics.errorCount() == 0));
    if (!expression) continue;
    ++read;
    CHECK(toString(parse(toString(*expression))) == toString(*expression));
    Diagnostics constantErrors;
    const auto value = evaluateConstant(*expression, lookup, constantErrors);
    CHECK(value.has_value() == (constantErrors.errorCount() == 0));
    Variables variables;
    Diagnostics bindDiagnostics;
    const auto e = bind(*expression, variables, bindDiagnostics);
    CHECK(e.has_value() == (bindDiagnostics.errorCount() == 0));
    if (!e) continue;
    std::vector<double> out(static_cast<size_t>(e->size()));
    e->evaluate(kSlotValues.data(), 0.3, nullptr, out.data());
    bool finite = true;
    for (const double x : out) finite = finite && std::isfinite(x);
    CHECK(whereNotFinite(*e, kSlotValues, 0.3).empty() == finite);
  }
  CHECK(read > 500);
}
