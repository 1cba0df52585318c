/// The robots of the public collection of URDF files, where they lie beside the project: each is
/// imported, started at three states, and compared with the accelerations and poses that an
/// independent program has computed in extended precision.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/expression/value.h"
#include "engine/robots/import.h"
#include "engine/simulation.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kRobots = fs::path(CARDAN_SOURCE_DIR) / ".." / "shared" / "urdf";

/// As the collection asks for: positions [m], elements of rotations; accelerations relative to the
/// largest one.
constexpr double kPose = 1e-10, kAcceleration = 1e-8;

struct Row {
  std::string file, expected;
};

std::vector<Row> corpus() {
  std::vector<Row> rows;
  std::ifstream table(kRobots / "corpus.csv");
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    std::istringstream cells(line);
    Row row;
    std::getline(cells, row.file, ',');
    std::getline(cells, row.expected, ',');
    rows.push_back(row);
  }
  return rows;
}

json referenceOf(const std::string& file) {
  std::string name = file.substr(0, file.size() - 5);
  for (size_t i = 0; (i = name.find('/', i)) != std::string::npos;) name.replace(i, 1, "__");
  std::ifstream text(kRobots / "reference" / (name + ".json"));
  return json::parse(text);
}

std::map<std::string, std::string> asMap(const cardan::ImportReport::Names& names) {
  return {names.begin(), names.end()};
}

bool slides(const json& joint) { return joint["type"] == "prismatic"; }

/// Worst of the accelerations, relative to the largest; the poses are checked on the way.
double worstAcceleration(const cardan::RobotImport& robot, const json& reference,
                         const json& state) {
  const auto links = asMap(robot.report.linkNames), joints = asMap(robot.report.jointNames);
  cardan::Overrides set;
  for (const auto& [name, q] : state["q"].items()) {
    const bool slide = slides(reference["moving"][name]);
    set.push_back(joints.at(name) + (slide ? ".s" : ".phi") +
                  ".start=" + cardan::formatNumber(q.get<double>()));
    set.push_back(joints.at(name) + (slide ? ".v" : ".w") +
                  ".start=" + cardan::formatNumber(state["w"][name].get<double>()));
  }
  cardan::RunOptions options;
  options.stopTime = 1e-3;
  options.outputs = {};
  for (const auto& [name, joint] : reference["moving"].items())
    options.outputs.push_back(joints.at(name) + ".a");
  for (const auto& [name, pose] : state["poses"].items()) {
    options.outputs.push_back(links.at(name) + ".frame_a.r_0");
    options.outputs.push_back(links.at(name) + ".frame_a.R.T");
  }
  cardan::Simulation s =
      cardan::Simulation::fromTree(cardan::catalogue(), robot.model.tree(), robot.model.files, set);
  s.start(options);
  const auto value = [&](const std::string& name) { return s.value(s.variable(name)); };
  for (const auto& [name, pose] : state["poses"].items()) {
    for (int i = 0; i < 3; ++i) {
      const std::string frame = links.at(name) + ".frame_a.", row = std::to_string(i + 1);
      CHECK(std::abs(value(frame + "r_0[" + row + "]") -
                     pose[static_cast<size_t>(i)].get<double>()) <= kPose);
      for (int k = 0; k < 3; ++k) {
        // R.T takes vectors into the link: the transpose of the pose's rotation.
        const double T = value(frame + "R.T[" + row + "," + std::to_string(k + 1) + "]");
        CHECK(std::abs(T - pose[static_cast<size_t>(3 + 3 * k + i)].get<double>()) <= kPose);
      }
    }
  }
  double largest = 1, worst = 0;
  for (const auto& [name, a] : state["a"].items())
    largest = std::max(largest, std::abs(a.get<double>()));
  for (const auto& [name, a] : state["a"].items()) {
    const double error = std::abs(value(joints.at(name) + ".a") - a.get<double>()) / largest;
    worst = error <= worst ? worst : error;  // also where it is no number
  }
  return worst;
}

}  // namespace

TEST_CASE("URDF: every robot of the collection accelerates as the referee says, or is refused") {
  if (!fs::exists(kRobots / "corpus.csv")) {
    MESSAGE("TEST SKIPPED: the collection of robots is not beside the project");
    return;
  }
  int compared = 0;
  for (const Row& row : corpus()) {
    CAPTURE(row.file);
    const json reference = referenceOf(row.file);
    cardan::Diagnostics diagnostics;
    const auto robot =
        cardan::importRobot((kRobots / "files" / row.file).string(), {}, diagnostics);
    CAPTURE(diagnostics.format());
    REQUIRE(robot.has_value() == (row.expected != "invalid"));
    if (!robot) continue;
    CHECK(robot->report.links == reference["links"].get<int>());
    CHECK(robot->report.mass == doctest::Approx(reference["mass"].get<double>()).epsilon(1e-12));
    const json report = json::parse(robot->report.json());
    for (const auto& [link, faults] : reference["faults"].items()) {
      CHECK(std::ranges::any_of(report["warnings"],
                                [&](const json& w) { return w["name"] == link; }));
    }
    if (row.expected == "singular") {
      CHECK(!report["warnings"].empty());
      continue;
    }
    for (const json& state : reference["states"]) {
      CHECK(worstAcceleration(*robot, reference, state) <= kAcceleration);
      ++compared;
    }
  }
  CHECK(compared > 50);
}
