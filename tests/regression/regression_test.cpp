// The corpus: small models against references that other programs derived (derive/, README.md).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/simulation.h"

using namespace cardan;
namespace fs = std::filesystem;

namespace {

const fs::path kCorpus = fs::path(CARDAN_SOURCE_DIR) / "tests" / "regression";

/// With fewer models some have got lost.
constexpr size_t kLeastModels = 88;
/// Of a column's range. The models run at 1e-10; local errors add up over a run, and events, forces
/// and accelerations show them enlarged.
constexpr double kLargestError = 1e-6;

/// One model that cannot be judged does not keep the others from it.
void demand(bool good, const std::string& what) {
  if (!good) throw std::runtime_error(what);
}

/// A reference as derive/ writes it: quoted names without quotes in them, plain numbers.
struct Reference {
  std::vector<std::string> names;  ///< without the time
  std::vector<double> time;        ///< [s]
  std::vector<std::vector<double>> columns;

  explicit Reference(const fs::path& path) {
    std::ifstream file(path);
    std::string line, part;
    demand(static_cast<bool>(std::getline(file, line)), "cannot read the reference");
    std::stringstream header(line);
    for (size_t i = 0; std::getline(header, part, '"'); ++i) {
      if (i % 2 == 1) names.push_back(part);
    }
    demand(names.size() > 1 && names.front() == "time", "the reference has no columns");
    names.erase(names.begin());
    columns.resize(names.size());
    while (std::getline(file, line)) {
      std::stringstream row(line);
      std::vector<double> values;
      while (std::getline(row, part, ',')) values.push_back(std::stod(part));
      demand(values.size() == names.size() + 1, "a row of the reference is not whole");
      time.push_back(values.front());
      for (size_t i = 0; i < names.size(); ++i) columns[i].push_back(values[i + 1]);
    }
    demand(time.size() >= 20, "the reference has less than 20 rows");
  }
};

std::vector<std::string> namesIn(const char* folder, const char* extension) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kCorpus / folder)) {
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string pathOf(const std::string& name) {
  return (kCorpus / "models" / (name + ".yaml")).string();
}

/// Largest difference, relative to the range of the reference; where a column hardly moves beside
/// its size, to a tenth of that; where it is zero, to 1e-3.
double errorOf(const std::vector<double>& found, const std::vector<double>& expected) {
  const auto [low, high] = std::minmax_element(expected.begin(), expected.end());
  const double scale = std::max({*high - *low, std::max(*high, -*low) / 10, 1e-3});
  double largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double error = std::abs(found[i] - expected[i]) / scale;
    if (!(error <= largest)) largest = error;  // a NaN, too
  }
  return largest;
}

struct Verdict {
  double error = 0;  ///< the largest of all columns
  std::string column;
};

/// Runs the model and compares it row by row with its reference.
Verdict judge(const std::string& name, const Overrides& overrides = {}) {
  const Reference reference(kCorpus / "reference" / (name + ".csv"));
  Simulation simulation(catalogue(), pathOf(name), overrides);
  RunOptions options;
  options.eventRows = false;
  options.outputs = reference.names;
  Trajectory result;
  simulation.run(result, options);
  demand(result.time().size() == reference.time.size(), "not the reference's number of rows");
  for (size_t i = 0; i < reference.time.size(); ++i) {
    demand(std::abs(result.time()[i] - reference.time[i]) < 1e-11, "not the reference's times");
  }
  Verdict worst;
  for (size_t i = 0; i < reference.names.size(); ++i) {
    const double error = errorOf(result[reference.names[i]], reference.columns[i]);
    if (!(error <= worst.error)) worst = {error, reference.names[i]};
  }
  return worst;
}

}  // namespace

TEST_CASE("regression: every model has one reference, and none has got lost") {
  const std::vector<std::string> models = namesIn("models", ".yaml");
  CHECK(models.size() >= kLeastModels);
  const std::vector<std::string> references = namesIn("reference", ".csv");
  std::vector<std::string> alone;
  std::set_symmetric_difference(models.begin(), models.end(), references.begin(), references.end(),
                                std::back_inserter(alone));
  for (const std::string& name : alone) FAIL_CHECK(name << " lacks its model or its reference");
}

TEST_CASE("regression: every model is where its reference says, within 1e-6 of each range") {
  size_t judged = 0;
  for (const std::string& name : namesIn("models", ".yaml")) {
    CAPTURE(name);
    try {
      const Verdict worst = judge(name);
      CAPTURE(worst.column);
      CHECK(worst.error < kLargestError);
      ++judged;
    } catch (const std::exception& e) {
      FAIL_CHECK(name << ": " << std::string(e.what()));
    }
  }
  CHECK(judged >= kLeastModels);
}

TEST_CASE("regression: a start value off by a hundred-thousandth is seen") {
  CHECK(judge("pendulum", {"j.phi.start=1.10001"}).error > kLargestError);
}

TEST_CASE("regression: every part, joint, force and sensor of the catalogue has a model") {
  std::string all;
  for (const std::string& name : namesIn("models", ".yaml")) {
    std::ifstream file(pathOf(name));
    all.append(std::istreambuf_iterator<char>(file), {});
  }
  const std::set<std::string> packages{"parts", "joints", "forces", "sensors"};
  size_t types = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    if (!packages.contains(entry.package) || entry.type == "World") continue;
    CAPTURE(entry.type);
    const bool used = all.find("type: " + entry.type + ",") != all.npos ||
                      all.find("type: " + entry.type + "}") != all.npos;
    CHECK(used);
    ++types;
  }
  CHECK(types > 60);
}
