// Loops that move although they have too few freedoms by count: which of their dependent closure rows
// are kept follows the motion, so that full turns are as exact as the tolerance, wherever they are cut.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/equations/equations.h"
#include "engine/equations/model.h"
#include "engine/saved_state.h"
#include "engine/simulation_parts.h"
#include "tests/models/model_run.h"

using namespace cardan;

namespace {

struct Link {
  double a;      ///< [m]    from an axis to the next
  double alpha;  ///< [deg]  between them
  double d;      ///< [m]    along the next
};
/// Revolute joints in a ring of such links, of which the last is fixed.
struct Linkage {
  std::string name;
  std::vector<Link> links;
  std::vector<double> phi;  ///< [rad]  where the ring closes
  double w;                 ///< [rad/s]  of the first joint at the start
};

std::string modelOf(const Linkage& l, int cut = -1) {
  const int n = std::ssize(l.links);
  std::string components, connections, end = "world.frame_b";
  for (int i = 0; i < n; ++i) {
    const std::string w =
        i == 0 ? fmt::format(", fixed: true}}, w: {{start: {}, fixed: true", l.w) : "";
    components += fmt::format(
        "  j{0}: {{type: Revolute, phi: {{start: {1:.17g}{2}}}{3}}}\n"
        "  l{0}: {{type: FixedRotation, r: [{4:.17g}, 0, {5}], n: [1, 0, 0], angle: {6}}}\n",
        i, l.phi[i], w, i == cut ? ", cut: true" : "", l.links[i].a, l.links[i].d,
        l.links[i].alpha);
    connections +=
        fmt::format("  - [{0}, j{1}.frame_a]\n  - [j{1}.frame_b, l{1}.frame_a]\n", end, i);
    end = fmt::format("l{}.frame_b", i);
    if (i + 1 == n) break;
    components += fmt::format(
        "  b{}: {{type: Body, m: {}, r_CM: [{:.17g}, 0.1, 0.05], I_11: 0.02, I_22: 0.1, I_33: "
        "0.1}}\n",
        i, i + 1, l.links[i].a / 2);
    connections += fmt::format("  - [j{0}.frame_b, b{0}.frame_a]\n", i);
  }
  return "world: {g: 9.81, n: [0, -1, 0]}\ncomponents:\n" + components + "connections:\n" +
         connections + "  - [" + end + ", world.frame_b]\nsimulation: {stop: 5, interval: 0.05}\n" +
         "outputs: [\"j*.phi\", totalEnergy, kineticEnergy]\n";
}

// sin(alpha)/a is the same of all links.
const double kB40 = std::sin(70 * M_PI / 180) / std::sin(40 * M_PI / 180);
const double kC40 = std::sin(55 * M_PI / 180) / std::sin(40 * M_PI / 180);
const double kB35 = std::sin(150 * M_PI / 180) / std::sin(35 * M_PI / 180);

const Linkage kBennett{"Bennett, 40 and 70 degrees",
                       {{1, 40, 0}, {kB40, 70, 0}, {1, 40, 0}, {kB40, 70, 0}},
                       {1, 2.7997419771138112, -1, -2.7997419771138112},
                       2};
const Linkage kSkewBennett{"Bennett, 35 and 150 degrees",
                           {{1, 35, 0}, {kB35, 150, 0}, {1, 35, 0}, {kB35, 150, 0}},
                           {1, 2.277358652738548, -1, -2.277358652738548},
                           6};
/// Two of Bennett's with a common link, which is taken out.
const Linkage kGoldberg{
    "Goldberg, five joints",
    {{kB40 + kC40, 125, 0}, {1, 40, 0}, {kC40, 55, 0}, {kB40, 70, 0}, {1, 40, 0}},
    {1, 3.0804947172823436, 0.34185067647598233, -0.93890206369255, 2.7997419771138112},
    4};
const Linkage kLineSymmetric{
    "Bricard, with an axis of symmetry",
    {{1, 60, 0.1},
     {0.8, 80, -0.2},
     {1.2, 50, 0.15},
     {1, 60, 0.1},
     {0.8, 80, -0.2},
     {1.2, 50, 0.15}},
    {0.4, -0.30159901522769417, 3.0306743780152576, 0.4, -0.30159901522769417, 3.0306743780152576},
    4};
const Linkage kTrihedral{
    "Bricard, of right angles",
    {{1, 90, 0}, {1, -90, 0}, {1, 90, 0}, {1, -90, 0}, {1, 90, 0}, {1, -90, 0}},
    {1, -1.9291968038152065, 1, -1.9291968038152065, 1, -1.9291968038152065},
    4};
/// Three pairs of links, each of one length and of opposite angles.
const Linkage kWohlhart{
    "Wohlhart, six joints",
    {{1, 60, 0}, {0.8, 80, 0.1}, {0.8, -80, 0}, {1.2, 50, -0.25}, {1.2, -50, 0}, {1, -60, 0.15}},
    {0.9, 1.4693543919344414, -0.6306112150866672, 2.540529864574461, -1.220373384456416,
     2.5012849249321913},
    4};

std::vector<Linkage> all() {
  return {kBennett, kSkewBennett, kGoldberg, kLineSymmetric, kTrihedral, kWohlhart};
}

test::ModelRun runOverconstrainedLoops(const std::string& model, IntegratorChoice method,
                                       double tolerance) {
  RunOptions options;
  options.integrator = method;
  options.tolerance = tolerance;
  return test::runModel(model, options);
}

/// What the energy misses by, relative to the most that moves.
double energyError(const test::ModelRun& r) {
  const std::vector<double>&total = r["totalEnergy"], &kinetic = r["kineticEnergy"];
  double most = 0;
  for (const double e : total) most = std::max(most, std::abs(e - total.front()));
  return most / *std::ranges::max_element(kinetic);
}

/// [rad] that the first joint has gone through.
double way(const test::ModelRun& r) {
  const std::vector<double>& phi = r["j0.phi"];
  double sum = 0;
  for (size_t i = 1; i < phi.size(); ++i) sum += std::abs(phi[i] - phi[i - 1]);
  return sum;
}

// Some hundred steps, in each of which an error of one tolerance may go the same way.
constexpr double kSteps = 2000;

}  // namespace

TEST_CASE(
    "overconstrained loops: the energy is kept over full turns, better at a tighter tolerance") {
  for (const Linkage& l : all()) {
    CAPTURE(l.name);
    for (const auto method : {IntegratorChoice::ida, IntegratorChoice::explicitMethod}) {
      CAPTURE(word(method));
      const test::ModelRun loose = runOverconstrainedLoops(modelOf(l), method, 1e-6),
                           tight = runOverconstrainedLoops(modelOf(l), method, 1e-9);
      CHECK(way(tight) > 2 * M_PI);
      CHECK(energyError(loose) < kSteps * 1e-6);
      CHECK(energyError(tight) < kSteps * 1e-9);
      CHECK(energyError(tight) < 0.1 * energyError(loose));
    }
  }
}

TEST_CASE("overconstrained loops: so it is wherever they are cut") {
  for (const Linkage& l : all()) {
    CAPTURE(l.name);
    const double phi =
        runOverconstrainedLoops(modelOf(l), IntegratorChoice::explicitMethod, 1e-11).last("j0.phi");
    for (int cut = 0; cut < std::ssize(l.links); ++cut) {
      CAPTURE(cut);
      const test::ModelRun r =
          runOverconstrainedLoops(modelOf(l, cut), IntegratorChoice::ida, 1e-8);
      CHECK(energyError(r) < kSteps * 1e-8);
      CHECK(std::abs(r.last("j0.phi") - phi) < kSteps * 1e-8 * way(r));
    }
  }
}

TEST_CASE("overconstrained loops: Bennett's linkage is where the equation of its energy has it") {
  // phi(5 s) of der(phi) = sqrt(2 (E - V(phi))/M(phi)), integrated by itself, with
  // tan(phi_0/2) tan(phi_1/2) = K and opposite angles equal and opposite.
  const std::pair<Linkage, double> cases[] = {{kBennett, 12.64219870895},
                                              {kSkewBennett, 34.75974323407}};
  for (const auto& [l, phi] : cases) {
    CAPTURE(l.name);
    const double K = std::tan(l.phi[0] / 2) * std::tan(l.phi[1] / 2);
    for (const auto method : {IntegratorChoice::ida, IntegratorChoice::explicitMethod}) {
      CAPTURE(word(method));
      const test::ModelRun r = runOverconstrainedLoops(modelOf(l), method, 1e-10);
      CHECK(std::abs(r.last("j0.phi") - phi) < kSteps * 1e-10 * phi);
      for (size_t i = 0; i < r["j0.phi"].size(); ++i) {
        const double a = r["j0.phi"][i] / 2, b = r["j1.phi"][i] / 2;
        CHECK(std::abs(std::sin(a) * std::sin(b) - K * std::cos(a) * std::cos(b)) < 1e-10);
      }
    }
  }
}

TEST_CASE("overconstrained loops: a saved run goes on with its rows, bit for bit") {
  for (const auto method : {IntegratorChoice::ida, IntegratorChoice::explicitMethod}) {
    CAPTURE(word(method));
    RunOptions options;
    options.integrator = method;
    Simulation one = Simulation::fromText(catalogue(), modelOf(kBennett));
    Simulation other = Simulation::fromText(catalogue(), modelOf(kBennett));
    one.start(options);
    other.start(options);
    for (const double t : {1.0, 1.35, 2.0, 3.1}) {
      one.advance(t);
      other.restore(one.save());
      CHECK(other.parts().equations->state.redundant == one.parts().equations->state.redundant);
      one.advance(t + 0.3);
      other.advance(t + 0.3);
      CHECK(one.y() == other.y());
    }
  }
}

TEST_CASE("overconstrained loops: Sarrus' platform falls through its plane and rises again") {
  // Two pairs of rods of 1 m between base and platform, in planes across each other, from phi = 0.6:
  // the platform stays level, at the height 2 cos(phi). Massless rods, platform m: free fall would be
  // m z'' = -m g; all energy is the platform's, m z'^2/2 + m g z.
  const auto model = [](int cut) {
    std::string text = R"yaml(
world: {g: 9.81, n: [0, 0, -1]}
components:
  baseA: {type: FixedTranslation, r: [0, -0.5, 0]}
  baseB: {type: FixedTranslation, r: [-0.5, 0, 0]}
  a1: {type: Revolute, n: [1, 0, 0], phi: {start: 0.6, fixed: true}, w: {fixed: true}}
  a2: {type: Revolute, n: [1, 0, 0], phi: {start: -1.2}}
  a3: {type: Revolute, n: [1, 0, 0], phi: {start: 0.6}}
  b1: {type: Revolute, n: [0, 1, 0], phi: {start: 0.6}}
  b2: {type: Revolute, n: [0, 1, 0], phi: {start: -1.2}}
  b3: {type: Revolute, n: [0, 1, 0], phi: {start: 0.6}}
  rodA: {type: FixedTranslation, r: [0, 0, 1]}
  topA: {type: FixedTranslation, r: [0, 0, 1]}
  rodB: {type: FixedTranslation, r: [0, 0, 1]}
  topB: {type: FixedTranslation, r: [0, 0, 1]}
  toA: {type: FixedTranslation, r: [0, 0.5, 0]}
  toB: {type: FixedTranslation, r: [0.5, 0, 0]}
  platform: {type: Body, m: 2, r_CM: [0, 0, 0], I_11: 0.2, I_22: 0.2, I_33: 0.3}
  light1: {type: PointMass, m: 0.1}
  light2: {type: PointMass, m: 0.1}
connections:
  - [world.frame_b, baseA.frame_a]
  - [world.frame_b, baseB.frame_a]
  - [baseA.frame_b, a1.frame_a]
  - [a1.frame_b, rodA.frame_a]
  - [rodA.frame_b, a2.frame_a]
  - [rodA.frame_b, light1.frame_a]
  - [a2.frame_b, topA.frame_a]
  - [topA.frame_b, a3.frame_a]
  - [a3.frame_b, toA.frame_a]
  - [toA.frame_b, platform.frame_a]
  - [baseB.frame_b, b1.frame_a]
  - [b1.frame_b, rodB.frame_a]
  - [rodB.frame_b, b2.frame_a]
  - [rodB.frame_b, light2.frame_a]
  - [b2.frame_b, topB.frame_a]
  - [topB.frame_b, b3.frame_a]
  - [b3.frame_b, toB.frame_a]
  - [toB.frame_b, platform.frame_a]
simulation: {stop: 3, interval: 0.02}
outputs: ["a1.phi", "platform.frame_a.r_0", totalEnergy, kineticEnergy]
)yaml";
    const char* joints[] = {"a1", "a2", "a3", "b1", "b2", "b3"};
    const std::string joint = std::string("  ") + joints[cut] + ": {type: Revolute";
    return text.replace(text.find(joint), joint.size(), joint + ", cut: true");
  };
  for (int cut = 0; cut < 6; ++cut) {
    CAPTURE(cut);
    const auto method = cut % 2 == 0 ? IntegratorChoice::ida : IntegratorChoice::explicitMethod;
    // Explicit steps are ten times as long: one may end beside the plane, where all rows together lose
    // rank, and what it misses them by becomes some 1e4 times as much of velocity.
    const double tolerance = method == IntegratorChoice::ida ? 1e-9 : 1e-8;
    const test::ModelRun r = runOverconstrainedLoops(model(cut), method, tolerance);
    CHECK(energyError(r) < kSteps * tolerance);
    double lowest = 1;
    for (size_t i = 0; i < r.rows.time().size(); ++i) {
      const double z = r["platform.frame_a.r_0[3]"][i];
      CHECK(std::abs(z - 2 * std::cos(r["a1.phi"][i])) < 1e-9);
      CHECK(std::abs(r["platform.frame_a.r_0[1]"][i]) < 1e-9);
      lowest = std::min(lowest, z);
    }
    CHECK(lowest < -1.6);  // 2 cos(pi - 0.6) = -1.65
  }
}
