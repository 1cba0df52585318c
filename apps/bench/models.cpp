#include "apps/bench/models.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace cardan::bench {
namespace {

struct Link {
  double alpha;                ///< [deg]
  double a, d;                 ///< [m]
  double m;                    ///< [kg]
  std::array<double, 3> r_CM;  ///< [m]
  std::array<double, 3> I;     ///< [kg.m2] principal, about the centre of mass
  double phi;                  ///< [rad] start
};

/// Modified Denavit-Hartenberg parameters: turn about x, shift along x and z, turn about z.
constexpr std::array<Link, 6> kRobot6{{
    {0, 0.00, 0.60, 20.0, {0.00, -0.04, -0.12}, {0.90, 0.80, 0.50}, 0.3},
    {-90, 0.10, 0.15, 17.4, {0.22, 0.00, 0.03}, {0.13, 0.52, 0.54}, -0.5},
    {0, 0.45, -0.10, 6.0, {0.02, -0.10, 0.02}, {0.07, 0.02, 0.085}, 0.4},
    {-90, 0.03, 0.42, 2.5, {0.00, 0.00, -0.12}, {0.012, 0.011, 0.004}, 0.2},
    {90, 0.00, 0.00, 1.0, {0.00, -0.02, 0.00}, {0.0025, 0.0018, 0.0020}, 0.6},
    {-90, 0.00, 0.00, 0.6, {0.01, 0.00, 0.06}, {0.0012, 0.0011, 0.0006}, -0.1},
}};

}  // namespace

std::string chain(int n) {
  std::string components, connections, end = "world.frame_b";
  for (int i = 1; i <= n; ++i) {
    components += fmt::format(
        "  r{0}: {{type: Revolute, phi: {{fixed: true}}, w: {{fixed: true}}}}\n"
        "  b{0}: {{type: BodyShape, r: [1, 0, 0], r_CM: [0.5, 0, 0], m: 1, I_11: 1e-3, I_22: 1/12, "
        "I_33: 1/12}}\n",
        i);
    connections +=
        fmt::format("  - [{1}, r{0}.frame_a]\n  - [r{0}.frame_b, b{0}.frame_a]\n", i, end);
    end = fmt::format("b{}.frame_b", i);
  }
  return "model: Chain\nworld: {g: 9.81}\ncomponents:\n" + components + "connections:\n" +
         connections;
}

std::string hangingChain(int n) {
  std::string components, connections, end = "world.frame_b";
  for (int i = 1; i <= n; ++i) {
    components += fmt::format(
        "  r{0}: {{type: Revolute, n: {1}, phi: {{start: {2}, fixed: true}}, w: {{fixed: true}}}}\n"
        "  b{0}: {{type: BodyShape, r: [0.1, 0, 0], r_CM: [0.05, 0, 0], m: 0.1, I_11: 1/120000, "
        "I_22: 1/12000, I_33: 1/12000, animation: false}}\n",
        i, i % 2 == 1 ? "[0, 1, 0]" : "[0, 0, 1]",
        i == 1 ? "pi/2 - 0.1" : (i % 2 == 0 ? "0.05" : "-0.05"));
    connections +=
        fmt::format("  - [{1}, r{0}.frame_a]\n  - [r{0}.frame_b, b{0}.frame_a]\n", i, end);
    end = fmt::format("b{}.frame_b", i);
  }
  return "model: HangingChain\nworld: {g: 9.81, n: [0, 0, -1]}\ncomponents:\n" + components +
         "connections:\n" + connections;
}

std::string robot6() {
  std::string components, connections, end = "world.frame_b";
  int i = 0;
  for (const Link& l : kRobot6) {
    ++i;
    const double s = l.alpha == 0 ? 0 : (l.alpha > 0 ? 1 : -1);
    const double c = l.alpha == 0 ? 1 : 0;
    components += fmt::format(
        "  f{0}: {{type: FixedRotation, r: [{1}, {2}, {3}], n: [1, 0, 0], angle: {4}}}\n"
        "  r{0}: {{type: Revolute, useAxisFlange: true, phi: {{start: {5}, fixed: true}}, w: "
        "{{fixed: true}}}}\n"
        "  d{0}: {{type: Rotational.Damper, d: 1}}\n"
        "  b{0}: {{type: Body, m: {6}, r_CM: [{7}], I_11: {8}, I_22: {9}, I_33: {10}}}\n",
        i, l.a, -s * l.d, c * l.d, l.alpha, l.phi, l.m, fmt::join(l.r_CM, ", "), l.I[0], l.I[1],
        l.I[2]);
    connections += fmt::format(
        "  - [{1}, f{0}.frame_a]\n  - [f{0}.frame_b, r{0}.frame_a]\n  - [r{0}.frame_b, "
        "b{0}.frame_a]\n"
        "  - [r{0}.support, d{0}.flange_a]\n  - [d{0}.flange_b, r{0}.axis]\n",
        i, end);
    end = fmt::format("r{}.frame_b", i);
  }
  return "model: Robot6\nworld: {g: 9.81, n: [0, 0, -1]}\ncomponents:\n" + components +
         "connections:\n" + connections;
}

std::string freeBody() {
  return R"(
model: FreeBody
world: {gravityType: NoGravity}
components:
  body: {type: Body, m: 1, I_11: 1, I_22: 2, I_33: 3, angles_fixed: true, w_0_fixed: true, w_0_start: [0.01, 3, 0.01],
         r_0: {fixed: true}, v_0: {fixed: true}}
)";
}

std::string fourBar(Pin pin) {
  constexpr double kPi = std::numbers::pi;
  constexpr double ground = 0.7, a = 0.2, b = 0.6, c = 0.4, crank = kPi / 3;
  // The coupler's pin above the ground.
  const double dx = ground - a * std::cos(crank), dy = -a * std::sin(crank);
  const double r = std::hypot(dx, dy);
  const double coupler = std::atan2(dy, dx) + std::acos((b * b + r * r - c * c) / (2 * b * r));
  const double rocker = std::atan2(a * std::sin(crank) + b * std::sin(coupler),
                                   a * std::cos(crank) + b * std::cos(coupler) - ground);
  auto rod = [](const char* name, double length) {
    const double m = 5 * length;
    return fmt::format(
        "  {}: {{type: BodyShape, r: [{}, 0, 0], r_CM: [{}, 0, 0], m: {}, I_11: 1e-3, I_22: {}, "
        "I_33: {}}}\n",
        name, length, length / 2, m, m * length * length / 12, m * length * length / 12);
  };
  return fmt::format(R"(
model: FourBar
world: {{g: 9.81}}
components:
  j1: {{type: Revolute, phi: {{start: {}, fixed: true}}, w: {{fixed: true}}}}
  j2: {{type: Revolute, phi: {{start: {}}}}}
  j3: {{type: Revolute, phi: {{start: {}}}}}
  base: {{type: FixedTranslation, r: [{}, 0, 0]}}
  pin: {{type: {}}}
{}{}{}connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, crank.frame_a]
  - [crank.frame_b, j2.frame_a]
  - [j2.frame_b, coupler.frame_a]
  - [world.frame_b, base.frame_a]
  - [base.frame_b, j3.frame_a]
  - [j3.frame_b, rocker.frame_a]
  - [coupler.frame_b, pin.frame_a]
  - [pin.frame_b, rocker.frame_b]
)",
                     crank, coupler - crank, rocker, ground,
                     pin == Pin::planar ? "RevolutePlanarLoopConstraint" : "Revolute",
                     rod("crank", a), rod("coupler", b), rod("rocker", c));
}

std::string rowOfFourBars(int n) {
  const char* rod =
      "type: BodyShape, r: [1, 0, 0], r_CM: [0.5, 0, 0], m: 1, I_11: 1e-3, I_22: 1/12, I_33: 1/12";
  std::string components, connections;
  for (int i = 0; i <= n; ++i) {
    components += fmt::format(
        "  ground{0}: {{type: FixedTranslation, r: [{0}, 0, 0]}}\n"
        "  foot{0}: {{type: Revolute, phi: {{start: pi/2{1}}}, w: {{start: -1{1}}}}}\n"
        "  up{0}: {{{2}}}\n",
        i, i == 0 ? ", fixed: true" : "", rod);
    connections += fmt::format(
        "  - [world.frame_b, ground{0}.frame_a]\n  - [ground{0}.frame_b, foot{0}.frame_a]\n"
        "  - [foot{0}.frame_b, up{0}.frame_a]\n",
        i);
    if (i == n) break;
    components += fmt::format(
        "  left{0}: {{type: Revolute, phi: {{start: -pi/2}}, w: {{start: 1}}}}\n"
        "  level{0}: {{{1}}}\n"
        "  right{0}: {{type: Revolute}}\n",
        i, rod);
    connections += fmt::format(
        "  - [up{0}.frame_b, left{0}.frame_a]\n  - [left{0}.frame_b, level{0}.frame_a]\n"
        "  - [level{0}.frame_b, right{0}.frame_a]\n  - [right{0}.frame_b, up{1}.frame_b]\n",
        i, i + 1);
  }
  return "model: RowOfFourBars\nworld: {g: 9.81}\ncomponents:\n" + components + "connections:\n" +
         connections;
}

}  // namespace cardan::bench
