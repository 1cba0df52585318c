#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/equations/model.h"
#include "engine/model_file/model_source.h"
#include "engine/simulation.h"
#include "tests/models/energy.h"

using namespace cardan;

namespace {

/// All models that ship; files that only define submodels are not models.
std::vector<std::string> shippedModels() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(CARDAN_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with("model:")) continue;
      files.push_back(entry.path().string());
      break;
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string firstLines(const std::string& path) {
  std::ifstream file(path);
  std::string first;
  std::getline(file, first);
  return first;
}

/// Those that lose energy or are given some.
bool conserves(const std::string& path) {
  const std::set<std::string> others{
      "double_pendulum.yaml", "squeezer.yaml",  "delta.yaml",          "engine_v6.yaml",
      "governor.yaml",        "bicycle.yaml",   "picker_at_work.yaml", "double_wishbone.yaml",
      "crane.yaml",           "tippe_top.yaml", "ball_on_stairs.yaml", "geneva.yaml",
      "quadruped.yaml",       "verge.yaml"};
  return !others.contains(std::filesystem::path(path).filename().string());
}

}  // namespace

TEST_CASE("models: every one says what to see in it") {
  for (const std::string& path : shippedModels()) {
    CAPTURE(path);
    CHECK(firstLines(path).starts_with("# "));
  }
}

TEST_CASE("models: every one finds consistent start values without a warning") {
  const std::vector<std::string> files = shippedModels();
  CHECK(files.size() >= 8);
  for (const std::string& path : files) {
    CAPTURE(path);
    Simulation s(catalogue(), path);
    // The robot's published inertias are no body's; we say so, and keep them.
    const bool published = path.ends_with("r3_structure.yaml");
    for (const Diagnostic& d : s.warnings().all()) {
      CHECK((published && d.text.find("no body has such an inertia tensor") != std::string::npos));
    }
    CHECK_FALSE(s.source().description.empty());
    const InitialReport report = s.initialise();
    CHECK(report.degreesOfFreedom > 0);
    // Three of the five closure equations of the fourth revolute joint; one of the sixth.
    const size_t redundant = path.ends_with("/fourbar.yaml")   ? 3
                             : path.ends_with("/bricard.yaml") ? 1
                                                               : 0;
    CHECK(report.redundantConstraints.size() == redundant);
  }
}

TEST_CASE("models: every one runs a fifth of its time") {
  for (const std::string& path : shippedModels()) {
    CAPTURE(path);
    Simulation s(catalogue(), path);
    const SimulationSettings& settings = s.source().simulation;
    Trajectory t;
    RunOptions options;
    options.stopTime = settings.start + (settings.stop - settings.start) / 5;
    const RunReport report = s.run(t, options);
    CHECK(report.stopTime == *options.stopTime);
    CHECK(t.time().back() == *options.stopTime);
    CHECK(t.columns().size() > 0);
  }
}

TEST_CASE("models: those without friction keep their energy to 100 times the tolerance") {
  int found = 0;
  for (const std::string& path : shippedModels()) {
    if (!conserves(path)) continue;
    ++found;
    CAPTURE(path);
    Simulation s(catalogue(), path);
    Trajectory t;
    RunOptions options;
    options.outputs = {"totalEnergy", "kineticEnergy"};
    s.run(t, options);
    CHECK(test::energyDrift(t) < 100 * s.source().simulation.tolerance);
  }
  CHECK(found >= 5);
}

TEST_CASE("squeezer: beta after 0.03 s is that of the test set for initial value problems") {
  Simulation s(catalogue(), CARDAN_SOURCE_DIR "/models/loops/squeezer.yaml");
  Trajectory t;
  RunOptions options;
  options.tolerance = 1e-10;
  s.run(t, options);
  // Components 1 to 7 of the reference solution, which is good to about 1e-8.
  const std::pair<const char*, double> reference[] = {
      {"K1.phi", 15.81077119630},   {"K2.phi", -15.75637105985}, {"K3.phi", 0.04082224013073},
      {"K4.phi", -0.5347301163226}, {"K5.phi", 0.5244099658805}, {"K6.phi", 0.5347301163226},
      {"K7.phi", 1.048080741042},
  };
  for (const auto& [name, value] : reference) {
    CAPTURE(name);
    CHECK(t[name].back() == doctest::Approx(value).epsilon(1e-8));
  }
}

TEST_CASE("bricard: the sixth joint leaves one degree of freedom, counted as none") {
  Simulation s(catalogue(), CARDAN_SOURCE_DIR "/models/loops/bricard.yaml");
  const InitialReport report = s.initialise();
  CHECK(report.degreesOfFreedom == 1);
  REQUIRE(report.loops.size() == 1);
  CHECK(report.loops[0].redundant.size() == 1);
  // In a symmetric loop of right angles every other joint turns alike, and neighbours obey
  // sin a sin b + sin a + sin b = 0 (the trihedral case of Bricard's loops).
  Trajectory t;
  s.run(t);
  double largest = 0;
  for (size_t i = 0; i < t.time().size(); ++i) {
    largest = std::max(largest, std::abs(t["j0.phi"][i]));
    CHECK(t["j0.phi"][i] == doctest::Approx(t["j2.phi"][i]).epsilon(1e-7));
    CHECK(t["j0.phi"][i] == doctest::Approx(t["j4.phi"][i]).epsilon(1e-7));
    CHECK(t["j1.phi"][i] == doctest::Approx(t["j3.phi"][i]).epsilon(1e-7));
    CHECK(t["j1.phi"][i] == doctest::Approx(t["j5.phi"][i]).epsilon(1e-7));
    const double a = std::sin(t["j0.phi"][i]), b = std::sin(t["j1.phi"][i]);
    CHECK(std::abs(a * b + a + b) < 1e-9);
  }
  CHECK(largest > 1);
}

TEST_CASE("governor: swings between the angles where energy and momentum leave no speed") {
  Simulation s(catalogue(), CARDAN_SOURCE_DIR "/models/loops/governor.yaml");
  Trajectory t;
  s.run(t);
  // With rigid couplers the slider is at 1 m - 1 m sin(beta), beta the arm below the level.
  auto inertia = [](double beta) {
    const double c = std::cos(beta), sn = std::sin(beta), m = 0.3, side = 1e-4;
    const double rod =
        m * std::pow(0.05 + c / 2, 2) + c * c * m * (1 + side) / 12 + sn * sn * m * 2 * side / 12;
    return m * 2 * side / 12 + 3 * 0.02 / 12 + 2 * (rod + 5 * std::pow(0.05 + c, 2));
  };
  auto potential = [](double beta) {
    const double sn = std::sin(beta);
    return 9.81 * (2 * (0.3 * (1 - sn / 2) + 5 * (1 - sn)) + 3 * (1 - sn));
  };
  const double start = std::numbers::pi / 6;
  const double L = inertia(start) * 2 * std::numbers::pi;
  auto effective = [&](double beta) { return L * L / (2 * inertia(beta)) + potential(beta); };
  const double energy = effective(start);
  // The other turning point, by bisection above the start.
  double low = 0, high = start - 0.02;
  CHECK(effective(low) > energy);
  CHECK(effective(high) < energy);
  while (high - low > 1e-12) {
    const double middle = (low + high) / 2;
    (effective(middle) > energy ? low : high) = middle;
  }
  const double highest = 1 - std::sin(low);
  const auto& slider = t["s"];
  const double reached = *std::max_element(slider.begin(), slider.end());
  MESSAGE("highest " << reached << " m, with rigid couplers " << highest << " m");
  // The springs give way by the weight and the centrifugal forces over 8e5 N/m: tenths of a mm.
  CHECK(std::abs(reached - highest) < 5e-4);
  CHECK(highest > 0.6);
  for (double l : t["angularMomentum[3]"]) CHECK(l == doctest::Approx(L).epsilon(1e-6));
}

TEST_CASE("delta: the platform stays level, where three spheres about the elbows meet") {
  Simulation s(catalogue(), CARDAN_SOURCE_DIR "/models/loops/delta.yaml");
  CHECK(s.initialise().degreesOfFreedom == 3);
  Trajectory t;
  s.run(t);
  for (size_t i = 0; i < t.time().size(); ++i) {
    CHECK(t["tilt"][i] < 1e-10);
    const Vector3d p(t["platform.r_0[1]"][i], t["platform.r_0[2]"][i], t["platform.r_0[3]"][i]);
    for (int arm = 0; arm < 3; ++arm) {
      const double angle = 2 * std::numbers::pi / 3 * arm;
      const double phi = t["arm" + std::to_string(arm + 1) + ".hinge.phi"][i];
      const Vector3d outwards(std::cos(angle), std::sin(angle), 0);
      const Vector3d elbow =
          (0.2 - 0.05 + 0.3 * std::cos(phi)) * outwards - 0.3 * std::sin(phi) * Vector3d(0, 0, 1);
      CHECK(std::abs((p - elbow).norm() - 0.7) < 1e-10);
    }
  }
}
