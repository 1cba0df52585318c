// cardan sensitivities: columns, units, the sidecar, and what is wrong with a command line.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/results/result_table.h"
#include "tests/apps/process.h"

using test::Folder;
using test::Process;

namespace {

const std::string kPendulumModel = CARDAN_SOURCE_DIR "/models/elementary/pendulum.yaml";

}  // namespace

TEST_CASE("cardan sensitivities: results and their derivatives, with units in the sidecar") {
  const Folder folder;
  const Process p =
      test::runCardan(folder, "sensitivities " + kPendulumModel +
                                  " -p world.g -p body.m -y revolute.phi -y totalEnergy "
                                  "-o s.csv --stop-time 1 -q");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  const cardan::ResultTable rows = cardan::ResultTable::read(folder / "s.csv");
  CHECK(rows.names() ==
        std::vector<std::string>{"revolute.phi", "totalEnergy", "d(revolute.phi)/d(world.g)",
                                 "d(revolute.phi)/d(body.m)", "d(totalEnergy)/d(world.g)",
                                 "d(totalEnergy)/d(body.m)"});
  // The mass does not matter; the energy stays m g y, with y = -0.5 m.
  CHECK(std::abs(rows.find("d(revolute.phi)/d(body.m)")->back()) < 1e-7);
  CHECK(std::abs(rows.find("d(totalEnergy)/d(world.g)")->back() + 0.5) < 1e-6);
  const auto sidecar = nlohmann::json::parse(folder.read("s.meta.json"));
  CHECK(sidecar["status"]["kind"] == "completed");
  const std::string columns = sidecar["columns"].dump();
  CHECK(columns.find("rad/(m/s2)") != std::string::npos);
  CHECK(columns.find("J/kg") != std::string::npos);
}

TEST_CASE("cardan sensitivities: wrong names end with 2, all told, nothing written") {
  const Folder folder;
  const Process p = test::runCardan(
      folder, "sensitivities " + kPendulumModel + " -p l -p body.r_CM -y no.such -o s.csv");
  CHECK(p.code == 2);
  CHECK(p.err.find("'l' is no parameter of the model or of a component; did you mean 'L'?") !=
        std::string::npos);
  CHECK(p.err.find("'body.r_CM' is a vector of 3: ask for an element, as 'body.r_CM[1]'") !=
        std::string::npos);
  CHECK(p.err.find("no.such") != std::string::npos);
  CHECK(p.err.find("3 errors") != std::string::npos);
  CHECK(!std::filesystem::exists(folder / "s.csv"));
  CHECK(test::runCardan(folder, "sensitivities " + kPendulumModel).code == 2);
}

TEST_CASE(
    "cardan sensitivities: an element of a matrix is a parameter, one that it has not is none") {
  const Folder folder;
  folder.write("m.yaml",
               "parameters: {A: [[1, 2], [3, 4]]}\nvariables: {y: {start: 0, fixed: true}}\n"
               "equations: [\"der(y) = A[2,1]*time\"]\noutputs: [y]\n");
  REQUIRE(
      test::runCardan(folder, "sensitivities m.yaml -p 'A[2,1]' -p 'A[1,2]' -q -o s.csv").code ==
      0);
  const auto rows = cardan::ResultTable::read(folder / "s.csv");
  CHECK(rows.find("d(y)/d(A[2,1])")->back() == doctest::Approx(0.5).epsilon(1e-6));
  CHECK(rows.find("d(y)/d(A[1,2])")->back() == 0);
  const Process p = test::runCardan(folder, "sensitivities m.yaml -p A -p 'A[3,1]' -p 'A[2]'");
  CHECK(p.code == 2);
  CHECK(p.err.find("'A' is a matrix 2 x 2: ask for an element, as 'A[1,1]'") != std::string::npos);
  CHECK(p.err.find("'A[3,1]' has no such element") != std::string::npos);
  CHECK(p.err.find("'A[2]' has no such element") != std::string::npos);
}

TEST_CASE(
    "cardan sensitivities: a reader that has gone ends it as simulate, and all goes to a pipe") {
  const Folder folder;
  const Process p = test::shell(folder, "$cardan sensitivities '" + kPendulumModel +
                                            "' -p L -y revolute.phi --stop-time 200 "
                                            "--output-interval 1e-3 -o - -q | head -n 2 >two.txt; "
                                            "echo ${PIPESTATUS[0]} >code.txt");
  CHECK(p.err.empty());
  CHECK(folder.read("code.txt") == "141\n");
  CHECK(
      folder.read("two.txt").starts_with("\"time\",\"revolute.phi\",\"d(revolute.phi)/d(L)\"\n0,"));
}

TEST_CASE(
    "cardan sensitivities, linearize --at: a model that is stepped is told what can be done") {
  const Folder folder;
  folder.write("m.yaml",
               "extends: " + kPendulumModel + "\nsimulation: {integrator: stepping, step: 1e-3}\n");
  const Process s = test::runCardan(folder, "sensitivities m.yaml -p L -y revolute.phi -o s.csv");
  CHECK(s.code == 2);
  CHECK(
      s.err.starts_with("m.yaml:2:26: error: sensitivities need a method that finds events: "
                        "'stepping' does not"));
  CHECK(!std::filesystem::exists(folder / "s.csv"));
  for (const std::string analysis : {"linearize", "modes"}) {
    CAPTURE(analysis);
    const Process at = test::runCardan(folder, analysis + " m.yaml --at 0.5");
    CHECK(at.code == 2);
    CHECK(
        at.err.starts_with("m.yaml:2:26: error: --at needs a method that is as exact as its "
                           "tolerance on the way there: 'stepping' is not"));
  }
}
