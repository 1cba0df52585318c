// Integrators that are reset at events: closed forms.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "tests/models/model_run.h"

using namespace cardan;

namespace {

constexpr double kResetsTolerance = 1e-8;
/// What a run at that tolerance may be off.
constexpr double kResetsRun = 100 * kResetsTolerance;

test::ModelRun resetRun(const std::string& components, const std::string& outputs,
                        double stop = 3) {
  return test::runModel(
      fmt::format("components:\n{}simulation: {{stop: {}, interval: 0.0173, tolerance: {}}}\n"
                  "outputs: [{}]\n",
                  components, stop, kResetsTolerance, outputs),
      {.eventRows = false});
}

std::string messageOfReset(const std::string& arguments) {
  return test::messageOfRun<ModelError>("components:\n  i: {type: Blocks.Integrator, u: 1" +
                                        arguments + "}");
}

}  // namespace

TEST_CASE("Integrator: a reset at a threshold makes a saw tooth") {
  const test::ModelRun run = resetRun(
      "  i: {type: Blocks.Integrator, k: 2, u: 1.5, use_reset: true, reset: \"i.y > 0.7\", "
      "y_start: -0.1}\n",
      "i.y");
  const double period = 0.8 / 3;
  double worst = 0;
  for (size_t k = 0; k < run.rows.time().size(); ++k) {
    const double t = run.rows.time()[k];
    const double along = t - period * std::floor(t / period);
    // Clear of the jumps, which lie a hair beyond the threshold.
    if (std::min(along, period - along) > 1e-6)
      worst = std::max(worst, std::abs(run.rows["i.y"][k] - (-0.1 + 3 * along)));
  }
  CHECK(worst < kResetsRun);
  CHECK(run.report.events == 11);  // 3 s are 11.25 periods
}

TEST_CASE("Integrator: 'set' is what it is before the state jumps") {
  // y' = 1; at 1 s and 2 s y becomes half of what it was.
  const test::ModelRun run = resetRun(
      "  pulse: {type: Blocks.BooleanPulse, width: 50, period: 1, startTime: 1}\n"
      "  i: {type: Blocks.Integrator, u: 1, use_reset: true, use_set: true, reset: pulse.y, "
      "set: \"0.5*i.y\"}\n"
      "  follows: {type: Blocks.Integrator, u: i.y}\n",
      "i.y, follows.y", 2.9);
  CHECK(run.last("i.y") == doctest::Approx(0.75 + 0.9).epsilon(kResetsRun));
  CHECK(run.last("follows.y") ==
        doctest::Approx(0.5 + 1 + 0.75 * 0.9 + 0.5 * 0.81).epsilon(kResetsRun));
}

TEST_CASE("Integrator: what is true at the start resets nothing") {
  const test::ModelRun run = resetRun(
      "  i: {type: Blocks.Integrator, u: 1, use_reset: true, reset: \"time < 1 or time > 2\", "
      "y_start: 5}\n",
      "i.y");
  CHECK(run.last("i.y") == doctest::Approx(6).epsilon(kResetsRun));  // reset at 2 s, and only there
}

TEST_CASE("LimIntegrator: a reset takes it off its limit, and it comes back") {
  const test::ModelRun run = resetRun(
      "  i: {type: Blocks.LimIntegrator, u: 1, outMax: 0.5, use_reset: true, reset: \"time > 1\", "
      "use_set: true, set: 0.2}\n"
      "  area: {type: Blocks.Integrator, u: i.y}\n",
      "i.y, area.y");
  CHECK(run.last("i.y") == doctest::Approx(0.5).epsilon(kResetsRun));
  // Ramp to 0.5 s, limit to 1 s, ramp from 0.2 to 1.3 s, limit to 3 s.
  CHECK(run.last("area.y") ==
        doctest::Approx(0.125 + 0.25 + 0.3 * 0.35 + 1.7 * 0.5).epsilon(kResetsRun));
}

TEST_CASE("Integrator: a reset set wrongly is told") {
  CHECK(messageOfReset(", use_set: true, set: 1") ==
        "model.yaml:2:47: error: Blocks.Integrator 'i': 'use_set' needs use_reset: true");
  CHECK(messageOfReset(", use_reset: true, reset: 1") ==
        "model.yaml:2:62: error: Blocks.Integrator 'i': 'reset' must be true, false or a Boolean "
        "expression, found 1");
}
