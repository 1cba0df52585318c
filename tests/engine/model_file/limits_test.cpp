// What a file may ask for: beyond it there is a message, before memory or time is spent.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "engine/expression/constant_evaluation.h"
#include "engine/expression/expression.h"
#include "engine/model_file/model_file.h"
#include "engine/results/result_table.h"
#include "tests/folder.h"

using namespace cardan;

namespace {

std::string errorsOfLimits(const std::string& text) {
  Diagnostics diagnostics;
  parseModel(text, "m.yaml", {}, diagnostics);
  return diagnostics.format();
}

/// Submodels S0 ... Sn, each with `copies` of the one before.
std::string tower(int n, int copies, const std::string& lowest) {
  std::string text = "submodels:\n  S0: " + lowest + "\n";
  for (int i = 1; i <= n; ++i) {
    text += fmt::format("  S{}: {{components: {{", i);
    for (int k = 0; k < copies; ++k) text += fmt::format("c{}: {{type: S{}}}, ", k, i - 1);
    text += "}}\n";
  }
  return text + fmt::format("components: {{x: {{type: S{}}}}}\n", n);
}

constexpr const char* kTooManyValues =
    "error: a model must not have more than 3000000 values in all ranges, each counted as often "
    "as "
    "it "
    "is gone through";

/// Of a model that connects bodies b and a[1] to a[300]; n = 100000, and v has as many elements.
std::string errorsOfStatement(const std::string& connection) {
  return errorsOfLimits(
      "parameters: {n: 100000, v: 'fill(1, n)'}\n"
      "components: {a: {type: Body, count: 300}, b: {type: Body}}\nconnections:\n- {" +
      connection + "}\n");
}

}  // namespace

TEST_CASE("Limits: submodels are counted before they are written out") {
  // A tower of n levels with two of everything: 2^n bodies, in 2^(n+1) - 1 instances.
  CHECK(
      errorsOfLimits(tower(39, 2, "{components: {b: {type: Body}}}")) ==
      "m.yaml:42:14: error: a model must not have more than 1000000 components once its submodels "
      "are written out, found 1649267441663 up to 'x'");
  CHECK(errorsOfLimits(tower(10, 2, "{components: {b: {type: Body}}}")) == "");
  // 501 values in each of 2^16 instances.
  std::string table = "{parameters: {t: [0";
  for (int i = 1; i < 500; ++i) table += ", " + std::to_string(i);
  CHECK(errorsOfLimits(tower(16, 2, table + "]}}")) ==
        "m.yaml:19:14: error: a model must not have more than 30000000 values of parameters once "
        "its submodels are written out, found 32964607 up to 'x'");
}

TEST_CASE("Limits: nesting of submodels") {
  CHECK(errorsOfLimits(tower(49, 1, "{components: {b: {type: Body}}}")) == "");
  CHECK(errorsOfLimits(tower(50, 1, "{components: {b: {type: Body}}}")) ==
        "m.yaml:53:14: error: submodels must not be nested deeper than 50 levels");
  CHECK(errorsOfLimits(tower(20000, 1, "{components: {b: {type: Body}}}"))
            .ends_with("error: submodels must not be nested deeper than 50 levels"));
}

TEST_CASE("Limits: submodels that contain one another end in errors") {
  std::string text = "submodels:\n";
  for (int i = 0; i < 12; ++i) {
    text += fmt::format("  S{}: {{components: {{", i);
    for (int k = 0; k < 12; ++k) text += fmt::format("c{}: {{type: S{}}}, ", k, k);
    text += "}}\n";
  }
  const std::string errors = errorsOfLimits(text + "components: {x: {type: S0}}\n");
  CHECK(errors.find("a submodel must not contain itself: S0 -> S1 -> S0") != std::string::npos);
}

TEST_CASE("Limits: length of a name") {
  CHECK(errorsOfLimits("parameters: {" + std::string(200, 'a') + ": 1}") == "");
  CHECK(errorsOfLimits("parameters: {" + std::string(201, 'a') + ": 1}") ==
        "m.yaml:1:14: error: a parameter's name must not be longer than 200 characters, found 201");
}

TEST_CASE("Limits: nesting and number of included files") {
  const test::Folder folder;
  for (int i = 0; i < 60; ++i)
    folder.write(fmt::format("{}.yaml", i), fmt::format("include: {}.yaml\n", i + 1));
  Diagnostics diagnostics;
  loadModel(folder / "0.yaml", {}, diagnostics);
  CHECK(folder.shortened(diagnostics.format()) ==
        "50.yaml:1:10: error: includes must not be nested deeper than 50 files");
}

TEST_CASE("Limits: text that aliases repeat") {
  std::string text = "description: &a '" + std::string(1'000'000, 'x') + "'\noutputs: [*a";
  for (int i = 0; i < 60; ++i) text += ", *a";
  CHECK(errorsOfLimits(text + "]\n")
            .ends_with("error: the file must not hold more than 50 MB of text, with what its "
                       "aliases repeat"));
}

TEST_CASE("Limits: of many errors the first thousand are shown, the others counted") {
  std::string text = "outputs:\n";
  for (int i = 0; i < 1234; ++i) text += "- []\n";
  Diagnostics diagnostics;
  parseModel(text, "m.yaml", {}, diagnostics);
  CHECK(diagnostics.errorCount() == 1234);
  CHECK(diagnostics.all().size() == 1000);
  CHECK(diagnostics.format().ends_with("\nand 234 more errors"));
}

TEST_CASE("Limits: arrays of an expression and of all parameters") {
  std::string sum = "zeros(1000000)";
  for (int i = 0; i < 30; ++i) sum = "zeros(1000000) + (" + sum + ")";
  Diagnostics diagnostics;
  const auto expression = parseExpression(sum, {"m.yaml", 1, 1}, diagnostics);
  REQUIRE(expression);
  CHECK_FALSE(evaluateConstant(*expression, {}, diagnostics));
  CHECK(diagnostics.format().ends_with("arrays in 'zeros(1e+06)' are too large"));

  std::string parameters = "parameters:\n";
  for (int i = 0; i < 22; ++i) parameters += fmt::format("  p{}: zeros(1000000)\n", i);
  CHECK(errorsOfLimits(parameters)
            .starts_with("m.yaml:22:8: error: the arrays of a model's parameters must not hold "
                         "more than 20000000 "
                         "numbers in all"));
}

TEST_CASE("Limits: names that ranges stand for are counted in all loops together") {
  CHECK(errorsOfStatement("for: 'i in 1:n', connect: ['a[1:300].b[1:300].frame_a', b.frame_a]")
            .find(kTooManyValues) != std::string::npos);
}

TEST_CASE("Limits: passes of loops within each other" * doctest::test_suite("slow")) {
  for (const std::string range : {"1:n", "i:n", "v"}) {
    CAPTURE(range);
    CHECK(errorsOfStatement("for: 'i in 1:n, j in " + range +
                            "', if: false, connect: [b.frame_a, b.frame_a]")
              .find(kTooManyValues) != std::string::npos);
  }
}

TEST_CASE("Limits: what many parts have wrong is said of each, but not sought among all names") {
  const std::string unknown =
      errorsOfStatement("for: 'i in 1:n', connect: ['c[i].frame_a', b.frame_a]");
  CHECK(unknown.find("error: unknown component 'c[1]'; did you mean") != std::string::npos);
  CHECK(unknown.ends_with("and 99000 more errors"));
  const std::string wrong = errorsOfLimits(
      "submodels:\n  A: {parameters: {k: unknown}, components: {b: {type: Body, count: k}}}\n"
      "components: {a: {type: A, count: 30000}}\n");
  CHECK(wrong.find("unknown name 'unknown'") != std::string::npos);
}

TEST_CASE("Limits: columns of a result") {
  const std::string text = "time" + std::string(1'000'001, ',') + "\n";
  try {
    ResultTable::parse(text, "r.csv");
    FAIL("was read");
  } catch (const ResultFileError& e) {
    CHECK(std::string(e.what()) ==
          "r.csv:1: error: the file must not have more than 1000000 columns");
  }
}

TEST_CASE("Limits: a row with too many fields says how many") {
  try {
    ResultTable::parse("time,x\n0,1\n1,2,3,4,5\n", "r.csv");
    FAIL("was read");
  } catch (const ResultFileError& e) {
    CHECK(std::string(e.what()) ==
          "r.csv:3: error: a row must have 2 fields as the header has, found 5");
  }
}

TEST_CASE("Diagnostics: control characters of an input are spelled out") {
  Diagnostics diagnostics;
  parseModel("parameters: {a: 1}", "m.yaml", {std::string("a=\x01\x7F")}, diagnostics);
  CHECK(diagnostics.format() ==
        "--set a=\\x01\\x7F: error: the value of 'a' must be a number, a list or an expression, "
        "found "
        "'\\x01\\x7F'");
}
