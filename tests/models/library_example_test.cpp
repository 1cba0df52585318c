// README begin
#include <iostream>

#include "components/catalogue.h"
#include "engine/simulation.h"

double finalAngle(const std::string& path) {
  cardan::Simulation simulation(cardan::catalogue(), path, {"L=0.6"});
  cardan::Trajectory result;
  cardan::RunOptions options;
  options.stopTime = 1;
  const cardan::RunReport report = simulation.run(result, options);
  std::cout << report.rows << " rows up to " << report.stopTime << " s\n";
  return result["revolute1.phi"].back();
}
// README end

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace {

std::string textOf(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const size_t from = text.find(begin);
  REQUIRE(from != std::string::npos);
  const size_t to = text.find(end, from + begin.size());
  REQUIRE(to != std::string::npos);
  return text.substr(from + begin.size(), to - from - begin.size());
}

}  // namespace

TEST_CASE("library example: it runs the double pendulum and reads an angle") {
  const double phi = finalAngle(CARDAN_SOURCE_DIR "/models/elementary/double_pendulum.yaml");
  CHECK(std::isfinite(phi));
  CHECK(std::abs(phi - 0.5236) > 1e-3);  // it has moved away from the start, 30 degrees
}

TEST_CASE("library example: the README shows the lines that are tested") {
  const std::string shown = between(textOf(CARDAN_SOURCE_DIR "/README.md"), "```cpp\n", "```");
  const std::string tested =
      between(textOf(CARDAN_SOURCE_DIR "/tests/models/library_example_test.cpp"),
              "// README begin\n", "// README end");
  CHECK(shown == tested);
}
