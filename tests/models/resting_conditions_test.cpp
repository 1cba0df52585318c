// Conditions that rest at zero: they cost next to nothing, and what they say later is not missed.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/models/model_run.h"

using namespace cardan;

namespace {

constexpr double kRestTolerance = 1e-8;

test::ModelRun explained(const std::string& text, double stop, double interval = 0.05) {
  return test::runModel(text, {.stopTime = stop,
                               .outputInterval = interval,
                               .tolerance = kRestTolerance,
                               .explainSteps = true});
}

/// What the search for events has cost, in evaluations of the model, and those of the method.
double searchEffort(const test::ModelRun& r) {
  double sum = 0;
  for (const StepExplanation::Search& s : r.report.explanation->searches) sum += s.evaluations;
  return sum;
}
double stepEffort(const test::ModelRun& r) { return r.report.explanation->evaluations; }

/// The filter of a valve: it follows a command that rests at zero, and each side has its own bound.
std::string valve(const std::string& condition) {
  return "variables:\n"
         "  v: {start: 0, fixed: true}\n"
         "  x: \"if time < 0.2 then 0 elseif time < 1.2 then 0.4 elseif time < 1.6 then 0 else "
         "-0.5\"\n"
         "equations: [\"der(v) = 1000*((if " +
         condition + " then x*(2 - v) else x*(1 + v)) - v)\"]\noutputs: [v, x]\n";
}

}  // namespace

TEST_CASE("conditions: a command that rests at zero costs what a condition on time costs") {
  const test::ModelRun rests = explained(valve("x >= 0"), 3),
                       ofTime = explained(valve("time < 1.6"), 3);
  CHECK(rests.report.integrator.steps == ofTime.report.integrator.steps);
  CHECK(searchEffort(rests) < 0.1 * stepEffort(rests));
  for (const double t : {0.2, 1.2, 1.6}) {
    const std::vector<double> events = rests.eventTimes();
    CHECK(std::ranges::any_of(events, [&](double e) { return std::abs(e - t) < 1e-12; }));
  }
  // v = 0.8/1.4 and -0.5/1.5: x(2 - v) = v, x(1 + v) = v.
  CHECK(std::abs(rests.at(1, "v") - 0.8 / 1.4) < 1e3 * kRestTolerance);
  CHECK(std::abs(rests.at(3, "v") + 0.5 / 1.5) < 1e3 * kRestTolerance);
}

TEST_CASE("conditions: a hundred that rest are looked at together, and each one still switches") {
  // x is 0 up to 1 s, then it rises: condition k changes where t - 1 = k/100.
  std::string text =
      "variables:\n  x: \"if time < 1 then 0 else time - 1\"\n  n: {start: 0, fixed: true}\n";
  std::string sum;
  for (int k = 1; k <= 100; ++k) {
    text += fmt::format("  c{0}: \"if x > 0.01*{0} then 1 else 0\"\n", k);
    sum += fmt::format("{}c{}", k > 1 ? " + " : "", k);
  }
  text += "equations: [\"der(n) = " + sum + "\"]\noutputs: [n]\n";
  const test::ModelRun r = explained(text, 2.5);
  // n = sum over k of (t - 1 - k/100) beyond: 100*1.5 - 50.5
  CHECK(std::abs(r.last("n") - (150 - 50.5)) < 1e3 * kRestTolerance);
  CHECK(r.eventTimes().size() == 101);
  // One at a time each look would find all that the others read anew.
  CHECK(searchEffort(r) < 10000);
}

TEST_CASE("conditions: differences of rounding size change no side") {
  // x + x + x and 3 x differ by some ulp, to and fro, as x swings.
  const std::string model =
      "variables:\n  x: {start: 0.7, fixed: true}\n  w: {start: 0, fixed: true}\n"
      "  y: {start: 0, fixed: true}\n"
      "equations:\n  - der(x) = w\n  - der(w) = -x\n"
      "  - \"der(y) = if 0.1*x + 0.2*x >= 0.3*x then 1 else 1 + x*x\"\n"
      "outputs: [x, y]\n";
  const test::ModelRun r = explained(model, 20);
  CHECK(r.report.events == 0);
  CHECK(searchEffort(r) < 0.1 * stepEffort(r));
}

TEST_CASE("conditions: one that leaves its rest by itself is met") {
  // Level and lip of a tank: at rest up to 1 s, then it fills and flows over at 2 s.
  const test::ModelRun r = explained(
      "variables:\n  h: {start: 1, fixed: true}\n  out: {start: 0, fixed: true}\n"
      "equations:\n  - \"der(h) = if time < 1 then 0 else 0.5\"\n"
      "  - \"der(out) = if h - 1 > 0 then (if h > 1.5 then 1 else 0) else 0\"\noutputs: [h, out]\n",
      3);
  CHECK(std::abs(r.last("out") - 1) < 1e3 * kRestTolerance);
}
