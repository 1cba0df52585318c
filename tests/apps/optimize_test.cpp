// cardan optimize: what it prints and writes, alike with any number of workers and after a kill, and
// what is wrong with a command line.
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

/// The mass of a quarter car on a step; its damping is to be found.
constexpr const char* kQuarterToTune = R"(
model: Quarter
parameters: {c: 1500}
variables: {x: {start: 0, fixed: true}, v: {start: 0, fixed: true}, a: {}}
equations: [der(x) = v, "a = (4000*(0.05 - x) - c*v)/300", der(v) = a]
simulation: {stop: 3, interval: 0.01}
)";
const std::string kTune =
    "optimize m.yaml -p c=100..1e4 --minimize 'rms(x - 0.05)' --subject-to 'max(abs(a)) < 0.7' "
    "--multistart 3 ";

}  // namespace

TEST_CASE("cardan optimize: an optimum within its constraint, and a model that has it and runs") {
  const Folder folder;
  folder.write("m.yaml", kQuarterToTune);
  const Process p = test::runCardan(folder, kTune + "-o best.yaml");
  CAPTURE(p.err);
  CAPTURE(p.out);
  REQUIRE(p.code == 0);
  CHECK(contains(p.out, "minimize rms(x - 0.05)"));
  CHECK(contains(p.out, "3 starts"));
  const Process again = test::runCardan(folder, "simulate best.yaml -o r.csv -q");
  REQUIRE(again.code == 0);
  // No other damping within the constraint is better: a grid around it, of runs of their own.
  const auto goal = [&](double factor, double& most) {
    const Process run = test::shell(
        folder, "c=$(sed -n 's/^  c: //p' best.yaml); $cardan simulate m.yaml --set \"c=$c*" +
                    std::to_string(factor) + "\" -o g.csv -q");
    REQUIRE(run.code == 0);
    const cardan::ResultTable table = cardan::ResultTable::read(folder / "g.csv");
    double sum = 0;
    most = 0;
    const auto &t = table.time, &x = *table.find("x"), &a = *table.find("a");
    for (size_t i = 1; i < t.size(); ++i) {
      const double e0 = x[i - 1] - 0.05, e1 = x[i] - 0.05;
      sum += (t[i] - t[i - 1]) * (e0 * e0 + e0 * e1 + e1 * e1) / 3;
    }
    for (const double value : a) most = std::max(most, std::abs(value));
    return std::sqrt(sum / (t.back() - t.front()));
  };
  double most = 0;
  const double best = goal(1, most);
  CHECK(most < 0.7 * (1 + 1e-6));
  for (const double factor : {0.5, 0.9, 0.99, 1.01, 1.1, 2.0}) {
    CAPTURE(factor);
    const double other = goal(factor, most);
    CHECK((other > best || most > 0.7));
  }
}

TEST_CASE("cardan optimize: the same to the last bit with one worker and four, and gone on with") {
  const Folder folder;
  folder.write("m.yaml", kQuarterToTune);
  const auto tune = [&](const std::string& more) {
    const Process p = test::runCardan(folder, kTune + more);
    CAPTURE(p.err);
    REQUIRE(p.code == 0);
    return p.out;
  };
  const std::string one = tune("-j 1 --out one -o one.yaml"),
                    four = tune("-j 4 --out four -o four.yaml");
  CHECK(one == four);
  const std::string index = folder.read("one/index.csv");
  CHECK(index == folder.read("four/index.csv"));
  const auto setOf = [&](const std::string& file) {
    const std::string text = folder.read(file);
    return text.substr(text.find("set:"));
  };
  CHECK(setOf("one.yaml") == setOf("four.yaml"));
  // As a kill leaves it: some runs are there, the last line is cut.
  for (const double part : {0.3, 0.8}) {
    folder.write("four/index.csv", index.substr(0, static_cast<size_t>(part * index.size())));
    CHECK(tune("-j 4 --out four --resume") == one);
    CHECK(folder.read("four/index.csv") == index);
  }
  CHECK(test::runCardan(folder, kTune + "--out one").code == 2);  // they are another search's
}

TEST_CASE("cardan optimize: reports of an optimum and of a front, for readers and for programs") {
  const Folder folder;
  folder.write("m.yaml", kQuarterToTune);
  const std::string tune = "optimize m.yaml -p c=100..1e4 --minimize 'rms(x - 0.05)' ";
  const Process p =
      test::runCardan(folder, tune +
                                  "--subject-to 'max(x) < 0.052' -o best.yaml --report r.json "
                                  "--report r.svg --report r.html");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  const auto report = nlohmann::json::parse(folder.read("r.json"));
  CHECK(report["success"] == true);
  const auto& c = report["parameters"][0];
  CHECK(contains(folder.read("best.yaml"), "c: " + c["value"].dump()));
  CHECK(c["start"] == 1500);
  CHECK(c["high"] == 1e4);
  CHECK(report["goals"][0]["text"] == "minimize rms(x - 0.05)");
  CHECK(report["constraints"][0]["active"] == true);
  CHECK(report["constraints"][0]["value"].get<double>() == doctest::Approx(0.052));
  const std::string svg = folder.read("r.svg"), page = folder.read("r.html");
  CHECK(contains(svg, "rms(x - 0.05)"));
  CHECK(contains(svg, "tried"));
  CHECK(contains(page, "<th>multiplier</th>"));
  CHECK(contains(page, svg));
  const std::string front = tune + "--minimize 'max(x)' --front 4 ";
  REQUIRE(test::runCardan(folder, front + "--report f.json --report f.html -q").code == 0);
  const auto points = nlohmann::json::parse(folder.read("f.json"))["front"];
  REQUIRE(points.size() == 4);
  CHECK(points[0]["goals"][0]["value"] < points[3]["goals"][0]["value"]);
  CHECK(points[0]["goals"][1]["value"] > points[3]["goals"][1]["value"]);
  CHECK(contains(folder.read("f.html"), "max(x)"));
  CHECK(test::runCardan(folder, tune + "--report m.yaml.json --report r.pdf").code == 2);
  CHECK_FALSE(std::filesystem::exists(folder / "m.yaml.json"));
}

TEST_CASE(
    "cardan optimize: where the time is up, the best is reported, and runs can be gone on with") {
  const Folder folder;
  folder.write("m.yaml", kQuarterToTune);
  const Process p = test::runCardan(
      folder, kTune + "--time-limit 1e-9 --out runs -o best.yaml --report r.json --report r.svg");
  CHECK(p.code == 1);
  CHECK(contains(p.out, "the 1e-09 s of --time-limit were over"));
  const auto report = nlohmann::json::parse(folder.read("r.json"));
  CHECK(report["success"] == false);
  CHECK(report["parameters"][0]["value"].is_null());
  CHECK(report["constraints"][0]["value"].is_null());
  CHECK_FALSE(contains(p.out, "nan"));
  CHECK(contains(folder.read("r.svg"), "</svg>"));
  CHECK(contains(p.err, "error: no run has come to its end: 'best.yaml' is not written"));
  CHECK_FALSE(std::filesystem::exists(folder / "best.yaml"));
  const Process on = test::runCardan(folder, kTune + "--time-limit 1e9 --out runs --resume");
  CHECK(on.code == 0);
  CHECK(on.out == test::runCardan(folder, kTune).out);
}

TEST_CASE("cardan optimize: a result that violates a constraint is marked wherever it is told") {
  const Folder folder;
  folder.write("m.yaml", kQuarterToTune);
  const Process p = test::runCardan(
      folder,
      "optimize m.yaml -p c=100..1e4 --minimize 'rms(a)' --subject-to 'max(x) < 0.01' --subject-to "
      "'max(v) < 9' --iterations 1 -o best.yaml --report r.json --report r.html");
  CAPTURE(p.out);
  CHECK(p.code == 1);
  CHECK(contains(p.out, "violated"));
  CHECK(contains(p.out, "; 1 iterations"));
  CHECK(contains(folder.read("best.yaml"), "# violated: max(x) < 0.01, found "));
  CHECK(contains(folder.read("r.html"), "<td>violated</td>"));
  const auto constraints = nlohmann::json::parse(folder.read("r.json"))["constraints"];
  CHECK(constraints[0]["violated"] == true);
  CHECK(constraints[0]["value"] > 0.01);
  CHECK(constraints[1]["violated"] == false);
}

TEST_CASE("cardan optimize: what is wrong is told, with 2") {
  const Folder folder;
  folder.write("m.yaml", kQuarterToTune);
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    CAPTURE(arguments);
    const Process p = test::runCardan(folder, "optimize m.yaml " + arguments);
    CAPTURE(p.err);
    CHECK(p.code == 2);
    CHECK(contains(p.err, why));
  };
  refused("--minimize 'rms(x)'", "must have parameters");
  refused("-p c", "must have a goal");
  refused("-p d --minimize 'rms(x)'", "'d' is no parameter");
  refused("-p c --minimize x", "must say what of a run it is");
  refused("-p c=1..2 --minimize 'rms(x)'", "must start within the bounds of 'c'");
  refused("-p c --minimize 'rms(x)' --method lokal", "not in {local,");
  refused("-p c --minimize 'rms(x)' --multistart nan", "'nan' is not a whole number from 1 to");
}
