// Mirror images: a coordinate counted the other way round, with all that is given along it, is the same
// motion with the other sign. Stops below act as stops above, tables and friction in both senses.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/models/model_run.h"

using namespace cardan;
using test::ModelRun;

namespace {

constexpr double kMirroredTolerance = 1e-9;

struct Mirrored {
  std::string name;
  std::string components, connections;  ///< with `sign`, 1 or -1, as a parameter
  std::vector<std::string> odd, even;   ///< variables that change their sign, and those that do not
  double stop = 2;
};

ModelRun run(const Mirrored& m, int sign, const std::string& integrator) {
  const std::string text = fmt::format(
      "parameters: {{sign: {}}}\nworld: {{g: 3, n: [0.3, -1, "
      "0.2]}}\ncomponents:\n{}connections:\n{}"
      "simulation: {{stop: {}, interval: 0.02, tolerance: {}, integrator: {}}}\n",
      sign, m.components, m.connections, m.stop, kMirroredTolerance, integrator);
  std::vector<std::string> outputs = m.odd;
  outputs.insert(outputs.end(), m.even.begin(), m.even.end());
  return test::runModel(text, {.outputs = outputs});
}

/// A body on `joint`, whose frame_a is turned and shifted in the world.
Mirrored onJoint(const std::string& type, const std::string& parameters,
                 const std::vector<std::string>& odd, std::vector<std::string> even) {
  even.insert(even.end(), {"body.r_0", "totalEnergy"});
  return {
      type + ", " + parameters,
      fmt::format("  base: {{type: FixedRotation, r: [0.3, -0.2, 0.5], n: [1, 2, -1], angle: 40}}\n"
                  "  e: {{type: {}, {}}}\n"
                  "  body: {{type: Body, m: 1.2, r_CM: [0.3, 0.2, -0.1], I_11: 0.03, I_22: 0.04, "
                  "I_33: 0.05, I_21: 0.002}}\n",
                  type, parameters),
      "  - [world.frame_b, base.frame_a]\n  - [base.frame_b, e.frame_a]\n"
      "  - [e.frame_b, body.frame_a]\n",
      odd, even};
}

const std::string kStops =
    "limits: {min: \"if sign > 0 then -0.3 else -0.5\", max: \"if sign > 0 then 0.5 else 0.3\", c: "
    "300, "
    "d: 4}";
const std::string kFriction = "friction: {mu: 0.2, radius: 0.05, torque: 0.1, peak: 1.3}";

/// Two parts on a line, or a shaft, with `e` between them.
Mirrored mirroredBetween(const std::string& domain, const std::string& e,
                         const std::string& more = "") {
  const bool turns = domain == "Rotational";
  const std::string q = turns ? "phi" : "s", v = turns ? "w" : "v";
  const std::string part = turns ? "type: Rotational.Inertia, J" : "type: Translational.Mass, m";
  return {domain + ": " + e,
          fmt::format("  a: {{{0}: 1.3, {1}: {{start: 0.2*sign, fixed: true}}, {2}: {{start: "
                      "2.1*sign, fixed: true}}}}\n"
                      "  b: {{{0}: 0.7, {1}: {{start: -0.1*sign, fixed: true}}, {2}: {{start: "
                      "-1.4*sign, fixed: true}}}}\n"
                      "  e: {{type: {3}.{4}}}\n",
                      part, q, v, domain, e) +
              more,
          "  - [a.flange_b, e.flange_a]\n  - [e.flange_b, b.flange_a]\n",
          {"a." + q, "b." + q, "a." + v, "b." + v},
          {}};
}

/// The same with a spring behind `e`, whose flanges move as one.
Mirrored before(const std::string& domain, const std::string& e) {
  Mirrored m = mirroredBetween(domain, e, fmt::format("  k: {{type: {}.Spring, c: 9}}\n", domain));
  m.connections =
      "  - [a.flange_b, e.flange_a]\n  - [e.flange_b, k.flange_a]\n  - [k.flange_b, b.flange_a]\n";
  return m;
}

std::vector<Mirrored> mirrored() {
  std::vector<Mirrored> list{
      onJoint("Revolute",
              "n: [\"sign\", \"2*sign\", \"-sign\"], phi: {start: 0.1*sign, fixed: true}, w: "
              "{start: 4*sign, "
              "fixed: true}, " +
                  kFriction + ", " + kStops,
              {"e.phi", "e.w"}, {"e.friction.lossPower", "e.limits.lossPower"}),
      onJoint("Prismatic",
              "n: [\"sign\", \"-2*sign\", \"2*sign\"], s: {start: 0.1*sign, fixed: true}, v: "
              "{start: -3*sign, "
              "fixed: true}, friction: {mu: 0.2, force: 0.1, peak: 1.2}, " +
                  kStops,
              {"e.s", "e.v"}, {"e.friction.lossPower", "e.limits.lossPower"}),
      onJoint("Cylindrical",
              "n: [\"2*sign\", \"sign\", \"-sign\"], s: {start: 0.1*sign, fixed: true}, v: {start: "
              "2*sign, fixed: "
              "true}, phi: {start: 0.2*sign, fixed: true}, w: {start: -3*sign, fixed: true}, "
              "prismatic: "
              "{friction: {mu: 0.2}, " +
                  kStops + "}, revolute: {" + kFriction + ", " + kStops + "}",
              {"e.s", "e.v", "e.phi", "e.w"},
              {"e.prismatic.limits.lossPower", "e.revolute.limits.lossPower"}),
      onJoint("Universal",
              "n_a: [\"sign\", \"2*sign\", 0], n_b: [0, \"sign\", \"3*sign\"], phi_a: {start: "
              "0.1*sign, fixed: true}, w_a: "
              "{start: 3*sign, fixed: true}, phi_b: {start: -0.1*sign, fixed: true}, w_b: {start: "
              "-2*sign, fixed: "
              "true}, revolute_a: {" +
                  kStops + "}, revolute_b: {" + kFriction + ", " + kStops + "}",
              {"e.phi_a", "e.w_a", "e.phi_b", "e.w_b"}, {}),
      // Counted the other way round n and n_x change places with their opposites, and e_y stays.
      onJoint("Planar",
              "n: [\"sign\", \"2*sign\", \"-2*sign\"], n_x: [\"2*sign\", \"-sign\", 0], s_x: "
              "{start: 0.3*sign, fixed: true}, "
              "v_x: {start: 0.5*sign, fixed: true}, s_y: {start: -0.2, fixed: true}, v_y: {start: "
              "0.4, fixed: "
              "true}, phi: {start: 0.6*sign, fixed: true}, w: {start: -0.9*sign, fixed: true}",
              {"e.s_x", "e.v_x", "e.phi", "e.w"}, {"e.s_y", "e.v_y"}),
  };
  list.push_back(mirroredBetween("Rotational", "Spring, c: 9, phi_rel0: 0.3*sign"));
  list.push_back(mirroredBetween("Rotational", "SpringDamper, c: 9, d: 0.3, phi_rel0: 0.3*sign"));
  list.push_back(
      mirroredBetween("Rotational", "ElastoBacklash, c: 40, d: 0.5, b: 0.2, phi_rel0: -0.05*sign"));
  list.push_back(mirroredBetween("Rotational",
                                 "ElastoBacklash2, c: 40, d: 0.5, b: 0.2, phi_rel0: -0.05*sign"));
  list.push_back(mirroredBetween(
      "Rotational", "Clutch, mu_pos: [[0, 1.5], [1, 1.2], [3, 2]], peak: 1.2, f_normalized: 0.4"));
  list.push_back(
      before("Rotational", "BearingFriction, tau_pos: [[0, 1], [1, 1.3], [2, 0.8]], peak: 1.1"));
  list.push_back(
      before("Rotational", "Brake, mu_pos: [[0, 1], [2, 1.4]], fn_max: 2, f_normalized: 0.3"));
  list.push_back(mirroredBetween("Translational", "Spring, c: 9, s_rel0: 0.3*sign"));
  list.push_back(mirroredBetween("Translational", "SpringDamper, c: 9, d: 0.3, s_rel0: 0.3*sign"));
  list.push_back(
      before("Translational", "Brake, mu_pos: [[0, 1], [2, 1.4]], fn_max: 2, f_normalized: 0.3"));
  list.push_back(before("Translational", "SupportFriction, f_pos: [[0, 1], [1, 1.3], [2, 0.8]]"));
  // Gears, with springs behind them: the sense of rotation, not of the ratio.
  const std::string loss = "lossTable: [[0, 0.9, 0.8, 0.1, 0.2], [5, 0.8, 0.7, 0.3, 0.4]]";
  for (const char* gear : {"IdealGear, ratio: 2.5", "IdealGear, ratio: -3"}) {
    Mirrored m = mirroredBetween("Rotational", gear);
    const std::string ratio = m.name.substr(m.name.find("ratio: ") + 7);
    m.components = fmt::format(
        "  a: {{type: Rotational.Inertia, J: 1.3}}\n"
        "  b: {{type: Rotational.Inertia, J: 0.7, phi: {{start: -0.1*sign, fixed: true}}, w: "
        "{{start: "
        "-1.4*sign, fixed: true}}}}\n"
        "  e: {{type: Rotational.{}}}\n  wall: {{type: Rotational.Fixed, phi0: 0.2*sign}}\n"
        "  k: {{type: Rotational.SpringDamper, c: 7, d: 0.2}}\n",
        gear);
    m.connections += "  - [b.flange_b, k.flange_a]\n  - [k.flange_b, wall.flange]\n";
    list.push_back(m);
  }
  for (const char* ratio : {"2.5", "-3"}) {
    Mirrored m =
        mirroredBetween("Rotational", fmt::format("LossyGear, ratio: {}, {}", ratio, loss));
    m.components = fmt::format(
        "  a: {{type: Rotational.Inertia, J: 1.3}}\n"
        "  b: {{type: Rotational.Inertia, J: 0.7, phi: {{start: -0.1*sign, fixed: true}}, w: "
        "{{start: "
        "-1.4*sign, fixed: true}}}}\n"
        "  e: {{type: Rotational.LossyGear, ratio: {}, {}}}\n"
        "  drive: {{type: Rotational.Torque, tau: \"sign*3*sin(4*time)\"}}\n",
        ratio, loss);
    m.connections += "  - [drive.flange, a.flange_a]\n";
    m.even.push_back("e.lossPower");
    list.push_back(m);
  }
  // A mass between two stops, its friction odd in the speed; pushed to and fro.
  list.push_back(
      {"MassWithStopAndFriction",
       "  mass: {type: Translational.MassWithStopAndFriction, m: 1.2, L: 0.2, smin: \"if sign > 0 "
       "then -0.4 else -0.9\", smax: \"if sign > 0 then 0.9 else 0.4\", F_prop: 0.3, F_Coulomb: "
       "0.2, "
       "F_Stribeck: 0.5, fexp: 2, s: {start: 0.1*sign, fixed: true}, v: {start: -1.5*sign, fixed: "
       "true}}\n"
       "  push: {type: Translational.Force, f: \"sign*5*sin(2*time + 0.3)\"}\n",
       "  - [push.flange, mass.flange_a]\n",
       {"mass.s", "mass.v"},
       {},
       4});
  // A gap that pushes only: its mirror image has its flanges exchanged.
  const std::string gap = "type: Translational.ElastoGap, c: 50, d: 3, s_rel0: 0.2, n: 1.5}\n";
  list.push_back({"ElastoGap",
                  "  a: {type: Translational.Mass, m: 1.3, s: {start: 0.1*sign, fixed: true}, v: "
                  "{start: 2*sign, "
                  "fixed: true}}\n  wall: {type: Translational.Fixed, s0: 0.6*sign}\n  k: {type: "
                  "Translational.Spring, c: 9}\n"
                  "  e: {if: \"sign > 0\", " +
                      gap + "  f: {if: \"sign < 0\", " + gap,
                  "  - [wall.flange, k.flange_a]\n  - [k.flange_b, a.flange_a]\n"
                  "  - [a.flange_b, e.flange_a]\n  - [e.flange_b, wall.flange]\n"
                  "  - [wall.flange, f.flange_a]\n  - [f.flange_b, a.flange_b]\n",
                  {"a.s", "a.v"},
                  {}});
  return list;
}

}  // namespace

TEST_CASE("mirrored: a coordinate counted the other way round is the same motion") {
  for (const Mirrored& m : mirrored()) {
    for (const char* const integrator : {"ida", "explicit"}) {
      CAPTURE(m.name);
      CAPTURE(std::string(integrator));
      const ModelRun one = run(m, 1, integrator), other = run(m, -1, integrator);
      // Events come at times that rounding may tell apart: by their number, and values on the grid.
      CHECK(one.report.events == other.report.events);
      for (const Column& c : one.rows.columns()) {
        CAPTURE(c.name);
        const bool odd = std::ranges::find(m.odd, c.name) != m.odd.end();
        const double sign = odd ? -1 : 1;
        double size = 0, worst = 0;
        for (const double x : one[c.name]) size = std::max(size, std::abs(x));
        for (int k = 0; k <= std::lround(m.stop / 0.02); ++k)
          worst = std::max(worst,
                           std::abs(one.at(k * 0.02, c.name) - sign * other.at(k * 0.02, c.name)));
        CHECK(worst < 1000 * kMirroredTolerance * std::max(1.0, size));
        if (odd) CHECK(size > 0.1);
      }
    }
  }
}
