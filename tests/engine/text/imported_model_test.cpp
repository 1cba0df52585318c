// A file of another kind is a model by one entry in a list: what it is called, and how it is read.
#include "engine/text/imported_model.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include "components/catalogue.h"
#include "engine/model_file/model_source.h"
#include "engine/modelica/import.h"
#include "engine/results/rows.h"
#include "engine/robots/import.h"
#include "engine/simulation.h"
#include "tests/folder.h"

namespace cardan {
namespace {

/// A toy's language: each line is a rod, hung on the one before, by its mass [kg] and length [m].
std::optional<ImportedModel> readRods(const Catalogue&, const std::string& path,
                                      Diagnostics& diagnostics) {
  std::ifstream file(path);
  ImportedModel model;
  model.name = "Rods";
  model.files = {path};
  std::string line, end = "world.frame_b";
  for (int number = 1; std::getline(file, line); ++number) {
    const SourceMark at{path, number, 1};
    std::istringstream words(line);
    double mass = 0, length = 0;
    if (!(words >> mass >> length)) {
      diagnostics.error(at, "expected a mass and a length, found '" + line + "'");
      continue;
    }
    const std::string n = std::to_string(number);
    YamlNode joint = emptyMap(at), rod = emptyMap(at);
    addEntry(rod, "m", textNode(std::to_string(mass), at), at);
    addEntry(
        rod, "r",
        listOf({textNode(std::to_string(length), at), textNode("0", at), textNode("0", at)}, at),
        at);
    addEntry(
        rod, "r_CM",
        listOf({textNode(std::to_string(length), at), textNode("0", at), textNode("0", at)}, at),
        at);
    model.components.push_back({"j" + n, "Revolute", joint, "", at, at});
    model.components.push_back({"b" + n, "BodyShape", rod, "", at, at});
    model.connections.push_back({end, "j" + n + ".frame_a", at});
    model.connections.push_back({"j" + n + ".frame_b", "b" + n + ".frame_a", at});
    end = "b" + n + ".frame_b";
  }
  return model;
}

ModelFormats all() {
  const ModelFormat rods{[](std::string_view path) { return path.ends_with(".rods"); }, readRods};
  return {rods, modelica::modelicaFormat(), robotFormat()};
}

}  // namespace

TEST_CASE("ModelFormat: a toy's file runs, says where it is wrong, and leaves other files alone") {
  const test::Folder folder;
  const std::string good = folder.write("pair.rods", "1 0.5\n");
  Simulation s = Simulation::open(catalogue(), all(), good, {"b1.m=2"});
  Trajectory rows;
  const double mass = 2, inertia = 1e-3;  // BodyShape's own, about the centre of mass
  // What falls from the horizontal has gained m g times its way down.
  s.run(rows, {.stopTime = 1, .tolerance = 1e-8, .outputs = {"j1.phi", "j1.w"}});
  for (std::size_t i = 0; i < rows.time().size(); ++i) {
    const double height = 0.5 * std::sin(rows["j1.phi"][i]), w = rows["j1.w"][i];
    CHECK(std::abs(0.5 * (0.5 * 0.5 + inertia / mass) * w * w + 9.80665 * height) < 1e-6);
  }
  const std::string bad = folder.write("bad.rods", "1 0.5\n1 long\n");
  try {
    Simulation::open(catalogue(), all(), bad);
    FAIL("a wrong file was read");
  } catch (const ModelError& e) {
    CHECK(std::string(e.what()).find("bad.rods:2:1: error: expected a mass") != std::string::npos);
  }
  const std::string yaml = folder.write("m.yaml",
                                        "variables: {x: {start: 1, fixed: true}}\n"
                                        "equations: [\"der(x) = -x\"]\n");
  CHECK(Simulation::open(catalogue(), all(), yaml).source().file == yaml);
}

TEST_CASE(
    "ModelFormat: robots and Modelica files are opened by a library's user as by the program") {
  Simulation robot = Simulation::open(
      catalogue(), all(), std::string(CARDAN_SOURCE_DIR) + "/models/robots/picker.urdf");
  robot.start({.stopTime = 0.1});
  robot.advance(0.1);
  CHECK(robot.time() == 0.1);
  const test::Folder folder;
  const std::string file = folder.write(
      "Decay.mo",
      "model Decay\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\nend Decay;\n");
  Simulation decay = Simulation::open(catalogue(), all(), file);
  Trajectory rows;
  decay.run(rows, {.stopTime = 1, .tolerance = 1e-8, .outputs = {"x"}});
  CHECK(std::abs(rows["x"].back() - std::exp(-1)) < 1e-6);
}

}  // namespace cardan
