// Functions that end at a border (sqrt, log, acos, powers, division) behind functions that keep a value
// on its side of it (abs, min, max, if, limiters): branches are held in a step, which may end beyond.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "tests/models/model_run.h"

namespace {

constexpr double kHeldBranchesTolerances[] = {1e-4, 1e-7, 1e-10};
/// Of a result of order one, in tolerances of the integration.
constexpr double kHeldBranchesShare = 100;

/// x(stop) of der(x) = rate from x(0) = start, and how many steps led there.
struct End {
  double x;
  double steps;
};
End endOf(const std::string& rate, double start, double stop, double tolerance,
          const std::string& more = "") {
  const auto r =
      test::runModel("variables:\n  x: {start: " + std::to_string(start) + ", fixed: true}\n" +
                         more + "equations:\n  - \"der(x) = " + rate +
                         "\"\nsimulation: {stop: " + std::to_string(stop) + "}\noutputs: [x]\n",
                     {.tolerance = tolerance});
  return {r.last("x"), static_cast<double>(r.report.integrator.steps)};
}

/// Integral of f(sin(5 t)) over 0..1.5 by Simpson's rule on pieces that end where sin(5 t) is one of
/// `corners`, with t = edge + u^4 about them, which takes away the roots that begin there.
double integral(const std::function<double(double)>& f, const std::vector<double>& corners) {
  constexpr double stop = 1.5, pi = std::numbers::pi;
  std::set<double> ends{0, stop};
  for (const double s : corners) {
    for (int k = -1; k < 4; ++k) {
      for (const double angle : {std::asin(s), pi - std::asin(s)}) {
        const double t = (angle + 2 * pi * k) / 5;
        if (t > 0 && t < stop) ends.insert(t);
      }
    }
  }
  double sum = 0;
  for (auto b = std::next(ends.begin()); b != ends.end(); ++b) {
    const double from = *std::prev(b), to = *b, middle = 0.5 * (from + to);
    for (const double edge : {from, to}) {
      constexpr int n = 2000;
      const double h = std::pow(std::abs(middle - edge), 0.25) / n;
      const double sign = middle > edge ? 1 : -1;
      for (int k = 0; k <= n; ++k) {
        const double u = k * h, weight = k == 0 || k == n ? 1 : k % 2 ? 4 : 2;
        sum += weight * h / 3 * 4 * u * u * u * f(std::sin(5 * (edge + sign * u * u * u * u)));
      }
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("Held branches: what ends at a border of its domain is integrated across it") {
  struct Case {
    std::string text;           // of s = sin(5 time)
    double (*value)(double s);  // the same
  };
  const Case cases[] = {
      {"sqrt(abs(s))", [](double s) { return std::sqrt(std::abs(s)); }},
      {"abs(s)^0.5", [](double s) { return std::sqrt(std::abs(s)); }},
      {"abs(s)^1.5", [](double s) { return std::pow(std::abs(s), 1.5); }},
      {"sign(s)*sqrt(abs(s))", [](double s) { return std::copysign(std::sqrt(std::abs(s)), s); }},
      {"sqrt(max(s, 0))", [](double s) { return std::sqrt(std::max(s, 0.0)); }},
      {"sqrt(-min(s, 0))", [](double s) { return std::sqrt(std::max(-s, 0.0)); }},
      {"max(s, 0)^0.7", [](double s) { return std::pow(std::max(s, 0.0), 0.7); }},
      {"if s > 0 then sqrt(s) else -sqrt(-s)",
       [](double s) { return std::copysign(std::sqrt(std::abs(s)), s); }},
      {"sqrt(if s > 0 then s else -s)", [](double s) { return std::sqrt(std::abs(s)); }},
      {"log(1e-3 + abs(s))", [](double s) { return std::log(1e-3 + std::abs(s)); }},
      {"log(max(s, 1e-9))/20", [](double s) { return std::log(std::max(s, 1e-9)) / 20; }},
      {"log10(max(abs(s), 1e-6))",
       [](double s) { return std::log10(std::max(std::abs(s), 1e-6)); }},
      {"acos(min(max(2*s, -1), 1))",
       [](double s) { return std::acos(std::min(std::max(2 * s, -1.0), 1.0)); }},
      {"asin(min(abs(2*s), 1))",
       [](double s) { return std::asin(std::min(std::abs(2 * s), 1.0)); }},
      {"0.01/max(s, 0.01)", [](double s) { return 0.01 / std::max(s, 0.01); }},
      {"s/max(abs(s), 1e-3)", [](double s) { return s / std::max(std::abs(s), 1e-3); }},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    std::string text = c.text;
    for (size_t at = 0; (at = text.find('s', at)) != std::string::npos; ++at) {
      const auto letter = [&](size_t k) { return k < text.size() && std::isalpha(text[k]) != 0; };
      if (letter(at + 1) || (at > 0 && letter(at - 1))) continue;
      text.replace(at, 1, "sin(5*time)");
    }
    const double right = integral(c.value, {0, 0.5, -0.5, 0.01, 1e-3, -1e-3, 1e-6, -1e-6, 1e-9});
    for (const double tolerance : kHeldBranchesTolerances) {
      CAPTURE(tolerance);
      // Each step may err by a tolerance: some hundred of them, and twice as many about the roots.
      const End direct = endOf(text, 0, 1.5, tolerance);
      CHECK(std::abs(direct.x - right) <= direct.steps * tolerance);
      // Through a variable, and as a function of a state.
      const End named = endOf("y", 0, 1.5, tolerance, "  y: \"" + text + "\"\n");
      CHECK(std::abs(named.x - right) <= named.steps * tolerance);
    }
  }
}

TEST_CASE("Held branches: a vessel runs empty by Torricelli's law and stays empty") {
  // h = (1 - t/2)^2 until t = 2, then 0.
  for (const std::string law :
       {"-sqrt(max(x, 0))", "-max(x, 0)^0.5", "if x > 0 then -sqrt(x) else 0"}) {
    CAPTURE(law);
    for (const double tolerance : kHeldBranchesTolerances) {
      CAPTURE(tolerance);
      CHECK(std::abs(endOf(law, 1, 1.5, tolerance).x - 0.0625) <= kHeldBranchesShare * tolerance);
      CHECK(std::abs(endOf(law, 1, 3, tolerance).x) <= kHeldBranchesShare * tolerance);
    }
  }
}

TEST_CASE("Held branches: two vessels level out through an orifice") {
  // d = h1 - h2 = (1 - t)^2 until t = 1 with der(h1) = -sqrt(d), der(h2) = sqrt(d).
  const std::string text =
      "variables:\n  a: {start: 1.5, fixed: true}\n  b: {start: 0.5, fixed: true}\n"
      "  q: \"sign(a - b)*sqrt(abs(a - b))\"\n"
      "equations: [\"der(a) = -q\", \"der(b) = q\"]\n"
      "simulation: {stop: 0.9}\noutputs: [a, b]\n";
  for (const double tolerance : kHeldBranchesTolerances) {
    const auto r = test::runModel(text, {.tolerance = tolerance});
    CHECK(std::abs(r.last("a") - r.last("b") - 0.01) <= kHeldBranchesShare * tolerance);
  }
}

TEST_CASE("Held branches: limiters stand before roots among blocks, too") {
  for (const std::string guard : {"{type: Blocks.Limiter, uMin: 0, uMax: 5, u: \"sin(5*time)\"}",
                                  "{type: Blocks.Max, u1: \"sin(5*time)\", u2: 0}"}) {
    CAPTURE(guard);
    const std::string text =
        "components:\n  guard: " + guard +
        "\n  root: {type: Blocks.Sqrt, u: guard.y}\n"
        "variables: {x: {start: 0, fixed: true}}\n"
        "equations: [\"der(x) = root.y\"]\nsimulation: {stop: 1.5}\noutputs: [x]\n";
    const double right = integral([](double s) { return std::sqrt(std::max(s, 0.0)); }, {0});
    for (const double tolerance : kHeldBranchesTolerances) {
      const auto r = test::runModel(text, {.tolerance = tolerance});
      CHECK(std::abs(r.last("x") - right) <= kHeldBranchesShare * tolerance);
    }
  }
}

TEST_CASE("Held branches: a condition reads a root across its border") {
  // sqrt(max(s, 0)) passes 0.5 upwards where s = 0.25: at asin(0.25)/5 and once a period.
  const auto r = test::runModel(
      "variables: {n: {start: 0, type: Integer}, x: {start: 0, fixed: true}, y: {start: 0, fixed: "
      "true}}\n"
      "equations: [\"der(x) = 5*cos(5*time)\", \"der(y) = if sqrt(max(x, 0)) > 0.5 then 1 else "
      "0\"]\n"
      "when: [{condition: \"sqrt(max(x, 0)) > 0.5\", set: {n: \"pre(n) + 1\"}}]\n"
      "simulation: {stop: 3}\noutputs: [n, y]\n",
      {.tolerance = 1e-9});
  CHECK(r.last("n") == 3);
  const double each = (std::numbers::pi - 2 * std::asin(0.25)) / 5;
  CHECK(std::abs(r.last("y") - 2 * each -
                 (3 - 2 * 2 * std::numbers::pi / 5 - std::asin(0.25) / 5)) <= 1e-7);
}

TEST_CASE(
    "Held branches: a root of what is really negative stops the run, with the place and the cure") {
  const std::string message = test::messageOfRun(
      "variables: {x: {start: 1, fixed: true}}\nequations: [\"der(x) = -1 - sqrt(x)*0\"]\n"
      "simulation: {stop: 3}\noutputs: [x]\n");
  CAPTURE(message);
  CHECK(message.find("square root of -") != std::string::npos);
  CHECK(message.find("time = 1") != std::string::npos);
  CHECK(message.find("max(") != std::string::npos);
}
