// Ranges of numbers with their ends, and names that a class does not see.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/modelica/import.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

std::string modelFileOf(const std::string& text, const std::string& name, std::string* said) {
  modelica::ImportOptions options;
  options.readsModelicaPath = false;
  options.className = name;
  Diagnostics diagnostics;
  const auto model = modelica::importText(catalogue(), text, "m.mo", options, diagnostics);
  if (said) *said = diagnostics.format();
  return model ? model->text() : "";
}

/// x(1) of a model with der(x) = `rate`, below the declarations.
double afterOneSecond(const std::string& declarations, const std::string& rate) {
  std::string said;
  const std::string file = modelFileOf("model M\n" + declarations +
                                           "\n  Real x(start = 0, fixed = true);\nequation\n"
                                           "  der(x) = " +
                                           rate + ";\nend M;\n",
                                       "M", &said);
  REQUIRE_MESSAGE(!file.empty(), said);
  Simulation s = Simulation::fromText(catalogue(), file);
  Trajectory t;
  s.run(t, {.stopTime = 1, .outputs = {"x"}});
  return t["x"].back();
}

constexpr double kRun = 1e-6;  // of a constant rate over one second: far above rounding

}  // namespace

TEST_CASE("Modelica: a range has its end where the steps lead to it, and none beyond") {
  struct Range {
    const char* text;
    std::vector<double> values;
  };
  // Multiples of 0.1 are not exact: 0.3/0.1 is below 3, and still the fourth number is there.
  const Range ranges[] = {
      {"0:0.1:0.3", {0, 0.1, 0.2, 0.3}},
      {"0:0.1:0.7", {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}},
      {"0.7:0.1:1.2", {0.7, 0.8, 0.9, 1.0, 1.1, 1.2}},
      {"1:-0.3:0.1", {1, 0.7, 0.4, 0.1}},
      {"1:-0.3:0.2", {1, 0.7, 0.4}},
      {"0.2:2.4", {0.2, 1.2, 2.2}},
      {"2:3:11", {2, 5, 8, 11}},
      {"2:3:10", {2, 5, 8}},
      {"5:-2:0", {5, 3, 1}},
      {"3:3", {3}},
      {"3:2", {}},
      {"1.5:0.25:1.2", {}},
  };
  for (const Range& r : ranges) {
    CAPTURE(r.text);
    double sum = 0, squares = 0;
    for (const double v : r.values) {
      sum += v;
      squares += v * v;
    }
    const auto n = static_cast<double>(r.values.size());
    CHECK(afterOneSecond("", fmt::format("size({}, 1)", r.text)) ==
          doctest::Approx(n).epsilon(kRun));
    CHECK(afterOneSecond("", fmt::format("sum(i for i in {})", r.text)) ==
          doctest::Approx(sum).epsilon(kRun));
    CHECK(afterOneSecond("", fmt::format("sum(i*i for i in {})", r.text)) ==
          doctest::Approx(squares).epsilon(kRun));
    if (r.values.empty()) continue;
    CHECK(afterOneSecond(fmt::format("  parameter Real v[:] = {};", r.text), "v[size(v, 1)]") ==
          doctest::Approx(r.values.back()).epsilon(kRun));
  }
}

TEST_CASE("Modelica: a range without steps, or of what is no number, is refused") {
  const auto refusal = [](const std::string& range) {
    std::string said;
    CHECK(
        modelFileOf("model M\n  parameter Real v[:] = " + range + ";\n  Real x = sum(v);\nend M;\n",
                    "M", &said)
            .empty());
    return said;
  };
  CHECK(refusal("1:0:2").find("m.mo:2:25: error: a range must be between numbers") == 0);
  CHECK(refusal("false:2").find("error: a range must be between numbers") != std::string::npos);
  CHECK(refusal("1:0.000001:3").find("error: a range must not have more than a million elements") !=
        std::string::npos);
}

TEST_CASE("Modelica: an encapsulated package sees its own names and what it imports, no other") {
  const auto said = [](const std::string& rate, const std::string& import = "",
                       const std::string& word = "encapsulated ") {
    std::string messages;
    modelFileOf(
        "package P\n  constant Real outside = 3;\n  model Sibling\n    Real y = 1;\n"
        "  end Sibling;\n  " +
            word + "package Q\n" + import +
            "    constant Real inside = 2;\n    model N\n      Real x(start = 0, fixed = true);\n"
            "    equation\n      der(x) = " +
            rate + ";\n    end N;\n  end Q;\nend P;\n",
        "P.Q.N", &messages);
    return messages;
  };
  CHECK(said("inside").empty());
  CHECK(said("outside").find("error: unknown name 'outside'") != std::string::npos);
  CHECK(said("outside + inside", "", "").empty());
  CHECK(said("inside + P.outside", "    import P;\n").empty());
  CHECK(said("inside + outside", "    import P.outside;\n").empty());
  CHECK(said("inside + o", "    import o = P.outside;\n").empty());
}
