// Three angles of a free orientation, near and at the place where they are singular: all tools take them for
// what they are called, wherever the run counts them from.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/analysis/equilibrium.h"
#include "engine/analysis/linear_model.h"
#include "engine/analysis/modes.h"
#include "engine/motion_point.h"
#include "engine/results/run_options.h"
#include "engine/sensitivities/sensitivities.h"
#include "engine/structure/unknowns.h"
#include "frames/rotations.h"
#include "tests/models/model_run.h"

using namespace cardan;
using test::ModelRun;
using test::runModel;

namespace {

struct Turned {
  std::array<int, 3> sequence;
  double singular;  ///< [rad]  of the second angle
};
const std::vector<Turned> kTurnedSequences{
    {{1, 2, 3}, std::numbers::pi / 2}, {{3, 1, 3}, 0}, {{2, 3, 1}, -std::numbers::pi / 2}};

/// A body on a joint, its second angle so far from the singular place.
std::string turnedModel(const Turned& turned, double off, const std::string& form,
                        const std::string& more = "", const std::string& w = "[0.5, -0.7, 0.9]") {
  return fmt::format(R"(
parameters: {{p: {}, u1: 0}}
world: {{n: [0, 0, -1]}}
components:
  j: {{type: Spherical, angles_fixed: true, angles_start: [0.3, p, 0.2], sequence_start: [{}],
      sequence_angleStates: [{}], w_rel_a_fixed: true, w_rel_a_start: {}, {}}}
  b: {{type: Body, m: 1, r_CM: [0.1, 0.2, 0.3], I_11: 0.1, I_22: 0.2, I_33: 0.25}}
connections: [[world.frame_b, j.frame_a], [j.frame_b, b.frame_a]]
simulation: {{stop: 0.6, interval: 0.1, tolerance: 1e-11}}
outputs: [j.phi, j.w_rel, b.frame_a.R.T]
{}
)",
                     turned.singular + off, fmt::join(turned.sequence, ", "),
                     fmt::join(turned.sequence, ", "), w, form, more);
}
const std::string kTurnedAngles = "useQuaternions: false";

void inTurnedPlaces(const std::function<void(const Turned&, double)>& visit) {
  for (const Turned& turned : kTurnedSequences) {
    for (const double off : {0.4, -0.17, 0.01}) {
      CAPTURE(fmt::format("{}", turned.sequence));
      CAPTURE(off);
      visit(turned, off);
    }
  }
}

}  // namespace

TEST_CASE("Named angles: reinit sets the angle that it names and leaves the others") {
  IntegratorChoice method = IntegratorChoice::ida;
  SUBCASE("ida") {}
  SUBCASE("explicit") { method = IntegratorChoice::explicitMethod; }
  inTurnedPlaces([&](const Turned& turned, double off) {
    for (int set = 0; set < 3; ++set) {
      for (const double to : {turned.singular, turned.singular + 0.9, turned.singular - 8}) {
        const ModelRun r =
            runModel(turnedModel(turned, off, kTurnedAngles,
                                 fmt::format("when: [{{condition: 'time >= 0.2', reinit: "
                                             "{{'j.phi[{}]': {}}}}}]",
                                             set + 1, to)),
                     {.integrator = method});
        for (size_t k = 1; k < r.rows.time().size(); ++k) {
          if (r.rows.time()[k] > r.rows.time()[k - 1]) continue;
          Vector3d phi;
          for (int i = 0; i < 3; ++i) phi[i] = r[fmt::format("j.phi[{}]", i + 1)][k - 1];
          phi[set] = to;
          const auto T = frames::TransformationMatrices::axesRotations(turned.sequence, phi);
          for (int i = 0; i < 3; ++i) {
            for (int m = 0; m < 3; ++m) {
              const double found = r[fmt::format("b.frame_a.R.T[{},{}]", i + 1, m + 1)][k];
              CHECK(std::abs(found - T(i, m)) < 1e-10);
            }
          }
        }
      }
    }
  });
}

TEST_CASE("Named angles: reinit with what an angle is changes nothing") {
  inTurnedPlaces([&](const Turned& turned, double off) {
    const auto run = [&](const std::string& more) {
      return runModel(turnedModel(turned, off, kTurnedAngles, more, "[3, 5, -4]"));
    };
    const ModelRun plain = run(""), set = run(
                                        "when: [{condition: 'time >= 0.25', reinit: {'j.phi[1]': "
                                        "'pre(j.phi[1])', 'j.phi[2]': 'pre(j.phi[2])'}}]");
    for (const Column& c : plain.rows.columns()) {
      // Of the angles of a pose the branch depends on how the run came there.
      if (c.name.find("phi") != std::string::npos) continue;
      CAPTURE(c.name);
      CHECK(std::abs(plain.last(c.name) - set.last(c.name)) < 1e-7);
    }
  });
}

TEST_CASE("Named angles: a state of a linear model is the variable of its name") {
  inTurnedPlaces([&](const Turned& turned, double off) {
    for (const double at : {0.0, 0.6}) {
      Simulation s =
          Simulation::fromText(catalogue(), turnedModel(turned, off, kTurnedAngles), "model.yaml");
      s.start({.stopTime = 1});
      if (at > 0) s.advance(at);
      std::vector<double> phi;
      for (int i = 1; i <= 3; ++i) phi.push_back(s.value(s.variable(fmt::format("j.phi[{}]", i))));
      const LinearModel m =
          linearise(s, standingPoint(s, at), {.outputs = {{"j.phi", {}}, {"j.phi_d", {}}}});
      REQUIRE(m.states.size() == 6);
      REQUIRE(m.elsewhere.empty());
      for (int i = 0; i < 3; ++i) {
        REQUIRE(m.states[i].name == m.outputs[i].name);
        CHECK(std::abs(m.states[i].value - phi[i]) < 1e-12);
        for (int k = 0; k < 6; ++k) {
          const double size = m.A.row(i).cwiseAbs().maxCoeff();
          CHECK(std::abs(m.C(i, k) - (i == k ? 1 : 0)) < 1e-10 * size);
          CHECK(std::abs(m.C(i + 3, k) - m.A(i, k)) < 1e-10 * size * size);
        }
      }
    }
  });
}

TEST_CASE(
    "Named angles: at the singular place modes are those of quaternions, and states are said "
    "to be others") {
  for (const Turned& turned : kTurnedSequences) {
    const auto of = [&](const std::string& form) {
      Simulation s = Simulation::fromText(
          catalogue(), turnedModel(turned, 0, form, "", "[0, 0, 0]"), "model.yaml");
      s.initialise();
      return linearise(s, standingPoint(s, 0));
    };
    const LinearModel angles = of(kTurnedAngles), quaternions = of("useQuaternions: true");
    CHECK(angles.elsewhere.size() == 3);
    CHECK(quaternions.elsewhere.empty());
    const auto growth = [](const LinearModel& m) {
      std::vector<std::pair<double, double>> all;
      for (const EigenMode& mode : findModes(m).modes)
        all.emplace_back(mode.eigenvalue.real(), mode.eigenvalue.imag());
      std::ranges::sort(all);
      return all;
    };
    const auto a = growth(angles), b = growth(quaternions);
    REQUIRE(a.size() == b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      CHECK(std::abs(a[i].first - b[i].first) < 1e-7);
      CHECK(std::abs(a[i].second - b[i].second) < 1e-7);
    }
  }
}

TEST_CASE("Named angles: an equilibrium is told by them, and a run starts from it there") {
  inTurnedPlaces([&](const Turned& turned, double off) {
    const std::string text = turnedModel(turned, off, kTurnedAngles);
    Simulation s = Simulation::fromText(catalogue(), text, "model.yaml");
    s.initialise();
    const Equilibrium e = findEquilibrium(s, standingPoint(s, 0));
    REQUIRE(e.found);
    auto from = std::make_shared<StartPoint>(StartPoint{"rest", 0, false, {}, {}});
    const Unknowns& l = PointEquations(s).unknowns();
    for (int i = 0; i < l.lambdaOffset(); ++i) {
      from->names.push_back(l.unknowns[i].name);
      from->values.push_back(e.point.y[i]);
    }
    Simulation other = Simulation::fromText(catalogue(), text, "model.yaml");
    Trajectory rows;
    other.run(rows, {.from = from});
    // It hangs along r_CM and stays there.
    const double length = std::sqrt(0.14);
    for (const size_t k : {size_t{0}, rows.time().size() - 1}) {
      for (int i = 0; i < 3; ++i) {
        const double down = rows[fmt::format("b.frame_a.R.T[{},3]", i + 1)][k];
        CHECK(std::abs(down + 0.1 * (i + 1) / length) < 1e-7);
      }
    }
  });
}

TEST_CASE("Named angles: a run goes on from a row of a result, and a picture is made of it") {
  inTurnedPlaces([&](const Turned& turned, double off) {
    const std::string text = turnedModel(turned, off, kTurnedAngles, "", "[2, 1, -1.5]");
    const ModelRun whole = runModel(text);
    auto from = std::make_shared<StartPoint>(StartPoint{"row", 0.3, true, {}, {}});
    for (const Column& c : whole.rows.columns()) {
      from->names.push_back(c.name);
      from->values.push_back(whole.at(0.3, c.name));
    }
    const ModelRun rest = runModel(text, {.from = from});
    Simulation s = Simulation::fromText(catalogue(), text, "model.yaml");
    s.initialise();
    MotionPoint shown = standingPoint(s, 0);
    Diagnostics diagnostics;
    PointRows rows(s, {{"b.frame_a.R.T", {}}}, nullptr, diagnostics);
    const Unknowns& l = PointEquations(s).unknowns();
    for (size_t k = 0; k < whole.rows.time().size(); ++k) {
      for (int i = 0; i < l.nq; ++i) shown.y[i] = whole[l.unknowns[i].name][k];
      const std::span<const double> row = rows.at(shown);
      for (size_t c = 0; c < row.size(); ++c)
        CHECK(std::abs(row[c] - whole[rows.columns()[c].name][k]) < 1e-9);
    }
    for (int i = 1; i <= 3; ++i) {
      for (int k = 1; k <= 3; ++k) {
        const std::string name = fmt::format("b.frame_a.R.T[{},{}]", i, k);
        CHECK(std::abs(whole.last(name) - rest.last(name)) < 1e-7);
      }
    }
  });
}

TEST_CASE("Named angles: sensitivities are those of quaternions, and of what reinit sets") {
  IntegratorChoice method = IntegratorChoice::ida;
  SUBCASE("ida") {}
  SUBCASE("explicit") { method = IntegratorChoice::explicitMethod; }
  const auto of = [&](const std::string& text, const std::string& parameter) {
    Simulation nominal = Simulation::fromText(catalogue(), text, "m.yaml");
    Sensitivities s(
        nominal,
        [&](const Overrides& more) {
          return Simulation::fromText(catalogue(), text, "m.yaml", more);
        },
        {parameter}, {"b.frame_a.R.T", "j.w_rel", "j.phi"}, catalogue());
    Trajectory rows;
    s.run(rows, {.tolerance = 1e-10, .integrator = method});
    return rows;
  };
  // Threshold of a new reference within the difference over the parameter, too.
  for (const Turned& turned : kTurnedSequences) {
    for (const double off : {0.4, -0.17, 0.01, std::numbers::pi / 6, 0.0}) {
      CAPTURE(fmt::format("{}", turned.sequence));
      CAPTURE(off);
      const Trajectory a = of(turnedModel(turned, off, kTurnedAngles), "p"),
                       b = of(turnedModel(turned, off, "useQuaternions: true"), "p");
      for (const Column& c : a.columns()) {
        if (c.name.find("phi") != std::string::npos) continue;
        CAPTURE(c.name);
        CHECK(std::abs(a[c.name].front() - b[c.name].front()) < 1e-7);
        CHECK(std::abs(a[c.name].back() - b[c.name].back()) < 1e-6);
      }
    }
    for (const double to : {0.4, -0.17, std::numbers::pi / 6}) {
      const Trajectory set =
          of(turnedModel(turned, 0.4, kTurnedAngles,
                         fmt::format("when: [{{condition: 'time >= 0.2', reinit: {{'j.phi[2]': "
                                     "'u1 + {}'}}}}]",
                                     turned.singular + to),
                         "[0, 0, 0]"),
             "u1");
      for (size_t k = 1; k < set.time().size(); ++k) {
        if (set.time()[k] > set.time()[k - 1]) continue;
        CHECK(std::abs(set["d(j.phi[1])/d(u1)"][k]) < 1e-6);
        CHECK(set["d(j.phi[2])/d(u1)"][k] == doctest::Approx(1).epsilon(1e-6));
        CHECK(std::abs(set["d(j.phi[3])/d(u1)"][k]) < 1e-6);
      }
    }
  }
}
