#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "apps/bench/models.h"
#include "components/catalogue.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

constexpr double kPi = std::numbers::pi;

const char* const kReferences = CARDAN_SOURCE_DIR "/../shared/bench/ref";

std::vector<double> numbers(const std::string& path) {
  std::vector<double> values;
  std::ifstream file(path);
  for (double x = 0; file >> x;) values.push_back(x);
  return values;
}

/// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
double ellipticK(double k) {
  double a = 1, b = std::sqrt(1 - k * k);
  while (std::abs(a - b) > 1e-16) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return kPi / (a + b);
}

}  // namespace

TEST_CASE("chain: joint angles agree with the extrapolated references to 1e-6") {
  if (!std::filesystem::exists(kReferences)) {
    MESSAGE("TEST SKIPPED: no reference files in " << std::string(kReferences));
    return;
  }
  for (int n : {2, 4}) {
    for (int stop : {1, 2}) {
      CAPTURE(n);
      CAPTURE(stop);
      Simulation s = Simulation::fromText(catalogue(), bench::chain(n));
      Trajectory t;
      RunOptions options;
      options.stopTime = stop;
      options.tolerance = 1e-9;
      options.outputs = {"r*.phi"};
      s.run(t, options);
      const std::vector<double> wanted =
          numbers(std::string(kReferences) + "/chain_" + std::to_string(n) + "_" +
                  std::to_string(stop) + ".txt");
      REQUIRE(wanted.size() >= static_cast<size_t>(n));
      for (int i = 0; i < n; ++i) {
        const double phi = t["r" + std::to_string(i + 1) + ".phi"].back();
        CHECK(std::abs(std::remainder(phi - wanted[static_cast<size_t>(i)], 2 * kPi)) < 1e-6);
      }
    }
  }
}

TEST_CASE("pendulum: the period is that of the elliptic integral to 1e-8") {
  // After 2 1/4 periods it passes the lowest point: the angle left, over the speed, is the error in
  // time.
  const double g = 9.81, amplitude = kPi / 3;
  const double period = 4 / std::sqrt(g) * ellipticK(std::sin(amplitude / 2));
  Simulation s(catalogue(), CARDAN_SOURCE_DIR "/models/elementary/pendulum.yaml");
  Trajectory t;
  RunOptions options;
  options.stopTime = 2.25 * period;
  options.tolerance = 1e-10;
  options.outputs = {"revolute.phi", "revolute.w"};
  s.run(t, options);
  const double late = (t["revolute.phi"].back() + kPi / 2) / t["revolute.w"].back();
  CHECK(std::abs(late / 2.25) < 1e-8);
}

TEST_CASE(
    "free body: both forms of the orientation keep their constraints and the angular momentum") {
  const double tolerance = 1e-8;
  for (const char* file : {"free_body", "free_body_matrix"}) {
    CAPTURE(file);
    Simulation s(catalogue(),
                 std::string(CARDAN_SOURCE_DIR "/models/elementary/") + file + ".yaml");
    Trajectory t;
    RunOptions options;
    options.stopTime = 10;
    options.tolerance = tolerance;
    options.outputs = {"body.Q", "body.frame_a.R.T", "angularMomentum"};
    s.run(t, options);
    double length = 0, orthogonality = 0, momentum = 0;
    for (size_t row = 0; row < t.time().size(); ++row) {
      double QQ = 0;
      for (int i = 1; i <= 4; ++i) QQ += std::pow(t["body.Q[" + std::to_string(i) + "]"][row], 2);
      length = std::max(length, std::abs(QQ - 1));
      Matrix3d T;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          T(i, j) = t["body.frame_a.R.T[" + std::to_string(i + 1) + "," + std::to_string(j + 1) +
                      "]"][row];
        }
      }
      orthogonality =
          std::max(orthogonality, (T * T.transpose() - Matrix3d::Identity()).cwiseAbs().maxCoeff());
      for (int i = 1; i <= 3; ++i) {
        const auto& L = t["angularMomentum[" + std::to_string(i) + "]"];
        momentum = std::max(momentum, std::abs(L[row] - L[0]));
      }
    }
    CHECK(length < 1e-10);
    CHECK(orthogonality < 1e-10);
    CHECK(momentum < 100 * tolerance * 6);  // of |L| = 6 N.m.s
  }
}
