// What is told of a linear model's loops: margins, bandwidths, step responses and root loci, against closed
// forms.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "engine/analysis/eigenvalues.h"
#include "engine/control/frequency_response.h"
#include "engine/control/held_inputs.h"
#include "engine/control/margins.h"
#include "engine/control/root_locus.h"
#include "engine/control/step_response.h"
#include "tests/engine/control/linear_systems.h"

using namespace cardan;

namespace {

constexpr double kPi = std::numbers::pi;

Margins marginsOf(const LinearModel& m) { return Margins::of(m, 0, 0); }

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

TEST_CASE("Margins: crossings far from all poles are found, and drawn") {
  // |k/(s + 1)| is 1 at sqrt(k^2 - 1), k/s at k.
  const LinearModel lag = plants::firstOrder(1e6, 1);
  const Margins m = marginsOf(lag);
  REQUIRE(m.phase.size() == 1);
  const double w = std::sqrt(1e12 - 1);
  CHECK(m.phase[0].w == doctest::Approx(w).epsilon(1e-10));
  CHECK(m.phase[0].size == doctest::Approx(kPi - std::atan(w)).epsilon(1e-10));
  CHECK(frequencies(lag, 400, {m.phase[0].w}).back() > w);
  const Margins integrator = marginsOf(plants::linearModel(Eigen::MatrixXd::Zero(1, 1),
                                                           Eigen::MatrixXd::Constant(1, 1, 30),
                                                           Eigen::MatrixXd::Ones(1, 1)));
  REQUIRE(integrator.phase.size() == 1);
  CHECK(integrator.phase[0].w == doctest::Approx(30).epsilon(1e-12));
  CHECK(integrator.phase[0].size == doctest::Approx(kPi / 2).epsilon(1e-12));
  CHECK(std::isinf(integrator.rest));
}

TEST_CASE("Margins: where frequencies begin and end G is real, and may be negative") {
  const double h = 0.1, a = std::exp(-h);
  const Margins sampledLag = marginsOf(sampled(plants::firstOrder(1, 1), h));
  REQUIRE(sampledLag.gain.size() == 1);  // G(-1) = -(1 - a)/(1 + a)
  CHECK(sampledLag.gain[0].w == doctest::Approx(kPi / h));
  CHECK(sampledLag.gain[0].size == doctest::Approx((1 + a) / (1 - a)).epsilon(1e-12));
  LinearModel m = plants::firstOrder(-0.5, 1);
  CHECK(marginsOf(m).rest == doctest::Approx(-0.5));
  REQUIRE(marginsOf(m).gain.size() == 1);
  CHECK(marginsOf(m).gain[0].w == 0);
  CHECK(marginsOf(m).gain[0].size == doctest::Approx(2));
  m = plants::firstOrder(0.5, 1);
  m.D(0, 0) = -0.25;  // (0.25 - 0.25 s)/(s + 1)
  REQUIRE(marginsOf(m).gain.size() == 1);
  CHECK(std::isinf(marginsOf(m).gain[0].w));
  CHECK(marginsOf(m).gain[0].size == doctest::Approx(4));
}

TEST_CASE("Margins: what rounding makes of a coupling that is none is no margin") {
  // A cart that is pushed at right angles to the swing of what hangs on it: x'' = 0.6 u, y'' = -16 y.
  for (const double coupling : {1e-16, -1e-16, 1e-9, -1e-9}) {
    CAPTURE(coupling);
    const Eigen::Matrix4d A{{0, 0, 1, 0}, {0, 0, 0, 1}, {0, 3e-17, 0, 0}, {0, -16, 0, 0}};
    for (const double swings : {-16.0, 16.0}) {
      Eigen::Matrix4d turned = A;
      turned(3, 1) = swings;
      const LinearModel m = plants::linearModel(turned, Eigen::Vector4d(0, 0, 0.6, coupling),
                                                Eigen::RowVector4d(0, 1, 0, 0));
      const bool isCoupled = std::abs(coupling) > 1e-10;
      const Margins margins = marginsOf(m);
      CHECK(margins.rest == doctest::Approx(isCoupled ? -coupling / swings : 0).epsilon(1e-15));
      if (!isCoupled) CHECK(margins.phase.empty());
      REQUIRE(margins.gain.size() == (isCoupled && coupling * swings > 0 ? 1 : 0));
      if (margins.gain.empty()) continue;
      CHECK(margins.gain[0].w == 0);
      CHECK(margins.gain[0].size == doctest::Approx(swings / coupling).epsilon(1e-6));
    }
  }
}

TEST_CASE("Margins: a bandwidth ends at the first fall by 3 dB, not behind a resonance") {
  // 1/(s + 1) beside a narrow resonance of 1/(2 d) = 50 at 10 rad/s.
  Eigen::Matrix3d A{{-1, 0, 0}, {0, 0, 1}, {0, -100, -0.2}};
  const LinearModel m =
      plants::linearModel(A, Eigen::Vector3d(1, 0, 0.2), Eigen::RowVector3d(1, 0, 1));
  CHECK(marginsOf(m).bandwidth == doctest::Approx(1).epsilon(0.01));
}

TEST_CASE(
    "Margins: at each of them a pole of the closed loop is on the axis, and at no other gain") {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const int n = 1 + i % 6;
    Eigen::MatrixXd A(n, n), B(n, 1), C(1, n);
    for (Eigen::MatrixXd* M : {&A, &B, &C}) {
      for (double& x : M->reshaped()) x = normal(random);
    }
    A -= (0.1 + A.norm()) * Eigen::MatrixXd::Identity(n, n);
    LinearModel m = plants::linearModel(A * std::pow(10.0, i % 5 - 2), B, 100 * C);
    if (i % 2 == 1) m = sampled(m, 0.3 / m.A.norm());
    const Margins margins = marginsOf(m);
    for (const Margin& at : margins.gain) {
      const auto poles = eigenpairs(m.A - at.size * m.B * m.C).values;
      const std::complex<double> z =
          m.sample > 0 ? std::polar(1.0, at.w * m.sample) : std::complex<double>(0, at.w);
      CHECK((poles.array() - z).abs().minCoeff() < 1e-6 * m.A.norm());
    }
    for (const double k : RootLocus::of(m, 0, 0, 1000).turns) {
      CHECK(std::ranges::any_of(
          margins.gain, [&](const Margin& at) { return std::abs(at.size - k) < 1e-6 * k; }));
    }
    for (const Margin& at : margins.phase)
      CHECK(std::abs(transfer(m, at.w)(0, 0)) == doctest::Approx(1).epsilon(1e-9));
  }
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
  const Settling& s = r.settling[0];
  CHECK(s.rise == doctest::Approx(0.5 * std::log(9)).epsilon(1e-9));
  CHECK(s.settled == doctest::Approx(0.5 * std::log(50)).epsilon(1e-9));
  CHECK(s.overshoot == 0);
  const double d = 0.2;
  const StepResponse swing = StepResponse::of(plants::swinging(3, d), 0);
  CHECK(swing.settling[0].overshoot ==
        doctest::Approx(std::exp(-d * kPi / std::sqrt(1 - d * d))).epsilon(1e-9));
}

TEST_CASE("Step response: what is fast is seen beside what is slow, sampled or not") {
  // 0.9 of a resonance at 100 rad/s, 0.1 of a lag of 100 s, by which the first peak, at pi/w, is raised.
  const double d = 0.1, w0 = 100, w = w0 * std::sqrt(1 - d * d);
  Eigen::Matrix3d A{{0, 1, 0}, {-w0 * w0, -2 * d * w0, 0}, {0, 0, -0.01}};
  const LinearModel m =
      plants::linearModel(A, Eigen::Vector3d(0, w0 * w0, 0.01), Eigen::RowVector3d(0.9, 0, 0.1));
  const auto exact = [&](double t) {
    return 0.9 * (1 - std::exp(-d * w0 * t) * (std::cos(w * t) + d * w0 / w * std::sin(w * t))) -
           0.1 * std::expm1(-0.01 * t);
  };
  const auto crossing = [&](double part) {
    double low = 0, high = kPi / w;
    for (int i = 0; i < 60; ++i) {
      const double t = 0.5 * (low + high);
      (exact(t) < part ? low : high) = t;
    }
    return high;
  };
  double most = 0;
  for (double t = 0; t < 2 * kPi / w; t += 1e-6) most = std::max(most, exact(t));
  const double rise = crossing(0.9) - crossing(0.1), settled = 100 * std::log(5);
  const Settling s = StepResponse::of(m, 0).settling[0];
  CHECK(s.rise == doctest::Approx(rise).epsilon(1e-6));
  CHECK(s.overshoot == doctest::Approx(most - 1).epsilon(1e-6));
  CHECK(s.settled == doctest::Approx(settled).epsilon(1e-6));
  const double h = 1e-3;
  const Settling each = StepResponse::of(sampled(m, h), 0).settling[0];
  CHECK(std::abs(each.rise - rise) <= h);
  CHECK(each.overshoot == doctest::Approx(most - 1).epsilon(1e-2));
  CHECK(std::abs(each.settled - settled) <= 1.001 * h);
}

TEST_CASE("Step response: its end is the gain at rest, however long it takes to get there") {
  const auto settlingOf = [](const LinearModel& m) { return StepResponse::of(m, 0).settling[0]; };
  // Many short samples: 2 % after ln 50.
  const Settling lag = settlingOf(sampled(plants::firstOrder(1, 1), 1e-4));
  CHECK(lag.rest == doctest::Approx(1).epsilon(1e-9));
  CHECK(lag.settled == doctest::Approx(std::log(50)).epsilon(1e-3));
  CHECK(lag.rise == doctest::Approx(std::log(9)).epsilon(2e-3));
  // 1/(s + 1)^3: 1 - (1 + t + t^2/2) exp(-t).
  const Settling three =
      settlingOf(plants::linearModel(Eigen::Matrix3d{{-1, 1, 0}, {0, -1, 1}, {0, 0, -1}},
                                     Eigen::Vector3d(0, 0, 1), Eigen::RowVector3d(1, 0, 0)));
  CHECK(three.rest == doctest::Approx(1).epsilon(1e-12));
  const double t = three.settled;
  CHECK((1 + t + t * t / 2) * std::exp(-t) == doctest::Approx(0.02).epsilon(0.02));
  // s/(s^2 + 0.4 s + 1) comes back to 0, and an integrator goes nowhere.
  LinearModel rate = plants::swinging(1, 0.2);
  rate.C = Eigen::RowVector2d(0, 1);
  const Settling back = settlingOf(rate);
  CHECK(std::abs(back.rest) < 1e-12);
  CHECK(back.settled > 10);
  CHECK(std::isnan(back.overshoot));
  CHECK(std::isnan(settlingOf(plants::thirdOrder(1)).settled));
}

TEST_CASE("Root locus: turns at the gain margin, and begins at the poles") {
  const RootLocus r = RootLocus::of(plants::thirdOrder(1), 0, 0, 30);
  REQUIRE(r.turns.size() == 2);  // the integrator is no stable pole at k = 0
  CHECK_FALSE(r.startsStable);
  CHECK(r.turns[0] == 0);
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
