/// The Modelica sources of the public conformance suite, where they lie beside the project: each is
/// imported as it stands, and what is written runs through the tubes as the suite's own model file
/// does.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "engine/text/yaml_document.h"
#include "tests/folder.h"

namespace {

namespace fs = std::filesystem;

const fs::path kModelicaSuite = fs::path(CARDAN_SOURCE_DIR) / ".." / "shared" / "conformance";

/// Models whose references are no measure, and why.
const std::set<std::string> kNotCompared = {
    // As in conformance_test.cpp.
    "ModelicaTest.MultiBody.InitializationConversion.Rotor1D",
    "ModelicaTest.MultiBody.Parts.Rotor1D.GearConstraint3",
    // The source is that of 4.0.0; model and reference were both changed in 4.1.0.
    "ModelicaTest.MultiBody.Sensors.AbsoluteSensor",
};

std::string inQuotes(const fs::path& p) { return "'" + p.string() + "'"; }

/// The moment until which a reference has a meaning, from corpus.csv; "" for all of it.
std::string comparedUntil(const std::string& model) {
  std::ifstream corpus(kModelicaSuite / "corpus.csv");
  std::string line;
  while (std::getline(corpus, line)) {
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, ',');
    if (cell != model) continue;
    for (int i = 0; i < 3; ++i) std::getline(cells, cell, ',');
    return cell;
  }
  return "";
}

/// What the suite's model file says of the run: the options that make it the same.
std::string runOptions(const fs::path& file) {
  cardan::Diagnostics diagnostics;
  const auto root = cardan::readYaml(file.string(), diagnostics);
  REQUIRE_MESSAGE(root.has_value(), diagnostics.format());
  std::string text;
  const cardan::YamlNode& simulation = *root->find("simulation");
  if (const auto* stop = simulation.find("stop")) text += " --stop-time " + stop->text;
  if (const auto* step = simulation.find("interval")) text += " --output-interval " + step->text;
  for (const cardan::YamlNode& name : root->find("outputs")->items)
    text += " --output-variable '" + name.text + "'";
  return text;
}

}  // namespace

TEST_CASE("conformance: the Modelica sources are imported, run and pass") {
  const fs::path sources = kModelicaSuite / "modelica";
  if (!fs::exists(sources)) {
    MESSAGE("TEST SKIPPED: the conformance suite is not beside the project");
    return;
  }
  const test::Folder folder;
  int models = 0;
  for (const auto& entry : fs::directory_iterator(kModelicaSuite / "models")) {
    const std::string name = entry.path().stem().string();
    CAPTURE(name);
    std::string path = name;
    std::ranges::replace(path, '.', '/');
    const fs::path imported = folder / (name + ".yaml"), result = folder / (name + ".csv");
    const std::string import = inQuotes(CARDAN_BINARY) + " import " +
                               inQuotes(sources / (path + ".mo")) + " --library " +
                               inQuotes(sources) + " -o " + inQuotes(imported) + " 2>/dev/null";
    CHECK(std::system(import.c_str()) == 0);
    ++models;
    if (kNotCompared.contains(name)) continue;
    const std::string run = inQuotes(CARDAN_BINARY) + " simulate " + inQuotes(imported) +
                            " --quiet --tolerance 1e-9" + runOptions(entry.path()) + " -o " +
                            inQuotes(result);
    CHECK(std::system(run.c_str()) == 0);
    std::string compare = inQuotes(CARDAN_BINARY) + " compare -q " + inQuotes(result) + " " +
                          inQuotes(kModelicaSuite / "reference" / (name + ".csv"));
    if (const std::string until = comparedUntil(name); !until.empty())
      compare += " --until " + until;
    CHECK(std::system(compare.c_str()) == 0);
  }
  CHECK(models == 79);
}
