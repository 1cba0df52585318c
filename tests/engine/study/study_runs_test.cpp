// StudyRuns: the runs of a study, as a program that embeds the engine makes them.
#include "engine/study/study_runs.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "components/catalogue.h"
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

std::string errorsOf(const std::string& path) {
  try {
    const StudyRuns study(catalogue(), {}, path);
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
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
