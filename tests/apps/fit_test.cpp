// cardan fit: what it prints and writes, and what is wrong with a command line.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/results/result_table.h"
#include "tests/apps/process.h"

using test::contains;
using test::Folder;
using test::Process;

namespace {

const std::string kPendulumToFit = CARDAN_SOURCE_DIR "/models/elementary/pendulum.yaml";

/// A measurement of a pendulum of 0.6 m, from 0.3 rad.
void measure(const Folder& folder) {
  const Process p = test::runCardan(
      folder, "simulate " + kPendulumToFit +
                  " --set L=0.6 --set revolute.phi.start=-1.2 -o run1.csv --stop-time 2 -q");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
}

}  // namespace

TEST_CASE("cardan fit: estimates, a model that extends the first and runs, and reports") {
  const Folder folder;
  measure(folder);
  const Process p = test::runCardan(
      folder, "fit " + kPendulumToFit +
                  " --data run1.csv -y revolute.phi -p L=0.2..1 -p revolute.phi.start "
                  "-o fitted.yaml --report fit.html --report fit.svg --report fit.json");
  CAPTURE(p.err);
  CAPTURE(p.out);
  REQUIRE(p.code == 0);
  CHECK(contains(p.out, "95 % interval"));
  const auto report = nlohmann::json::parse(folder.read("fit.json"));
  CHECK(report["success"] == true);
  CHECK(std::abs(report["parameters"][0]["value"].get<double>() - 0.6) < 1e-6);
  CHECK(std::abs(report["parameters"][1]["value"].get<double>() + 1.2) < 1e-6);
  CHECK(report["parameters"][1]["unit"] == "rad");
  CHECK(report["differences"].empty());
  const std::string svg = folder.read("fit.svg"), page = folder.read("fit.html");
  CHECK(contains(svg, "measured"));
  CHECK(contains(svg, "residual"));
  CHECK(contains(page, "<svg"));
  CHECK(contains(page, "standard error"));
  const Process again = test::runCardan(
      folder, "simulate fitted.yaml -o again.csv --stop-time 2 -q && '" CARDAN_BINARY
              "' compare again.csv run1.csv");
  CAPTURE(again.out);
  CAPTURE(again.err);
  CHECK(again.code == 0);
}

TEST_CASE("cardan fit: the task of a study is that of a command line") {
  const Folder folder;
  measure(folder);
  folder.write("study.yaml", "study: Swing\nmodel_file: " + kPendulumToFit +
                                 "\nfit:\n  data: [run1.csv]\n  signals: [revolute.phi]\n"
                                 "  parameters: {L: 0.2..1, revolute.phi.start: }\n");
  const std::string line =
      kPendulumToFit + " --data run1.csv -y revolute.phi -p L=0.2..1 -p revolute.phi.start";
  const Process a = test::runCardan(folder, "fit study.yaml --report a.json -q");
  const Process b = test::runCardan(folder, "fit " + line + " --report b.json -q");
  CAPTURE(a.err);
  CHECK(a.code == 0);
  CHECK(a.out.empty());
  CHECK(b.code == 0);
  // Sums of vectors begin where they lie in memory: last digits may differ.
  const auto parametersOf = [&](const char* file) {
    auto all = nlohmann::json::parse(folder.read(file))["parameters"];
    for (auto& p : all) {
      for (const char* number : {"value", "error", "from", "to"})
        p[number] = std::round(1e10 * p[number].get<double>());
    }
    return all;
  };
  CHECK(parametersOf("a.json") == parametersOf("b.json"));
}

TEST_CASE("cardan fit: what is wrong ends with 2, is told with its place, and nothing is written") {
  const Folder folder;
  measure(folder);
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const Process p = test::runCardan(folder, "fit " + arguments);
    CAPTURE(p.err);
    CHECK(p.code == 2);
    CHECK(contains(p.err, why));
  };
  const std::string data = kPendulumToFit + " --data run1.csv ";
  refused(kPendulumToFit + " -p L", "a fit must have data");
  refused(data, "a fit must have parameters");
  refused(data + "-p l", "-p l: error: 'l' is no parameter of the model");
  refused(data + "-p L=0.8..0.3", "bounds must rise");
  refused(data + "-p L -y revolute.ph", "revolute.ph");
  refused(data + "-p L --report fit.pdf", "a report is a .html, .svg or .json file");
  refused(data + "-p L -o run1.csv", "which this command reads");
  refused(data + "-p L --multistart 3", "several starts are spread over bounds, and 'L' has none");
  folder.write("study.yaml", "study: Swing\nmodel_file: " + kPendulumToFit +
                                 "\nfit:\n  data: [run1.csv]\n  parametres: {L: 0.2..1}\n");
  refused("study.yaml",
          "study.yaml:5:3: error: unknown key of fit: 'parametres'; did you mean "
          "'parameters'?");
}

TEST_CASE("cardan fit: a start from which the model cannot be run ends with 1") {
  const Folder folder;
  folder.write("m.yaml",
               "model: M\nparameters: {k: 1}\nvariables: {x: {start: 1, fixed: true}}\n"
               "equations: [\"der(x) = k*x^2\"]\nsimulation: {stop: 3}\n");
  folder.write("d.csv", "time,x\n0,1\n1,2\n2,3\n");
  const Process p = test::runCardan(folder, "fit m.yaml --data d.csv -p k");
  CHECK(p.code == 1);
  CHECK(contains(p.err, "the model cannot be run at the start of the search"));
}
