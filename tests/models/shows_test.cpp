// Models that are there to be looked at, against closed forms of what they show.
#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "components/catalogue.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

struct ShownRun {
  Trajectory rows;
  RunReport report;
};

ShownRun runShow(const std::string& model, const Overrides& overrides, RunOptions options = {}) {
  Simulation s(catalogue(), std::string(CARDAN_SOURCE_DIR) + "/models/" + model, overrides);
  ShownRun r;
  r.report = s.run(r.rows, options);
  return r;
}

/// Mass and moments of inertia about the centre of a full cylinder.
struct Cylinder {
  double m, along, across;
  Cylinder(double length, double d, double density)
      : m(density * std::numbers::pi * d * d / 4 * length),
        along(m * d * d / 8),
        across(m * (length * length / 12 + d * d / 16)) {}
};

}  // namespace

TEST_CASE("top: its axis nods between the two roots of the cubic of the heavy symmetric top") {
  // Let go at rest: I3^2 w3^2 (u0 - u) = 2 I1 m g l (1 - u^2) for u = cos(lean) (Goldstein 5.7).
  const double spin = 150, u0 = std::cos(50 * std::numbers::pi / 180), g = 9.81;
  const Cylinder shaft(0.14, 0.008, 7700), disc(0.015, 0.11, 2700);
  const double i3 = shaft.along + disc.along;
  const double i1 = shaft.across + shaft.m * 0.07 * 0.07 + disc.across + disc.m * 0.0825 * 0.0825;
  const double a = 2 * i1 * g * (shaft.m * 0.07 + disc.m * 0.0825), b = i3 * i3 * spin * spin;
  const double u = (b - std::sqrt(b * b - 4 * a * (b * u0 - a))) / (2 * a);
  const ShownRun r = runShow("spinning/top.yaml", {}, {.outputInterval = 2e-4});
  const std::vector<double>& lean = r.rows["lean"];
  // A row is at most half an interval from the turning point, where the lean goes with t^2; its
  // second derivative there is below amplitude * (I3 w3 / I1)^2 / 2.
  const double rate = i3 * spin / i1, high = std::acos(u);
  const double coarse = (high - std::acos(u0)) * rate * rate / 4 * 1e-4 * 1e-4;
  CHECK(std::abs(*std::max_element(lean.begin(), lean.end()) - high) < coarse + 1e-6);
  CHECK(std::abs(*std::min_element(lean.begin(), lean.end()) - std::acos(u0)) < coarse + 1e-6);
}

TEST_CASE("t_handle: it turns over in the times of Jacobi's elliptic functions") {
  const double rho = 2700, d = 0.016, length = 0.1, stemLength = 0.06;
  const Cylinder bar(length, d, rho), stem(stemLength, d, rho);
  const double c = stemLength / (stemLength + length) * (stemLength / 2);
  const double barOff = c * c * bar.m, stemOff = std::pow(stemLength / 2 - c, 2) * stem.m;
  const double x = bar.across + stem.along;                      // about the stem: the middle one
  const double y = bar.along + barOff + stem.across + stemOff;   // about the bar
  const double z = bar.across + barOff + stem.across + stemOff;  // across both
  REQUIRE(y < x);
  REQUIRE(x < z);
  const double w1 = 12, w2 = 0.02;
  const double twice = x * w1 * w1 + y * w2 * w2;           // 2 T
  const double square = x * x * w1 * w1 + y * y * w2 * w2;  // L^2
  // Landau and Lifshitz, Mechanics, 37: I1 < I2 < I3 and L^2 > 2 T I2, else 1 and 3 change places.
  double i1 = y, i3 = z;
  if (square < twice * x) std::swap(i1, i3);
  const double k2 = (x - i1) * (twice * i3 - square) / ((i3 - x) * (square - twice * i1));
  const double half = 2 * std::comp_ellint_1(std::sqrt(k2)) *
                      std::sqrt(i1 * x * i3 / ((i3 - x) * (square - twice * i1)));
  const ShownRun r = runShow("spinning/t_handle.yaml", {}, {.outputInterval = 1e-3});
  const std::vector<double>&ahead = r.rows["free.frame_b.R.w[1]"], &t = r.rows.time();
  std::vector<double> zeros;
  for (size_t i = 1; i < t.size(); ++i) {
    if (ahead[i - 1] * ahead[i] < 0) {
      zeros.push_back(t[i - 1] + (t[i] - t[i - 1]) * ahead[i - 1] / (ahead[i - 1] - ahead[i]));
    }
  }
  REQUIRE(zeros.size() == 3);
  // Each turn multiplies an error by exp(half * rate of growth), some 800 here.
  CHECK(std::abs(zeros[1] - zeros[0] - half) < 1e-5);
  CHECK(std::abs(zeros[2] - zeros[1] - half) < 1e-3);
}

TEST_CASE("double_wishbone: begins at rest under its own weight, and comes back to it") {
  const ShownRun r =
      runShow("vehicles/double_wishbone.yaml", {}, {.stopTime = 6, .outputInterval = 5e-4});
  const double g = 9.81;
  const double arms = 2700 * 0.02 * (0.12 * std::hypot(0.37, 0.02) + 0.09 * 0.26);
  const double upright = 5000 * 0.06 * 0.05 * std::hypot(0.04, 0.28);
  const double weight = (320 + 18 + arms + upright) * g;
  const std::vector<double>&load = r.rows["load"], &ride = r.rows["ride"], &t = r.rows.time();
  for (size_t i = 0; i < t.size() && t[i] < 0.5; ++i) {
    REQUIRE(std::abs(load[i] / weight - 1) < 1e-6);
    REQUIRE(std::abs(ride[i]) < 1e-6);
  }
  // Newton: the impulse of the load beyond the weight is what the car still moves with.
  double impulse = 0, largest = 0;
  for (size_t i = 1; i < t.size(); ++i) {
    impulse += (t[i] - t[i - 1]) * ((load[i] + load[i - 1]) / 2 - weight);
    largest = std::max(largest, std::abs(impulse));
  }
  CHECK(largest > 100);  // N.s
  CHECK(std::abs(impulse) < 1e-3 * largest);
  CHECK(std::abs(ride.back()) < 1e-3);
}

TEST_CASE("crane: where its drives rest, load and cable are a spherical pendulum") {
  const ShownRun r = runShow("machines/crane.yaml", {}, {.outputs = {"totalEnergy", "swing"}});
  const std::vector<double>&energy = r.rows["totalEnergy"], &t = r.rows.time();
  double first = std::nan("");
  for (size_t i = 0; i < t.size(); ++i) {
    if (t[i] <= 17.001) continue;
    if (std::isnan(first)) first = energy[i];
    REQUIRE(std::abs(energy[i] - first) < 1e-5 * 2000 * 9.81 * 10);
  }
  CHECK(r.rows["swing"].back() > 0);
}

TEST_CASE("geneva: a pin in the slots turns the wheel by quarters, as the drawing says") {
  const ShownRun r =
      runShow("machines/geneva.yaml", {}, {.stopTime = 4, .outputs = {"*_axis.phi"}});
  const std::vector<double>&driver = r.rows["driver_axis.phi"], &wheel = r.rows["wheel_axis.phi"];
  const double pi = std::numbers::pi, a = 0.03, e = a * std::sqrt(2.0);
  // The ball has 20 um on either side, and is nearest to the axis at e - a; what the plates yield
  // under the few newtons of this wheel is less than that again.
  const double play = 2 * 20e-6 / (e - a);
  double worst = 0;
  int inSlot = 0;
  for (size_t i = 0; i < driver.size(); ++i) {
    const double turns = std::round(driver[i] / (2 * pi)), q = driver[i] - 2 * pi * turns;
    // Between quarters the wheel rests; while the pin is inside, the slot points at it.
    double wanted = -pi / 2 * (turns + (q > 0 ? 1 : 0));
    if (std::abs(q) < pi / 4)
      wanted = -pi / 2 * (turns + 0.5) - std::atan2(a * std::sin(q), e - a * std::cos(q));
    // Where the pin enters and leaves, the gap is measured along a slot that it touches at its end.
    if (std::abs(std::abs(q) - pi / 4) < 0.02) continue;
    inSlot += std::abs(q) < pi / 4;
    worst = std::max(worst, std::abs(wheel[i] - wanted));
  }
  CHECK(inSlot > 300);
  CHECK(worst < play);
  CHECK(std::abs(wheel.back() + 2 * pi) < play);  // four quarters
}

TEST_CASE(
    "verge: the wheel advances by a tooth a swing; four times the torque takes half the time") {
  struct Swings {
    std::vector<double> times, teeth;  // where the verge passes its middle upwards
  };
  const auto swings = [](const std::vector<std::string>& sets, double stop) {
    const ShownRun r =
        runShow("machines/verge.yaml", sets, {.stopTime = stop, .outputs = {"verge.phi", "teeth"}});
    const std::vector<double>&t = r.rows.time(), &phi = r.rows["verge.phi"];
    Swings s;
    for (size_t i = 1; i < t.size(); ++i) {
      if (!(phi[i - 1] < 0 && phi[i] >= 0)) continue;
      const double share = phi[i - 1] / (phi[i - 1] - phi[i]);
      s.times.push_back(t[i - 1] + share * (t[i] - t[i - 1]));
      s.teeth.push_back(r.rows["teeth"][i - 1] +
                        share * (r.rows["teeth"][i] - r.rows["teeth"][i - 1]));
    }
    return s;
  };
  const Swings s = swings({}, 3);
  REQUIRE(s.times.size() >= 7);
  const double period = s.times[6] - s.times[5];
  for (size_t k = 3; k < 7; ++k) {
    CHECK(s.teeth[k] - s.teeth[k - 1] == doctest::Approx(1).epsilon(0.02));
    CHECK(s.times[k] - s.times[k - 1] == doctest::Approx(period).epsilon(0.01));
  }
  // All forces are four times as large, all speeds twice.
  const Swings fast = swings({"M=0.016", "k=8e5", "d=6e-4", "D=5"}, 1.5);
  REQUIRE(fast.times.size() == s.times.size());
  for (size_t k = 0; k < s.times.size(); ++k)
    CHECK(fast.times[k] == doctest::Approx(0.5 * s.times[k]).epsilon(1e-3));
}

TEST_CASE("quadruped: falls as its centre of mass must, and then stands in balance") {
  const double g = 9.80665, pi = std::numbers::pi;  // the default of World
  const Cylinder thigh(0.3, 0.05, 1000), shank(0.3, 0.035, 1000);
  const double mass = 0.6 * 0.24 * 0.16 * 300 + 4 * (thigh.m + shank.m);
  const ShownRun r =
      runShow("robots/quadruped.yaml", {},
              {.stopTime = 10,
               .outputs = {"linearMomentum", "leg*.foot.f_0", "leg*.foot.r_contact_0",
                           "leg*.foot.touching", "leg*.knee.frame_b.r_0", "leg*.knee.frame_a.R.T",
                           "leg*.shank.frame_b.r_0", "leg*.knee.phi"}});
  const std::vector<double>& t = r.rows.time();
  const auto of = [&](int leg, const std::string& name) -> const std::vector<double>& {
    return r.rows["leg" + std::to_string(leg) + "." + name];
  };
  // Until the first foot touches, gravity alone changes the momentum. 1e-5 of what it changes in a second
  // is some thousand steps' errors of 1e-9 in the speeds of nine bodies.
  size_t fall = 0;
  const auto touches = [&](size_t i) {
    for (int leg = 1; leg <= 4; ++leg) {
      if (of(leg, "foot.touching")[i] > 0.5) return true;
    }
    return false;
  };
  for (; fall < t.size() && !touches(fall); ++fall)
    REQUIRE(std::abs(r.rows["linearMomentum[2]"][fall] + mass * g * t[fall]) < 1e-5 * mass * g);
  CHECK(t[fall] > 0.1);

  // At last the feet carry the weight, and what bends a knee is what its spring gives.
  const size_t end = t.size() - 1;
  double carried = 0;
  for (int leg = 1; leg <= 4; ++leg) {
    carried += of(leg, "foot.f_0[2]")[end];
    const auto point = [&](const std::string& name) {
      return Vector3d(of(leg, name + "[1]")[end], of(leg, name + "[2]")[end],
                      of(leg, name + "[3]")[end]);
    };
    const Vector3d knee = point("knee.frame_b.r_0");
    const Vector3d axis(of(leg, "knee.frame_a.R.T[3,1]")[end],
                        of(leg, "knee.frame_a.R.T[3,2]")[end],
                        of(leg, "knee.frame_a.R.T[3,3]")[end]);
    const Vector3d middle = (knee + point("shank.frame_b.r_0")) / 2;
    const Vector3d torque = (point("foot.r_contact_0") - knee).cross(point("foot.f_0")) +
                            (middle - knee).cross(Vector3d(0, -shank.m * g, 0));
    const double bend = (leg > 2 ? -1 : 1) * 30 * pi / 180;
    const double spring = 60 * (of(leg, "knee.phi")[end] + 2 * bend);
    CAPTURE(leg);
    CHECK(std::abs(spring) > 1);
    // What moves still, by the creep of the feet, is below a thousandth of the load.
    CHECK(std::abs(torque.dot(axis) - spring) < 1e-3 * std::abs(spring));
  }
  CHECK(std::abs(carried / (mass * g) - 1) < 1e-3);
}
