// StudyRuns: the runs of a study, as a program that embeds the engine makes them.
#include "engine/study/study_runs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/simulation.h"
#include "tests/folder.h"

using namespace cardan;

namespace {

const char* const kDecay = R"yaml(
model: Decay
parameters: {k: 1, x_0: 1}
variables: {x: {start: x_0, fixed: true}}
equations: ["der(x) = -k*x"]
simulation: {stop: 1, interval: 0.1, tolerance: 1e-10}
)yaml";

const char* const kStudy = R"yaml(
study: Decays
model_file: decay.yaml
vary: {k: [0.5, 1, 2], x_0: [1, 3]}
keep: {end: final(x), share: final(x)/x_0, late: first(x < 0.4)}
)yaml";

/// What is wrong of what f() does; "": nothing.
template <class F>
std::string whatOf(F f) {
  try {
    f();
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}

std::string errorsOf(const std::string& path) {
  return whatOf([&] { const StudyRuns study(catalogue(), {}, path); });
}

}  // namespace

TEST_CASE("StudyRuns: each run keeps what its parameters lead to, in any order") {
  const test::Folder folder;
  folder.write("decay.yaml", kDecay);
  const StudyRuns study(catalogue(), {}, folder.write("study.yaml", kStudy));
  CHECK(study.parameters() == std::vector<std::string>{"k", "x_0"});
  CHECK(study.kept() == std::vector<std::string>{"end", "share", "late"});
  REQUIRE(study.count() == 6);
  for (long run = study.count() - 1; run >= 0; --run) {
    const std::vector<std::string> values = study.values(run);
    const double k = std::stod(values[0]), x_0 = std::stod(values[1]);
    CAPTURE(k);
    CAPTURE(x_0);
    const auto kept = study.run(run);
    REQUIRE(kept.size() == 3);
    // 100 times the tolerance of the run.
    CHECK(kept[0].value() == doctest::Approx(x_0 * std::exp(-k)).epsilon(1e-8));
    CHECK(kept[1].value() == doctest::Approx(std::exp(-k)).epsilon(1e-8));
    CHECK(kept[2].has_value() == (x_0 * std::exp(-k) < 0.4));
  }
}

TEST_CASE(
    "StudyRuns: the first time of a condition does not hang on the rows; where it would, that is "
    "said") {
  const test::Folder folder;
  const std::string ramp =
      "variables: {x: {start: 0, fixed: true}, n: 'integer(3*x)', third: 'n == 2',\n"
      "  soft: 'noEvent(x > 0.7)', count: {start: 0, type: Integer}, y: 'if x == 3 then 1 else "
      "x'}\n"
      "equations: ['der(x) = 1']\n"
      "when: [{condition: 'x > 1.1', set: {count: 2}}]\n";
  folder.write("ramp.yaml", ramp);
  const auto study = [&](const std::string& condition, double interval) {
    return folder.write("study.yaml",
                        fmt::format("model_file: ramp.yaml\nsimulation: {{stop: 2, interval: {}}}\n"
                                    "keep: {{t: \"first({})\"}}\n",
                                    interval, condition));
  };
  const std::pair<const char*, double> conditions[] = {{"integer(3*x) >= 2", 2.0 / 3},
                                                       {"integer(3*x) == 2", 2.0 / 3},
                                                       {"n == 2", 2.0 / 3},
                                                       {"third", 2.0 / 3},
                                                       {"not third", 0},
                                                       {"third and x > 0.8", 0.8},
                                                       {"count == 2", 1.1},
                                                       {"(n == 2) == (x > 0.8)", 0},
                                                       {"y > 0.4", 0.4},
                                                       {"sign(x - 0.5) >= 1", 0.5}};
  for (const auto& [condition, time] : conditions) {
    for (const double interval : {0.1, 0.37, 2.0}) {
      CAPTURE(condition);
      CAPTURE(interval);
      const auto t = StudyRuns(catalogue(), {}, study(condition, interval)).run(0)[0];
      REQUIRE(t);
      CHECK(*t == doctest::Approx(time).epsilon(1e-9));
    }
  }
  const std::pair<const char*, const char*> refused[] = {
      {"x == 0.5", "x == 0.5"},
      {"third or x + n <> 1", "x + n <> 1"},
      {"soft", "x > 0.7"},
      {"noEvent(integer(3*x)) == 2", "noEvent(integer(3*x)) == 2"}};
  for (const auto& [condition, comparison] : refused) {
    const std::string wrong = errorsOf(study(condition, 0.1));
    CAPTURE(wrong);
    CHECK(wrong.find(std::string("that of '") + comparison + "' is none") != std::string::npos);
  }
}

TEST_CASE("StudyRuns: a run is that of its own parameters alone, whatever was run before") {
  const test::Folder folder;
  folder.write("a.csv", "0,0\n1,3");
  folder.write("b.csv", "0,5\n0.1,0\n1,1");
  folder.write("rod.yaml", R"yaml(
submodels:
  Rod:
    parameters: {L: 1}
    components: {box: {type: BodyBox, r: [L, 0, 0], width: 0.05}}
    connectors: {frame_a: box.frame_a, frame_b: box.frame_b}
)yaml");
  const std::string model = folder.write("chain.yaml", R"yaml(
include: [rod.yaml]
parameters: {n: 2, heavy: true, L: 0.3, stop: 0.2}
world: {n: [0, -1, 0]}
components:
  turn: {type: Revolute, count: n, phi: {start: "0.1*i", fixed: true}, w: {fixed: true}}
  rod: {type: Rod, count: n, L: L}
  tip: {type: PointMass, if: heavy, m: 0.5}
  table: {type: Blocks.CombiTimeTable, tableOnFile: true, fileName: a.csv}
  push: {type: WorldForce, force: ["table.y[1]", 0, 0]}
connections:
  - [world.frame_b, "turn[1].frame_a"]
  - {for: "k in 2:n", connect: ["rod[k-1].frame_b", "turn[k].frame_a"]}
  - ["turn[1:n].frame_b", "rod[1:n].frame_a"]
  - ["rod[n].frame_b", tip.frame_a]
  - ["rod[1].frame_b", push.frame_b]
simulation: {stop: stop, interval: 0.05, integrator: explicit}
)yaml");
  // On the command line, and in a study, files are those of the working folder.
  const std::string a = folder / "a.csv", b = folder / "b.csv", none = folder / "none.csv";
  folder.write("runs.csv", "n,heavy,L,stop,table.fileName,turn[1].phi.start\n2,true,0.3,0.2," + a +
                               ",0.1\n3,true,0.3,0.2," + a + ",0.1\n2,false,0.3,0.2," + a +
                               ",0.1\n2,true,nothing,0.2," + a + ",0.1\n2,true,0.3,0.2," + b +
                               ",0.1\n2,true,0.3,0.4," + a + ",0.1\n1,true,0.3,0.2," + a +
                               ",0.7\n2,true,0.3,0.2," + none + ",0.1\n2,true,0.4,0.2," + a +
                               ",-1e-1\n2,true,0.3,0.2," + a + ",0.1\n");
  const StudyRuns study(catalogue(), {},
                        folder.write("study.yaml",
                                     "model_file: chain.yaml\nlist: runs.csv\n"
                                     "keep: [\"final(turn[1].phi)\", max(totalEnergy)]\n"));
  REQUIRE(study.count() == 10);
  std::vector<std::string> ends;
  for (long run = 0; run < study.count(); ++run) {
    CAPTURE(run);
    const std::vector<std::string> values = study.values(run);
    Overrides overrides;
    for (size_t i = 0; i < values.size(); ++i)
      overrides.push_back(study.parameters()[i] + "=" + values[i]);
    std::vector<std::optional<double>> alone, kept;
    const std::string wrong = whatOf([&] {
      Simulation s(catalogue(), model, overrides);
      Trajectory rows;
      s.run(rows, {.outputs = {"turn[1].phi", "totalEnergy"}});
      alone = {rows["turn[1].phi"].back(), std::ranges::max(rows["totalEnergy"])};
    });
    CHECK(whatOf([&] { kept = study.run(run); }) == wrong);
    CHECK(kept == alone);
    ends.push_back(wrong + (alone.empty() ? "" : std::to_string(*alone[0])));
  }
  CHECK(ends.back() == ends.front());
  CHECK(std::set<std::string>(ends.begin(), ends.end()).size() == ends.size() - 1);
}

TEST_CASE("StudyRuns: a mistake is located in the study or in its model") {
  const test::Folder folder;
  folder.write("decay.yaml", kDecay);
  const auto errors = [&](const std::string& text) {
    return errorsOf(folder.write("study.yaml", text));
  };
  const auto at = [&](const std::string& place) { return folder / ("study.yaml:" + place); };
  CHECK(errors("model: Decay\n").starts_with(at("1:1: error: no study")));
  CHECK(errors("model_file: decay.yaml\nvary: {kk: [1, 2]}\nkeep: [final(x)]\n")
            .starts_with(at("2:8: error: ")));
  CHECK(errors("model_file: decay.yaml\nvary: {k: [1, 2]}\nkeep: [final(y)]\n")
            .starts_with(at("3:14: error: ")));
  CHECK(errors("model_file: none.yaml\nvary: {k: [1, 2]}\nkeep: [final(x)]\n").find("none.yaml") !=
        std::string::npos);
}
