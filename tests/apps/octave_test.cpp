// Margins and gains against those of Octave's package control, where it is installed.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "engine/control/margins.h"
#include "tests/apps/process.h"
#include "tests/engine/control/linear_systems.h"

using namespace cardan;
using test::Folder;

namespace {

constexpr double kRoots = 1e-5;  // Octave's margins are roots of polynomials of up to twelfth order

/// The numbers that a script for Octave prints; none where it or its package control is not there.
std::vector<double> octave(const Folder& folder, const std::string& script) {
  folder.write("script.m", "pkg load control\n" + script);
  const test::Process p = test::shell(folder, "octave-cli --norc --no-gui script.m");
  std::istringstream lines(p.out);
  std::vector<double> numbers;
  for (std::string word; lines >> word;) numbers.push_back(std::strtod(word.c_str(), nullptr));
  return numbers;
}

bool hasOctave(const Folder& folder) {
  if (!octave(folder, "printf('%g', dcgain(tf(1, 1)))\n").empty()) return true;
  MESSAGE("TEST SKIPPED: no Octave with its package control (Debian's octave-control)");
  return false;
}

std::string matrixText(const Eigen::MatrixXd& M) {
  std::string text;
  for (const auto& row : M.rowwise()) text += fmt::format("{:.17g};", fmt::join(row, ","));
  return "[" + text + "]";
}

/// One of `all` has this frequency and size.
bool holds(const std::vector<Margin>& all, double w, double size) {
  return std::ranges::any_of(all, [&](const Margin& m) {
    return std::abs(m.w - w) < kRoots * w &&
           std::abs(m.size - size) < kRoots * (1 + std::abs(size));
  });
}

}  // namespace

TEST_CASE("Margins: Octave's are among them, of 40 random systems") {
  const Folder folder;
  if (!hasOctave(folder)) return;
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<LinearModel> systems;
  std::string script;
  for (int i = 0; i < 40; ++i) {
    const int n = 2 + i % 4;
    Eigen::MatrixXd A(n, n), B(n, 1), C(1, n);
    for (Eigen::MatrixXd* M : {&A, &B, &C}) {
      for (double& x : M->reshaped()) x = normal(random);
    }
    A -= (0.1 + A.norm()) * Eigen::MatrixXd::Identity(n, n);
    systems.push_back(plants::linearModel(A, B, 30 * C));
    script += fmt::format(
        "[g, p, wg, wp] = margin(ss({}, {}, {}, 0));\nprintf('%.17g %.17g %.17g %.17g\\n', g, p, "
        "wg, "
        "wp)\n",
        matrixText(A), matrixText(B), matrixText(30 * C));
  }
  const std::vector<double> found = octave(folder, script);
  REQUIRE(found.size() == 4 * systems.size());
  int gains = 0, phases = 0;
  for (size_t i = 0; i < systems.size(); ++i) {
    CAPTURE(i);
    const Margins ours = Margins::of(systems[i], 0, 0);
    const double *theirs = &found[4 * i], wg = theirs[2], wp = theirs[3];
    // At rest and without end Octave looks for none.
    if (std::isfinite(theirs[0]) && wg > 0) {
      CHECK(holds(ours.gain, wg, theirs[0]));
      ++gains;
    }
    if (std::isfinite(theirs[1]) && wp > 0) {
      double phase = theirs[1] * std::numbers::pi / 180;  // up to a turn
      phase -= 2 * std::numbers::pi * std::round(phase / (2 * std::numbers::pi));
      CHECK(holds(ours.phase, wp, phase));
      ++phases;
    }
  }
  CHECK(gains >= 5);
  CHECK(phases >= 20);
}

TEST_CASE("cardan lqr: gains of a cart-pole, a bicycle and an arm are Octave's") {
  const Folder folder;
  if (!hasOctave(folder)) return;
  folder.write("cart_pole.yaml", R"(
model: CartPole
inputs: {u: 0}
components:
  track: {type: Prismatic, useAxisFlange: true, s: {fixed: true}, v: {fixed: true}}
  motor: {type: Translational.Force, f: u}
  cart: {type: Body, m: 1}
  pivot: {type: Revolute, phi: {fixed: true}, w: {fixed: true}}
  pole: {type: BodyBox, r: [0, 0.5, 0], width: 0.03, density: 1000}
connections: [[world.frame_b, track.frame_a], [motor.flange, track.axis], [track.frame_b, cart.frame_a],
              [cart.frame_a, pivot.frame_a], [pivot.frame_b, pole.frame_a]]
outputs: [pivot.phi]
)");
  folder.write("bicycle.yaml", "extends: " CARDAN_SOURCE_DIR
                               "/models/vehicles/bicycle.yaml\n"
                               R"(
inputs: {tau: 0}
set: {push: 0, v: 4}
components:
  steering: {useAxisFlange: true}
  hands: {type: Rotational.Torque, tau: tau}
connections: [[hands.flange, steering.axis]]
outputs: [steer]
)");
  std::string arm = "extends: " CARDAN_SOURCE_DIR
                    "/models/robots/arm6.yaml\ninputs: {tau: {size: 6}}\nset: {d: 0.5}\n",
              motors = "components:\n", joined = "connections:\n", six;
  for (int i = 1; i <= 6; ++i) {
    motors += fmt::format("  m{0}: {{type: Rotational.Torque, tau: \"tau[{0}]\"}}\n", i);
    joined += fmt::format("  - [m{0}.flange, r{0}.axis]\n", i);
    six += fmt::format(" -u 'tau[{}]'", i);
  }
  folder.write("arm.yaml", arm + motors + joined + "outputs: [r1.phi]\n");
  const struct {
    std::string model, inputs, more;
  } cases[] = {{"cart_pole", " -u u", ""},
               {"bicycle", " -u tau",
                " --leave 'free.r_rel_a*;free.v_rel_a*;rearHub.*;frontHub.*;free.phi[3]'"},
               {"arm", six, " --at-equilibrium"}};
  for (const auto& c : cases) {
    CAPTURE(c.model);
    const test::Process p = test::runCardan(folder, "lqr " + c.model + ".yaml" + c.inputs + c.more +
                                                        " -Q '**=2' -R '**=0.3' -o gains.json");
    CAPTURE(p.err);
    CAPTURE(p.out);
    REQUIRE(p.code == 0);
    const auto gains = nlohmann::json::parse(folder.read("gains.json"));
    const auto place = c.more.find("equilibrium") == std::string::npos ? "" : c.more;
    REQUIRE(test::runCardan(folder,
                            "linearize " + c.model + ".yaml" + c.inputs + place + " -o all.json -q")
                .code == 0);
    const auto all = nlohmann::json::parse(folder.read("all.json"));
    // Of all states those that are not left.
    std::vector<size_t> kept;
    for (const auto& x : gains["states"]) {
      const auto& states = all["states"];
      kept.push_back(std::ranges::find(states, x["name"], [](const auto& s) { return s["name"]; }) -
                     states.begin());
    }
    const auto n = std::ssize(kept), m = std::ssize(gains["inputs"]);
    Eigen::MatrixXd A(n, n), B(n, m), K(m, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) A(i, j) = all["A"][kept[i]][kept[j]];
      for (Eigen::Index j = 0; j < m; ++j) B(i, j) = all["B"][kept[i]][j];
      for (Eigen::Index j = 0; j < m; ++j) K(j, i) = gains["K"][j][i];
    }
    const std::vector<double> theirs = octave(
        folder, fmt::format("K = lqr({}, {}, 2*eye({}), 0.3*eye({}));\nprintf('%.17g ', K')\n",
                            matrixText(A), matrixText(B), n, m));
    REQUIRE(std::ssize(theirs) == n * m);
    const double largest = K.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < n * m; ++i)
      CHECK(std::abs(theirs[i] - K(i / n, i % n)) < 1e-9 * largest);
  }
}
