// The worked example of engine/README.md: each of its numbers is what the engine computes.
#include <doctest/doctest.h>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/dynamics/body_accelerations.h"
#include "engine/equations/model.h"
#include "engine/integration/multibody_system.h"
#include "engine/simulation.h"
#include "engine/simulation_parts.h"
#include "tests/apps/process.h"
#include "tests/manual/markdown.h"

namespace cardan {
namespace {

std::string pageOfExample() { return test::readFile(CARDAN_SOURCE_DIR "/engine/README.md"); }

std::string modelOfExample() {
  for (const test::Block& b : test::blocksOf(pageOfExample())) {
    if (b.kind == "yaml" && b.text.find("elbow") != std::string::npos) return b.text;
  }
  return "";
}

/// The numbers of one cell.
std::vector<double> numbersIn(const std::string& cell) {
  static const std::regex number("-?[0-9]+(\\.[0-9]+)?");
  std::vector<double> all;
  for (std::sregex_iterator i(cell.begin(), cell.end(), number), end; i != end; ++i)
    all.push_back(std::stod(i->str()));
  return all;
}

/// The table as numbers, row by row: first those of the elbow, then those of the tip.
std::vector<std::vector<double>> numbersOfExample() {
  std::vector<std::vector<double>> all;
  for (const test::MarkdownTable& table : test::tablesOf(pageOfExample())) {
    if (table.header.size() != 3 || table.header[1] != "elbow, a") continue;
    for (const auto& row : table.rows) {
      std::vector<double>& numbers = all.emplace_back(numbersIn(row[1]));
      for (double x : numbersIn(row[2])) numbers.push_back(x);
    }
  }
  return all;
}

void checkRow(const std::vector<double>& shown, const std::vector<double>& computed) {
  REQUIRE(shown.size() == computed.size());
  // Half a unit of the last digit that is shown at most.
  for (size_t i = 0; i < shown.size(); ++i) CHECK(std::abs(shown[i] - computed[i]) < 5e-7);
}

}  // namespace

TEST_CASE("engine/README: the worked example's numbers are those of the engine") {
  const std::vector<std::vector<double>> shown = numbersOfExample();
  REQUIRE(shown.size() == 9);
  Simulation s = Simulation::fromText(catalogue(), modelOfExample());
  const Equations& equations = *s.parts().equations;
  const Layout& l = equations.layout();
  REQUIRE(l.size() == 4);
  s.initialise();
  const std::vector<double> y(s.y().begin(), s.y().end()), yp{1, 2, 0, 0};
  CHECK(l.unknowns[1].name == "b.phi");
  CHECK(l.unknowns[2].name == "a.w");

  Workspace<double> w = equations.makeWorkspace<double>();
  w.y = y;
  w.yp = yp;
  equations.evaluate(w, {});
  std::vector<double> r, v, a, f;
  const FlatModel& b = equations.flatModel();
  for (const char* mass : {"elbow", "tip"}) {
    for (size_t k = 1; k < b.frames.size(); ++k) {
      if (b.instances[b.frames[k].instance].name != mass) continue;
      const FrameState<double>& x = w.frames[equations.nodeOfFrame()[k]];
      for (int i = 0; i < 2; ++i) {
        r.push_back(x.r_0[i]);
        v.push_back(x.v_0[i]);
        a.push_back(x.a_0[i]);
        f.push_back(x.a_0[i] + (i == 1 ? 10 : 0));
      }
    }
  }
  checkRow(shown[0], r);
  checkRow(shown[1], v);
  checkRow(shown[2], a);
  checkRow(shown[3], f);
  checkRow(shown[4], {w.residual[2], w.residual[3]});

  // The pivots are those of M = L' D L, from the last row on.
  BodyAccelerations accelerations(equations);
  REQUIRE(accelerations.fits());
  equations.evaluate(w, {.everyFrame = false, .inertia = false});
  double columns[2][2], da[2];
  REQUIRE(accelerations.accelerations(w, w.residual.data() + 2, da));
  checkRow(shown[6], {-da[0], -da[1]});
  for (int k = 0; k < 2; ++k) {
    const double unit[2] = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0};
    accelerations.solve(unit, columns[k]);
  }
  // M^-1 has 1/D of the joint next to the world; of the last one, 1/D when the others are held.
  const double determinant = columns[0][0] * columns[1][1] - columns[0][1] * columns[1][0];
  checkRow(shown[5], {1 / columns[0][0], columns[0][0] / determinant});

  MultibodySystem& system = *s.parts().system;
  std::vector<double> F(4), x(4);
  system.residual(0, y.data(), yp.data(), F.data());
  REQUIRE(system.factor(0, 10, y.data(), yp.data()));
  system.solve(F.data(), x.data());
  checkRow(shown[7], {x[0], x[1]});
  checkRow(shown[8], {x[2], x[3]});
}

}  // namespace cardan
