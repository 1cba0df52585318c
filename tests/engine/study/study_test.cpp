#include "engine/study/study.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "engine/expression/value.h"
#include "engine/study/csv_text.h"
#include "engine/study/plan.h"

using namespace cardan;

namespace {

/// The study of a text, and what is wrong with it.
Study studyOf(const std::string& text, std::string& messages) {
  Diagnostics diagnostics;
  const auto root = parseYaml(text, "s.yaml", diagnostics);
  REQUIRE(root);
  Study study = Study::read(*root, "s.yaml", diagnostics);
  if (diagnostics.errorCount() == 0) study.check(diagnostics);
  messages = diagnostics.format();
  return study;
}

std::vector<std::vector<std::string>> pointsOf(const std::string& text) {
  std::string messages;
  const Study study = studyOf(text, messages);
  CHECK(messages == "");
  Diagnostics diagnostics;
  const Plan plan(study, diagnostics);
  std::vector<std::vector<std::string>> points;
  for (long run = 0; run < plan.runs(); ++run) points.push_back(plan.values(run));
  return points;
}

const std::string kHead = "study: S\nmodel_file: m.yaml\nkeep: [final(x)]\n";

/// Rows of x = 2 t - 1, b = x > 0 and the vector (t, -t) on [0, 2], and a jump of x to 10 at 2.
ReducedRun reducedRun(const KeptValues& kept) {
  ReducedRun run(kept);
  std::vector<Column> columns;
  for (const StudyVariable& v : kept.variables()) {
    if (v.text == "v") {
      columns.push_back({v.name + "[1]", "", "", false});
      columns.push_back({v.name + "[2]", "", "", false});
    } else {
      columns.push_back({v.name, "", "", v.text == "x > 0"});
    }
  }
  run.begin(columns);
  const auto row = [&](double t, double x) {
    std::vector<double> values;
    for (const StudyVariable& v : kept.variables()) {
      if (v.text == "v") {
        values.insert(values.end(), {t, -t});
      } else {
        values.push_back(v.text == "x > 0" ? (x > 0 ? 1.0 : 0.0) : x);
      }
    }
    run.row(t, values);
  };
  for (const double t : {0.0, 0.5, 0.75, 1.5, 2.0}) row(t, 2 * t - 1);
  row(2, 10);
  return run;
}

std::optional<double> reduced(const std::string& expression) {
  KeptValues kept;
  Diagnostics diagnostics;
  kept.add("", expression, {"s.yaml", 4, 9}, diagnostics);
  CHECK(diagnostics.format() == "");
  const ReducedRun run = reducedRun(kept);
  return run.results({{"L", ExpressionValue(4.0)}}).at(0);
}

}  // namespace

TEST_CASE("study: ranges are the decimals that are meant, with both ends") {
  const auto points = pointsOf(kHead + "vary: {L: '0.3:0.05:1.2'}\n");
  REQUIRE(points.size() == 19);
  CHECK(points[0][0] == "0.3");
  CHECK(points[1][0] == "0.35");
  CHECK(points[17][0] == "1.15");
  CHECK(points[18][0] == "1.2");
  CHECK(pointsOf(kHead + "vary: {L: '1:-0.3:0'}\n") ==
        std::vector<std::vector<std::string>>{{"1"}, {"0.7"}, {"0.4"}, {"0.1"}});
  CHECK(pointsOf(kHead + "vary: {L: '2:4'}\n").size() == 3);
  CHECK(pointsOf(kHead + "vary:\n  d: logspace(-3, 0, 4)\n") ==
        std::vector<std::vector<std::string>>{{"0.001"}, {"0.01"}, {"0.1"}, {"1"}});
  CHECK(pointsOf(kHead + "vary:\n  d: linspace(0, 1, 3)\n") ==
        std::vector<std::vector<std::string>>{{"0"}, {"0.5"}, {"1"}});
}

TEST_CASE("study: a grid has all points, the last axis first; samples are the same at each") {
  const auto points = pointsOf(kHead +
                               "vary: {n: [[1, 0, 0], [0, 1, 0]], m: [1, 2*a]}\n"
                               "sample:\n  k: uniform(0, 1)\nruns: 3\n");
  REQUIRE(points.size() == 12);
  CHECK(points[0][0] == "[1, 0, 0]");
  CHECK(points[0][1] == "1");
  CHECK(points[3][1] == "2*a");
  CHECK(points[6][0] == "[0, 1, 0]");
  for (size_t i = 3; i < 12; ++i) CHECK(points[i][2] == points[i - 3][2]);
  CHECK(points[0][2] != points[1][2]);
}

TEST_CASE("study: a file is one by its model or its name, a model is none") {
  Diagnostics diagnostics;
  const auto isStudy = [&](const std::string& text) {
    return Study::isStudy(*parseYaml(text, "s.yaml", diagnostics));
  };
  CHECK(isStudy("study: S\n"));
  CHECK(isStudy("model_file: m.yaml\nkeep: [final(x)]\n"));
  CHECK_FALSE(isStudy("model: M\nvariables: {x: time}\n"));
}

TEST_CASE("study: all mistakes in one go, each at its place") {
  std::string messages;
  studyOf(
      "study: S\nmodel_file: m.yaml\nvari: {a: 1}\nvary: {a: '1:0:2', b: '2:1'}\n"
      "sample:\n  c: normal(1)\nmethod: soboll\nruns: 2.5\nkeep: [x, 'max(x']\n",
      messages);
  CHECK(messages ==
        "s.yaml:3:1: error: unknown key of a study: 'vari'; did you mean 'vary'? known are study, "
        "description, model_file, set, vary, list, sample, method, runs, seed, keep, trajectories, "
        "trajectory_format, "
        "simulation\n"
        "s.yaml:4:12: error: a range must have a step other than 0, found 1:0:2\n"
        "s.yaml:4:24: error: a range must lead from its first value to its last, found 2:1:1\n"
        "s.yaml:6:6: error: 'normal' takes 2 numbers, found 1; it is normal(mean, standard "
        "deviation)\n"
        "s.yaml:7:9: error: 'method' must be one of random, latin, sobol, found 'soboll'; did you "
        "mean 'sobol'?\n"
        "s.yaml:8:7: error: 'runs' must be a whole number from 1 to 1e+08, found '2.5'\n"
        "s.yaml:9:8: error: a kept value must say what of a run it is: final(x), min(x), max(x), "
        "mean(x), rms(x), at(x, time), first(condition); found 'x'\n"
        "s.yaml:9:15: error: '(' is not closed");
  studyOf("study: S\nmodel_file: m.yaml\nvary: {a: [1]}\nsample:\n  a: uniform(0, 1)\n", messages);
  CHECK(messages ==
        "s.yaml:5:3: error: parameter 'a' must not be given twice\n"
        "s.yaml:3:8: note: first given here\n"
        "s.yaml:5:3: error: samples must have a number of runs: 'runs: 1000' in the study, or -n "
        "1000");
  studyOf("study: S\nkeep: [final(x)]\n", messages);
  CHECK(messages == "s.yaml:1:1: error: a study must name its model: 'model_file: MODEL.yaml'");
}

TEST_CASE("kept values: each reduction of piecewise linear rows is exact") {
  CHECK(reduced("final(x)") == 10);
  CHECK(reduced("min(x)") == -1);
  CHECK(reduced("max(x)") == 10);
  CHECK(reduced("mean(x)") == doctest::Approx(1));                       // the jump has no duration
  CHECK(reduced("rms(x)") == doctest::Approx(std::sqrt(28.0 / 6 / 2)));  // int (2t-1)^2 = 28/6
  CHECK(reduced("at(x, 1)") == doctest::Approx(1));
  CHECK(reduced("at(x, 0.75)") == 0.5);
  CHECK(reduced("at(x, 2)") == 10);  // behind the jump
  CHECK_FALSE(reduced("at(x, 2.5)"));
  CHECK(reduced("first(x > 0)") == 0.75);
  CHECK(reduced("max(v)") == 2);
  CHECK(reduced("min(v)") == -2);
}

TEST_CASE("kept values: expressions of reductions and parameters") {
  CHECK(reduced("(max(x) - min(x))/L") == 11.0 / 4);
  CHECK(reduced("max(final(x), 20)") == 20);
  CHECK(reduced("min(max(x), mean(x)*L)") == doctest::Approx(4));
  CHECK_FALSE(reduced("1/(final(x) - 10)"));
  CHECK_FALSE(reduced("2*at(x, 7)"));
}

TEST_CASE("kept values: the event of a kept condition counts in nothing else, a jump there does") {
  // Of x = t^2, z = -(t - 1.5)^2 and y, 1 and from 1.5 on 3, the grid has 0, 1 and 2.
  const auto kept = [](bool withCondition, const std::string& changed) {
    KeptValues values;
    Diagnostics diagnostics;
    for (const char* text : {"mean(x)", "rms(x)", "at(x, 1.4)", "max(z)", "mean(y)"})
      values.add("", text, {}, diagnostics);
    if (withCondition) values.add("", "first(x > 2.25)", {}, diagnostics);
    CHECK(diagnostics.format() == "");
    ReducedRun run(values);
    std::vector<Column> columns;
    for (const StudyVariable& v : values.variables()) columns.push_back({v.name, "", "", false});
    run.begin(columns);
    const auto row = [&](double t, bool behind) {
      std::vector<double> all;
      for (const StudyVariable& v : values.variables())
        all.push_back(v.text == "x"   ? t * t
                      : v.text == "z" ? -(t - 1.5) * (t - 1.5)
                      : v.text == "y" ? (behind ? 3 : 1)
                                      : double(behind));
      run.row(t, all);
    };
    row(0, false);
    row(1, false);
    row(1.5, false);
    if (!changed.empty()) run.event({changed});
    row(1.5, true);
    row(2, true);
    return run.results({});
  };
  const auto own = kept(true, "x > 2.25"), model = kept(true, "z > 1");
  CHECK(own[0] == doctest::Approx(1.5));
  CHECK(own[1] == doctest::Approx(std::sqrt((1.0 / 3 + (1.0 + 4 + 16) / 3) / 2)));
  CHECK(own[2] == doctest::Approx(1 + 0.4 * 3));
  CHECK(own[3] == -0.25);
  CHECK(own[4] == doctest::Approx((1.5 + 0.5 * 3) / 2));
  CHECK(own[5] == 1.5);
  // An event of the model is a row like others.
  CHECK(model[0] == doctest::Approx((0.5 + 0.5 * (1 + 2.25) / 2 + 0.5 * (2.25 + 4) / 2) / 2));
  CHECK(model[3] == 0);
  CHECK(model[2] == doctest::Approx(1 + 0.4 * 2.5));
}

TEST_CASE("kept values: vectors have an element a column") {
  KeptValues kept;
  Diagnostics diagnostics;
  kept.add("tip", "final(v)", {"s.yaml", 4, 9}, diagnostics);
  kept.add("", "max(v)", {"s.yaml", 5, 9}, diagnostics);
  const ReducedRun run = reducedRun(kept);
  CHECK(run.names() == std::vector<std::string>{"tip[1]", "tip[2]", "max(v)"});
  CHECK(kept.variables().size() == 1);
  const auto results = run.results({});
  CHECK(results[0] == 2);
  CHECK(results[1] == -2);
}

TEST_CASE("kept values: what the columns show to be wrong is said at its place") {
  KeptValues kept;
  Diagnostics diagnostics;
  kept.add("a", "first(x)", {"s.yaml", 4, 9}, diagnostics);
  kept.add("b", "2*final(v)", {"s.yaml", 5, 9}, diagnostics);
  kept.add("c", "final(x)/LL", {"s.yaml", 6, 9}, diagnostics);
  kept.add("c", "final(x)", {"s.yaml", 7, 9}, diagnostics);
  CHECK(diagnostics.format() ==
        "s.yaml:7:9: error: kept value 'c' is given twice\ns.yaml:6:9: note: first given here");
  Diagnostics found;
  reducedRun(kept).check(
      {{"L", ExpressionValue(1.0)}}, [](const std::string&) { return ""; }, found);
  CHECK(
      found.format() ==
      "s.yaml:4:9: error: 'first' must have a condition, as in first(revolute1.phi > 1), found "
      "'first(x)'\n"
      "s.yaml:5:9: error: inside an expression a reduction must be of a scalar, found a vector of "
      "2 in '2*final(v)'; index it, as in x[1]\n"
      "s.yaml:6:18: error: 'LL' is no parameter of the model; outside of reductions there are "
      "parameters only; did you mean 'L'?");
}

TEST_CASE("CSV: what is written is read back") {
  for (const std::string text : {"plain", "a,b", "say \"so\"", "", "[1, 2]"}) {
    const auto fields = splitCsvLine("1," + csvText(text) + "," + csvValue(text) + ",");
    REQUIRE(fields);
    CHECK(*fields == std::vector<std::string>{"1", text, text, ""});
  }
  CHECK_FALSE(splitCsvLine("1,\"open"));
}
