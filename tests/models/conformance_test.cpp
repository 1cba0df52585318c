/// The public conformance suite, where it lies beside the project: our trajectories inside the
/// tubes (which are those of the suite's own judge: judge_agreement_test.cpp).
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/folder.h"

namespace {

namespace fs = std::filesystem;

const fs::path kConformanceSuite = fs::path(CARDAN_SOURCE_DIR) / ".." / "shared" / "conformance";

/// Models that do not pass yet, or cannot, and why.
const std::set<std::string> kExceptions = {
    // Passes at its own tolerance of 1e-6 only: the reference is off its closed form (an undamped
    // oscillation of 141 rad/s
    // over 155 rad) by 1 % of the range, ours at 1e-9 by 1e-6.
    "ModelicaTest.MultiBody.InitializationConversion.Rotor1D",
    // Chaotic: the error of the reference, which was made at 1e-6, grows to 4.4e-3 of the range at
    // 0.3 s, the last compared moment; ours at 1e-9 is there within 6e-5 of ours at 1e-11.
    "ModelicaTest.MultiBody.Parts.Rotor1D.GearConstraint3",
};

/// Models with loops whose parts are all in the catalogue.
const std::set<std::string> kLoops = {
    "Modelica.Mechanics.MultiBody.Examples.Constraints.PrismaticConstraint",
    "Modelica.Mechanics.MultiBody.Examples.Constraints.RevoluteConstraint",
    "Modelica.Mechanics.MultiBody.Examples.Constraints.SphericalConstraint",
    "Modelica.Mechanics.MultiBody.Examples.Constraints.UniversalConstraint",
    "Modelica.Mechanics.MultiBody.Examples.Elementary.LineForceWithTwoMasses",
    "Modelica.Mechanics.MultiBody.Examples.Elementary.RollingWheel",
    "Modelica.Mechanics.MultiBody.Examples.Elementary.RollingWheelSetDriving",
    "Modelica.Mechanics.MultiBody.Examples.Elementary.RollingWheelSetPulling",
    "Modelica.Mechanics.MultiBody.Examples.Loops.Engine1a",
    "Modelica.Mechanics.MultiBody.Examples.Loops.Engine1b_analytic",
    "Modelica.Mechanics.MultiBody.Examples.Loops.EngineV6_analytic",
    "Modelica.Mechanics.MultiBody.Examples.Loops.Fourbar1",
    "Modelica.Mechanics.MultiBody.Examples.Loops.Fourbar_analytic",
    "Modelica.Mechanics.MultiBody.Examples.Loops.PlanarFourbar",
    "Modelica.Mechanics.MultiBody.Examples.Loops.PlanarLoops_analytic",
    "Modelica.Mechanics.MultiBody.Examples.Rotational3DEffects.GearConstraint",
    "ModelicaTest.MultiBody.Forces.EngineGasForce",
    "ModelicaTest.MultiBody.Forces.ForceWithTwoMasses2",
    "ModelicaTest.MultiBody.Forces.LineForceWithMass",
    "ModelicaTest.MultiBody.Forces.LineForceWithTwoMasses",
    "ModelicaTest.MultiBody.FourbarVariants.JointSSR",
    "ModelicaTest.MultiBody.FourbarVariants.JointUSR",
    "ModelicaTest.MultiBody.FourbarVariants.UniversalSpherical",
    "ModelicaTest.MultiBody.Joints.GearConstraint",
    "ModelicaTest.MultiBody.Joints.JointSSR",
    "ModelicaTest.MultiBody.Joints.JointUSP",
    "ModelicaTest.MultiBody.Joints.JointUSR",
    "ModelicaTest.MultiBody.Joints.RevolutePlanarLoopConstraint",
    "ModelicaTest.MultiBody.Joints.SphericalSpherical",
    "ModelicaTest.MultiBody.Parts.Rotor1D.Bevel1D",
    "ModelicaTest.MultiBody.Parts.Rotor1D.GearConstraint2",
    "ModelicaTest.MultiBody.Parts.Rotor1D.GearConstraint4",
    "ModelicaTest.MultiBody.PlanarLoopWithMove",
};

struct ConformanceCase {
  std::string name, until;
  double tolerance;
};

/// Cells of a line; a cell may hold commas in quotes.
std::vector<std::string> cellsOf(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

/// Rows of corpus.csv that need `mark`.
std::vector<ConformanceCase> casesMarked(const std::string& mark) {
  std::vector<ConformanceCase> cases;
  std::ifstream corpus(kConformanceSuite / "corpus.csv");
  std::string line;
  REQUIRE(std::getline(corpus, line));
  const std::vector<std::string> names = cellsOf(line);
  const auto column = [&](const std::string& name) {
    const auto i = std::ranges::find(names, name);
    REQUIRE_MESSAGE(i != names.end(), "corpus.csv has no column '" << name << "'");
    return static_cast<size_t>(i - names.begin());
  };
  const size_t model = column("model"), until = column("compare_until"),
               tolerance = column("tolerance"), needs = column("needs");
  while (std::getline(corpus, line)) {
    const std::vector<std::string> cells = cellsOf(line);
    REQUIRE(cells.size() == names.size());
    if (cells[needs] == mark)
      cases.push_back({cells[model], cells[until], std::stod(cells[tolerance])});
  }
  return cases;
}

std::string inQuotesOfShell(const fs::path& p) { return "'" + p.string() + "'"; }

/// All models that need `mark`, or those of them that are in `only`: `count` with the exceptions.
void judge(const std::string& mark, size_t count, const std::set<std::string>& only = {}) {
  if (!fs::exists(kConformanceSuite / "corpus.csv")) {
    MESSAGE("TEST SKIPPED: the conformance suite is not beside the project");
    return;
  }
  const test::Folder folder;
  std::vector<ConformanceCase> cases = casesMarked(mark);
  if (!only.empty())
    std::erase_if(cases, [&](const ConformanceCase& c) { return !only.contains(c.name); });
  REQUIRE(cases.size() == count);
  for (const ConformanceCase& c : cases) {
    if (kExceptions.contains(c.name)) continue;
    CAPTURE(c.name);
    const fs::path result = folder / (c.name + ".csv");
    // The proof is made well inside the tubes: a tenth of the model's tolerance, or of 1e-8.
    std::ostringstream tolerance;
    tolerance << std::min(c.tolerance, 1e-8) / 10;
    const std::string run = inQuotesOfShell(CARDAN_BINARY) + " simulate " +
                            inQuotesOfShell(kConformanceSuite / "models" / (c.name + ".yaml")) +
                            " --quiet --tolerance " + tolerance.str() + " -o " +
                            inQuotesOfShell(result);
    CHECK(std::system(run.c_str()) == 0);
    std::string compare = inQuotesOfShell(CARDAN_BINARY) + " compare -q " +
                          inQuotesOfShell(result) + " " +
                          inQuotesOfShell(kConformanceSuite / "reference" / (c.name + ".csv"));
    if (!c.until.empty()) compare += " --until " + c.until;
    CHECK(std::system(compare.c_str()) == 0);
  }
}

}  // namespace

TEST_CASE("conformance: the models of the first catalogue pass") { judge("first catalogue", 2); }
TEST_CASE("conformance: the models of trees and sensors pass") { judge("trees and sensors", 7); }
TEST_CASE("conformance: the models of forces and drives pass") { judge("forces and drives", 31); }
TEST_CASE("conformance: the models with circuits and heat pass") { judge("electrical/thermal", 5); }
TEST_CASE("conformance: the models with loops of joints, constraints and gears pass") {
  judge("loops", kLoops.size(), kLoops);
}
