#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "components/catalogue.h"
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
  const std::set<std::string> others{"double_pendulum.yaml", "squeezer.yaml"};
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
    CHECK(s.warnings().all().empty());
    CHECK_FALSE(s.model().description().description.empty());
    const InitialReport report = s.initialise();
    CHECK(report.degreesOfFreedom > 0);
    // Three of the five closure equations of the fourth revolute joint.
    const bool planar = path.ends_with("fourbar.yaml") && !path.ends_with("spatial_fourbar.yaml");
    CHECK(report.redundantConstraints.size() == (planar ? 3 : 0));
  }
}

TEST_CASE("models: every one runs a fifth of its time") {
  for (const std::string& path : shippedModels()) {
    CAPTURE(path);
    Simulation s(catalogue(), path);
    const SimulationSettings& settings = s.model().description().simulation;
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
    CHECK(test::energyDrift(t) < 100 * s.model().description().simulation.tolerance);
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
