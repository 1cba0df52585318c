// What is told of a linear model's loops: margins, bandwidths, step responses and root loci, against closed
// forms.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "engine/control/frequency_response.h"
#include "engine/control/held_inputs.h"
#include "engine/control/root_locus.h"
#include "engine/control/step_response.h"
#include "tests/engine/control/linear_systems.h"

using namespace cardan;

namespace {

constexpr double kPi = std::numbers::pi;

Margins marginsOf(const LinearModel& m) {
  return Margins::of(m, 0, 0, FrequencyResponse::of(m, 0, 0, frequencies(m)));
}

}  // namespace

TEST_CASE("Margins: k/(s (s + 1) (s + 2)) becomes unstable at k = 6, at sqrt 2 rad/s") {
  const Margins m = marginsOf(plants::thirdOrder(1.5));
  REQUIRE(m.gain.size() == 1);
  CHECK(m.gain[0].w == doctest::Approx(std::sqrt(2)).epsilon(1e-10));
  CHECK(m.gain[0].size == doctest::Approx(4).epsilon(1e-10));
  REQUIRE(m.phase.size() == 1);
  const double w = m.phase[0].w;
  CHECK(1.5 / (w * std::hypot(w, 1) * std::hypot(w, 2)) == doctest::Approx(1).epsilon(1e-10));
  CHECK(m.phase[0].size ==
        doctest::Approx(kPi / 2 - std::atan(w) - std::atan(w / 2)).epsilon(1e-10));
  CHECK(std::isinf(m.rest));
}

TEST_CASE(
    "Margins: a first-order lag falls by 3 dB at its corner, and has no margin to lose below 1") {
  const Margins m = marginsOf(plants::firstOrder(0.8, 0.05));
  CHECK(m.rest == doctest::Approx(0.8).epsilon(1e-12));
  CHECK(m.bandwidth == doctest::Approx(20).epsilon(1e-10));
  CHECK(m.gain.empty());
  CHECK(m.phase.empty());
}

TEST_CASE("Frequency response: a resonance is as high as 1/(2 d sqrt(1 - d^2)), however narrow") {
  for (const double d : {0.3, 0.01, 1e-4}) {
    const LinearModel m = plants::swinging(5, d);
    const FrequencyResponse r = FrequencyResponse::of(m, 0, 0, frequencies(m));
    double most = 0;
    for (const auto& g : r.G) most = std::max(most, std::abs(g));
    CHECK(most == doctest::Approx(1 / (2 * d * std::sqrt(1 - d * d))).epsilon(0.02));
    CHECK(r.phase.front() == doctest::Approx(0).scale(1).epsilon(0.1));
    CHECK(r.phase.back() == doctest::Approx(-kPi).epsilon(0.05));
  }
}

TEST_CASE("Frequency response: a sampled lag is that of its difference equation, up to pi/h") {
  const double h = 0.1, a = std::exp(-h), w = 7;
  const LinearModel m = sampled(plants::firstOrder(1, 1), h);
  const std::complex<double> z = std::polar(1.0, w * h), expected = (1 - a) / (z - a);
  CHECK(std::abs(transfer(m, w)(0, 0) - expected) < 1e-14);
  CHECK(frequencies(m).back() == doctest::Approx(kPi / h));
}

TEST_CASE("Step response: of a lag and of a resonance, at every time") {
  const LinearModel lag = plants::firstOrder(2, 0.5);
  const StepResponse r = StepResponse::of(lag, 0);
  for (size_t i = 0; i < r.t.size(); i += 50)
    CHECK(r.y[0][i] == doctest::Approx(2 * (1 - std::exp(-r.t[i] / 0.5))).epsilon(1e-10));
  const Settling s = Settling::of(r.t, r.y[0]);
  const double step = r.t[1];
  CHECK(s.rise == doctest::Approx(0.5 * std::log(9)).epsilon(3 * step));
  CHECK(s.settled == doctest::Approx(0.5 * std::log(50)).epsilon(4 * step));
  CHECK(s.overshoot == 0);
  const double d = 0.2;
  const StepResponse swing = StepResponse::of(plants::swinging(3, d), 0);
  CHECK(Settling::of(swing.t, swing.y[0]).overshoot ==
        doctest::Approx(std::exp(-d * kPi / std::sqrt(1 - d * d))).epsilon(1e-3));
}

TEST_CASE("Root locus: turns at the gain margin, and begins at the poles") {
  const RootLocus r = RootLocus::of(plants::thirdOrder(1), 0, 0, 30);
  REQUIRE(r.turns.size() == 2);  // the integrator is no stable pole at k = 0
  CHECK_FALSE(r.startsStable);
  CHECK(r.turns[1] == doctest::Approx(6).epsilon(1e-9));
  REQUIRE(r.branches.size() == 3);
  double sum = 0;
  for (const auto& branch : r.branches) {
    sum += branch.front().real();
    REQUIRE(branch.size() == r.gains.size());
    for (size_t i = 1; i < branch.size(); ++i)
      CHECK(std::abs(branch[i] - branch[i - 1]) < 0.5);  // no branch jumps onto another
  }
  CHECK(sum == doctest::Approx(-3));
}
