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
  const std::set<std::string> others{"double_pendulum.yaml"};
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
    CHECK(report.redundantConstraints.empty());
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
