/// The same mechanism with elementary joints and with each joint assembly moves alike.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/simulation.h"
#include "engine/text/diagnostics.h"

using namespace cardan;

namespace {

constexpr double kJointAssembliesTolerance = 1e-10;
// Global error of a second of motion: a thousand times the tolerance of its steps.
constexpr double kJointAssembliesSameMotion = 1000 * kJointAssembliesTolerance;

struct Result {
  Trajectory t;
  const std::vector<double>& operator[](const std::string& name) const { return t[name]; }
  double first(const std::string& name) const { return t[name].front(); }
};

Result runOnce(const std::string& text, const std::vector<std::string>& outputs, double stop) {
  Simulation s = Simulation::fromText(catalogue(), text, "mechanism.yaml");
  Result r;
  RunOptions options;
  options.tolerance = kJointAssembliesTolerance;
  options.stopTime = stop;
  options.outputInterval = stop / 100;
  options.outputs = outputs;
  s.run(r.t, options);
  return r;
}

/// The same mechanism on a base that is shifted and turned in the world, gravity with it.
std::string mounted(std::string text) {
  const std::string place = "world.frame_b";
  for (size_t at = 0; (at = text.find(place, at)) != std::string::npos; at += place.size()) {
    text.replace(at, place.size(), "mount.frame_b");
  }
  const Vector3d axis = Vector3d(1, 2, -1).normalized();
  const Vector3d down = Eigen::AngleAxisd(M_PI * 50 / 180, axis) * Vector3d(0, -1, 0);
  const auto insert = [&](const std::string& after, const std::string& line) {
    const size_t at = text.find(after);
    REQUIRE(at != std::string::npos);
    text.insert(at + after.size(), line);
  };
  insert("components:\n",
         "  mount: {type: FixedRotation, r: [0.3, -0.7, 0.4], n: [1, 2, -1], angle: 50}\n");
  insert("connections:\n", "  - [world.frame_b, mount.frame_a]\n");
  return fmt::format("world: {{n: [{:.17g}, {:.17g}, {:.17g}]}}\n", down[0], down[1], down[2]) +
         text;
}

/// Runs the mechanism, and once more mounted elsewhere: what moves inside it is the same.
Result run(const std::string& text, const std::vector<std::string>& outputs, double stop = 1) {
  Result plain = runOnce(text, outputs, stop);
  const Result elsewhere = runOnce(mounted(text), outputs, stop);
  for (const Column& c : plain.t.columns()) {
    CAPTURE(c.name);
    const std::vector<double>&x = plain[c.name], &y = elsewhere[c.name];
    REQUIRE(x.size() == y.size());
    double worst = 0, scale = 1;
    for (size_t i = 0; i < x.size(); ++i) {
      worst = std::max(worst, std::abs(x[i] - y[i]));
      scale = std::max(scale, std::abs(x[i]));
    }
    CHECK(worst < kJointAssembliesSameMotion * scale);
  }
  return plain;
}

void checkSame(const Result& a, const std::string& name_a, const Result& b,
               const std::string& name_b) {
  CAPTURE(name_a);
  CAPTURE(name_b);
  const std::vector<double>&x = a[name_a], &y = b[name_b];
  REQUIRE(x.size() == y.size());
  double worst = 0, range = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    worst = std::max(worst, std::abs(x[i] - y[i]));
    range = std::max(range, std::abs(x[i] - x[0]));
  }
  CHECK(worst < kJointAssembliesSameMotion);
  CHECK(range > 0.05);  // it moves
}

void checkPower(const Result& r, const std::string& name, double scale) {
  for (double p : r[name]) CHECK(std::abs(p) < 1e-8 * scale);
}

// A spatial slider-crank: crank about x at the world, slider along x, a rod between their tips. The
// slider's start is that of the crank: s = -0.2 where phi = 0.
constexpr const char* kCrankAndSlider = R"(
model: spatial slider-crank
components:
  b0: {{type: FixedTranslation, r: [1.2, 0, 0]}}
  crank: {{type: Body, m: 1, r_CM: [0, 0.25, 0.05], I_11: 0.02, I_22: 0.01, I_33: 0.02}}
  slider: {{type: Body, m: 0.8, r_CM: [0, 0.1, 0], I_11: 0.01, I_22: 0.01, I_33: 0.01}}
{}
connections:
  - [world.frame_b, b0.frame_a]
{}
)";

const char* const kCrank = R"(
  j1: {type: Revolute, n: [1, 0, 0], phi: {fixed: true}, w: {start: 5, fixed: true}}
  arm: {type: FixedTranslation, r: [0, 0.5, 0.1]}
)";
const char* const kCrankLinks = R"(
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, arm.frame_a]
  - [j1.frame_b, crank.frame_a]
)";
const char* const kSliderLinks = R"(
  - [b0.frame_b, j2.frame_a]
  - [j2.frame_b, tip.frame_a]
  - [j2.frame_b, slider.frame_a]
)";

std::string slider(const std::string& start) {
  return "\n  j2: {type: Prismatic, n: [1, 0, 0]" + start +
         "}\n  tip: {type: FixedTranslation, r: [0, 0.2, 0]}\n";
}
std::string guess() { return slider(", s: {start: -0.2}"); }
/// The state that a run with the crank's start has found.
std::string fixedAt(const Result& r) {
  return slider(fmt::format(", s: {{start: {}, fixed: true}}, v: {{start: {}, fixed: true}}",
                            r.first("j2.s"), r.first("j2.v")));
}
std::string mechanism(const std::string& components, const std::string& connections) {
  return fmt::format(kCrankAndSlider, components, connections);
}

const char* const kRodBody =
    "  rodBody: {type: Body, m: 0.3, I_11: 0.01, I_22: 0.01, I_33: 0.01, r_CM: ";

const std::vector<std::string> kElementary{"j1.phi", "j1.w", "j2.s", "j2.v"};

}  // namespace

TEST_CASE("JointSSP, JointSSR: a rod with mass moves as SphericalSpherical between its joints") {
  const double L = std::sqrt(1.1);
  const Result e =
      run(mechanism(kCrank + guess() +
                        fmt::format("  rod: {{type: SphericalSpherical, rodLength: {}, "
                                    "m: 0.3}}\n",
                                    L),
                    std::string(kCrankLinks) + kSliderLinks +
                        "  - [arm.frame_b, rod.frame_a]\n"
                        "  - [tip.frame_b, rod.frame_b]\n"),
          kElementary);
  const Result ssp = run(
      mechanism(std::string(kCrank) +
                    fmt::format("  joint: {{type: JointSSP, rod1Length: {}, rod1Mass: 0.3, n_b: "
                                "[1, 0, 0], rRod2_ib: [0, 0.2, 0], s_guess: -0.2, "
                                "checkTotalPower: true}}\n",
                                L),
                std::string(kCrankLinks) + "  - [arm.frame_b, joint.frame_a]\n"
                                           "  - [b0.frame_b, joint.frame_b]\n"
                                           "  - [joint.frame_ib, slider.frame_a]\n"),
      {"j1.phi", "j1.w", "joint.prismatic.s", "joint.prismatic.distance", "joint.totalPower"});
  checkSame(e, "j1.phi", ssp, "j1.phi");
  checkSame(e, "j1.w", ssp, "j1.w");
  checkSame(e, "j2.s", ssp, "joint.prismatic.s");
  checkSame(e, "j2.s", ssp, "joint.prismatic.distance");
  checkPower(ssp, "joint.totalPower", 100);

  const Result ssr =
      run(mechanism(
              fixedAt(e) + fmt::format("  joint: {{type: JointSSR, rod1Length: {}, rod1Mass: 0.3, "
                                       "n_b: [1, 0, 0], rRod2_ib: [0, 0.5, 0.1], "
                                       "checkTotalPower: true}}\n",
                                       L),
              std::string(kSliderLinks) + "  - [tip.frame_b, joint.frame_a]\n"
                                          "  - [world.frame_b, joint.frame_b]\n"
                                          "  - [joint.frame_ib, crank.frame_a]\n"),
          {"joint.revolute.phi", "j2.s", "j2.v", "joint.totalPower"});
  checkSame(e, "j1.phi", ssr, "joint.revolute.phi");
  checkSame(e, "j2.s", ssr, "j2.s");
  checkSame(e, "j2.v", ssr, "j2.v");
  checkPower(ssr, "joint.totalPower", 100);
}

TEST_CASE("SphericalSpherical, UniversalSpherical: kinematicConstraint only says how to write it") {
  for (const char* rod : {"SphericalSpherical, rodLength: 1.05",
                          "UniversalSpherical, rRod_ia: "
                          "[1, -0.3, -0.1]"}) {
    const auto moved = [rod](bool kinematicConstraint) {
      return run(mechanism(kCrank + guess() +
                               fmt::format("  rod: {{type: {}, kinematicConstraint: {}}}\n", rod,
                                           kinematicConstraint),
                           std::string(kCrankLinks) + kSliderLinks +
                               "  - [arm.frame_b, rod.frame_a]\n"
                               "  - [tip.frame_b, rod.frame_b]\n"),
                 kElementary);
    };
    const Result with = moved(true), without = moved(false);
    checkSame(with, "j1.phi", without, "j1.phi");
    checkSame(with, "j2.s", without, "j2.s");
  }
}

TEST_CASE("JointUSP: a body on the rod moves as with two revolutes and a spherical joint") {
  const std::string body = kRodBody + std::string("[0.5, -0.15, -0.05]}\n");
  const Result e = run(mechanism(kCrank + guess() + body +
                                     "  u1: {type: Revolute, n: [0, 1, 0]}\n"
                                     "  u2: {type: Revolute, n: [-0.1, 0, -1]}\n"
                                     "  rod: {type: FixedTranslation, r: [1, -0.3, -0.1]}\n"
                                     "  ball: {type: Spherical}\n",
                                 std::string(kCrankLinks) + kSliderLinks +
                                     "  - [arm.frame_b, u1.frame_a]\n"
                                     "  - [u1.frame_b, u2.frame_a]\n"
                                     "  - [u2.frame_b, rod.frame_a]\n"
                                     "  - [u2.frame_b, rodBody.frame_a]\n"
                                     "  - [rod.frame_b, ball.frame_a]\n"
                                     "  - [ball.frame_b, tip.frame_b]\n"),
                       kElementary);
  const Result usp = run(
      mechanism(kCrank + body +
                    "  joint: {type: JointUSP, n1_a: [0, 1, 0], n_b: [1, 0, 0], rRod1_ia: [1, "
                    "-0.3, -0.1], rRod2_ib: [0, 0.2, 0], s_guess: -0.2, checkTotalPower: true}\n",
                std::string(kCrankLinks) + "  - [arm.frame_b, joint.frame_a]\n"
                                           "  - [b0.frame_b, joint.frame_b]\n"
                                           "  - [joint.frame_ia, rodBody.frame_a]\n"
                                           "  - [joint.frame_ib, slider.frame_a]\n"),
      {"j1.phi", "j1.w", "joint.prismatic.s", "joint.totalPower"});
  checkSame(e, "j1.phi", usp, "j1.phi");
  checkSame(e, "j1.w", usp, "j1.w");
  checkSame(e, "j2.s", usp, "joint.prismatic.s");
  checkPower(usp, "joint.totalPower", 100);
}

TEST_CASE("JointUSR: a body on the rod moves as with UniversalSpherical") {
  const std::string body = kRodBody + std::string("[-0.5, 0.15, 0.05]}\n");
  const Result e = run(mechanism(kCrank + guess() + body +
                                     "  rod: {type: UniversalSpherical, n1_a: [0, 1, 0], rRod_ia: "
                                     "[-1, 0.3, 0.1]}\n",
                                 std::string(kCrankLinks) + kSliderLinks +
                                     "  - [tip.frame_b, rod.frame_a]\n"
                                     "  - [rod.frame_ia, rodBody.frame_a]\n"
                                     "  - [rod.frame_b, arm.frame_b]\n"),
                       kElementary);
  const Result usr =
      run(mechanism(fixedAt(e) + body +
                        "  joint: {type: JointUSR, n1_a: [0, 1, 0], n_b: [1, 0, 0], rRod1_ia: [-1, "
                        "0.3, 0.1], rRod2_ib: [0, 0.5, 0.1], phi_offset: 30, phi_guess: -30, "
                        "checkTotalPower: true}\n",
                    std::string(kSliderLinks) + "  - [tip.frame_b, joint.frame_a]\n"
                                                "  - [world.frame_b, joint.frame_b]\n"
                                                "  - [joint.frame_ia, rodBody.frame_a]\n"
                                                "  - [joint.frame_ib, crank.frame_a]\n"),
          {"joint.revolute.angle", "joint.revolute.phi", "j2.s", "j2.v", "joint.totalPower"});
  checkSame(e, "j1.phi", usr, "joint.revolute.angle");
  checkSame(e, "j2.s", usr, "j2.s");
  checkSame(e, "j2.v", usr, "j2.v");
  checkPower(usr, "joint.totalPower", 100);
  CHECK(usr.first("joint.revolute.phi") == doctest::Approx(-M_PI / 6));  // phi_offset in degrees
}

TEST_CASE("JointUPS: a spring leg with masses moves as with its elementary joints") {
  const std::string base = R"(
model: pendulum with a leg
components:
  j: {type: Revolute, phi: {start: 0.7, fixed: true}, w: {fixed: true}}
  arm: {type: FixedTranslation, r: [0, -0.8, 0]}
  bob: {type: Body, m: 1, r_CM: [0, -0.8, 0], I_33: 0.02}
  foot: {type: FixedTranslation, r: [0.5, 0, 0.1]}
  lower: {type: Body, m: 0.2, r_CM: [-0.1, -0.16, -0.02], I_11: 0.01, I_22: 0.01, I_33: 0.01}
  upper: {type: Body, m: 0.1, r_CM: [0.1, 0.16, 0.02], I_11: 0.01, I_22: 0.01, I_33: 0.01}
)";
  const std::string links = R"(
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, arm.frame_a]
  - [j.frame_b, bob.frame_a]
  - [world.frame_b, foot.frame_a]
)";
  const Result e = run(base + R"(
  u1: {type: Revolute, n: [0, 0, 1]}
  u2: {type: Revolute, n: [0.8, -0.5, 0]}
  slide: {type: Prismatic, n: [-0.5, -0.8, -0.1], useAxisFlange: true, s: {start: 0.9}}
  ball: {type: Spherical, cut: true}
  spring: {type: Translational.SpringDamper, c: 50, d: 1, s_rel0: 0.8}
)" + links + R"(
  - [foot.frame_b, u1.frame_a]
  - [u1.frame_b, u2.frame_a]
  - [u2.frame_b, slide.frame_a]
  - [u2.frame_b, lower.frame_a]
  - [slide.frame_b, upper.frame_a]
  - [slide.frame_b, ball.frame_a]
  - [ball.frame_b, arm.frame_b]
  - [slide.support, spring.flange_a]
  - [slide.axis, spring.flange_b]
)",
                       {"j.phi", "j.w", "slide.s", "slide.f", "upper.w_a[3]"});
  const Result ups = run(base + R"(
  leg: {type: JointUPS, nAxis_ia: [-0.5, -0.8, -0.1], s_offset: 0.2, checkTotalPower: true}
  spring: {type: Translational.SpringDamper, c: 50, d: 1, s_rel0: 0.6}
)" + links + R"(
  - [foot.frame_b, leg.frame_a]
  - [arm.frame_b, leg.frame_b]
  - [leg.frame_ia, lower.frame_a]
  - [leg.frame_ib, upper.frame_a]
  - [leg.bearing, spring.flange_a]
  - [leg.axis, spring.flange_b]
)",
                         {"j.phi", "j.w", "leg.axisLength", "leg.s", "leg.f", "leg.axis.f",
                          "leg.totalPower", "upper.w_a[3]"});
  checkSame(e, "j.phi", ups, "j.phi");
  checkSame(e, "j.w", ups, "j.w");
  checkSame(e, "slide.s", ups, "leg.axisLength");
  checkSame(e, "upper.w_a[3]", ups, "upper.w_a[3]");
  checkPower(ups, "leg.totalPower", 100);
  for (size_t i = 0; i < ups.t.time().size(); ++i) {
    CHECK(ups["leg.s"][i] + 0.2 == doctest::Approx(ups["leg.axisLength"][i]).epsilon(1e-12));
    CHECK(ups["leg.axis.f"][i] == doctest::Approx(ups["leg.f"][i]).epsilon(1e-8));
  }
}

namespace {

const std::string kPlanarCrank = R"(
model: planar mechanism
components:
  j1: {type: Revolute, phi: {fixed: true}, w: {start: 4, fixed: true}}
  arm: {type: BodyShape, r: [0.3, 0, 0], m: 1, r_CM: [0.15, 0, 0], I_33: 0.01}
  coupler: {type: Body, m: 0.5, r_CM: [0.2, 0.3, 0], I_33: 0.02}
  output: {type: Body, m: 0.7, r_CM: [-0.15, 0.3, 0], I_33: 0.03}
)";
const std::string kPlanarLinks = R"(
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, arm.frame_a]
)";
/// `a` leads from the arm to the coupler, `b` from the world's side to the output.
const std::string kRRR = kPlanarCrank + R"(
  pivot: {type: FixedTranslation, r: [1, 0, 0]}
  joint: {type: JointRRR, rRod1_ia: [0.4, 0.6, 0], rRod2_ib: [-0.3, 0.6, 0], checkTotalPower: true}
)" + kPlanarLinks + R"(
  - [world.frame_b, pivot.frame_a]
  - [arm.frame_b, joint.frame_a]
  - [pivot.frame_b, joint.frame_b]
  - [joint.frame_ia, coupler.frame_a]
  - [joint.frame_ib, output.frame_a]
)";
const std::string kRRP = kPlanarCrank + R"(
  rail: {type: FixedTranslation, r: [2, 0, 0]}
  joint: {type: JointRRP, rRod1_ia: [0.8, 0, 0], rRod2_ib: [-0.1, 0, 0], checkTotalPower: true}
)" + kPlanarLinks + R"(
  - [world.frame_b, rail.frame_a]
  - [arm.frame_b, joint.frame_a]
  - [rail.frame_b, joint.frame_b]
  - [joint.frame_ia, coupler.frame_a]
  - [joint.frame_ib, output.frame_a]
)";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

}  // namespace

TEST_CASE("JointRRR: a planar four-bar moves as with revolute joints") {
  const Result e = run(kPlanarCrank + R"(
  pivot: {type: FixedTranslation, r: [1, 0, 0]}
  j2: {type: Revolute}
  j3: {type: Revolute}
  rod1: {type: FixedTranslation, r: [0.4, 0.6, 0]}
  rod2: {type: FixedTranslation, r: [-0.3, 0.6, 0]}
  j4: {type: RevolutePlanarLoopConstraint}
)" + kPlanarLinks + R"(
  - [world.frame_b, pivot.frame_a]
  - [arm.frame_b, j3.frame_a]
  - [j3.frame_b, rod1.frame_a]
  - [j3.frame_b, coupler.frame_a]
  - [pivot.frame_b, j2.frame_a]
  - [j2.frame_b, rod2.frame_a]
  - [j2.frame_b, output.frame_a]
  - [rod1.frame_b, j4.frame_a]
  - [j4.frame_b, rod2.frame_b]
)",
                       {"j1.phi", "j1.w", "j2.phi", "coupler.frame_a.R.w[3]"});
  const Result rrr = run(kRRR, {"j1.phi", "j1.w", "joint.jointUSR.revolute.phi", "joint.totalPower",
                                "coupler.frame_a.R.w[3]", "joint.n_b[3]"});
  checkSame(e, "j1.phi", rrr, "j1.phi");
  checkSame(e, "j1.w", rrr, "j1.w");
  checkSame(e, "j2.phi", rrr, "joint.jointUSR.revolute.phi");
  checkSame(e, "coupler.frame_a.R.w[3]", rrr, "coupler.frame_a.R.w[3]");
  checkPower(rrr, "joint.totalPower", 100);
  CHECK(rrr.first("joint.n_b[3]") == 1);
}

TEST_CASE("JointRRR: axes that lie otherwise in frame_b are found at the start") {
  // frame_b turned a quarter about x: the axes lie along its y, and rod 2 with them.
  const std::string turned =
      replaced(replaced(kRRR, "pivot: {type: FixedTranslation, r: [1, 0, 0]}",
                        "pivot: {type: FixedRotation, r: [1, 0, 0], n: [1, 0, 0], angle: 90}"),
               "rRod2_ib: [-0.3, 0.6, 0]", "rRod2_ib: [-0.3, 0, -0.6]");
  const std::string body = replaced(turned,
                                    "output: {type: Body, m: 0.7, r_CM: [-0.15, 0.3, 0], "
                                    "I_33: 0.03}",
                                    "output: {type: Body, m: 0.7, r_CM: [-0.15, 0, -0.3], I_33: "
                                    "0.001, I_22: 0.03}");
  const Result a = run(kRRR, {"j1.phi", "joint.jointUSR.revolute.phi"});
  const Result b = run(body, {"j1.phi", "joint.jointUSR.revolute.phi", "joint.n_b[2]"});
  checkSame(a, "j1.phi", b, "j1.phi");
  checkSame(a, "joint.jointUSR.revolute.phi", b, "joint.jointUSR.revolute.phi");
  CHECK(b.first("joint.n_b[2]") == doctest::Approx(1).epsilon(1e-14));
}

TEST_CASE("JointRRP: a planar slider-crank moves as with its elementary joints") {
  const Result e = run(kPlanarCrank + R"(
  rail: {type: FixedTranslation, r: [2, 0, 0]}
  j2: {type: Prismatic, n: [-1, 0, 0], s: {start: 0.8}}
  j3: {type: Revolute}
  rod1: {type: FixedTranslation, r: [0.8, 0, 0]}
  rod2: {type: FixedTranslation, r: [-0.1, 0, 0]}
  j4: {type: RevolutePlanarLoopConstraint}
)" + kPlanarLinks + R"(
  - [world.frame_b, rail.frame_a]
  - [arm.frame_b, j3.frame_a]
  - [j3.frame_b, rod1.frame_a]
  - [j3.frame_b, coupler.frame_a]
  - [rail.frame_b, j2.frame_a]
  - [j2.frame_b, rod2.frame_a]
  - [j2.frame_b, output.frame_a]
  - [rod1.frame_b, j4.frame_a]
  - [j4.frame_b, rod2.frame_b]
)",
                       {"j1.phi", "j1.w", "j2.s", "j3.phi"});
  const Result rrp = run(
      kRRP, {"j1.phi", "j1.w", "joint.jointUSP.prismatic.s", "joint.totalPower", "joint.e_im[3]"});
  checkSame(e, "j1.phi", rrp, "j1.phi");
  checkSame(e, "j1.w", rrp, "j1.w");
  checkSame(e, "j2.s", rrp, "joint.jointUSP.prismatic.s");
  checkPower(rrp, "joint.totalPower", 100);
  CHECK(rrp.first("joint.e_im[3]") == 1);
}

TEST_CASE("Joint assemblies: phi_guess and s_guess choose the branch") {
  auto start = [](const std::string& text, const std::string& name) {
    return run(text, {name}, 0.01).first(name);
  };
  // The middle joint at (0.7, 0.6), or mirrored on the line from (0.3, 0) to (1, 0).
  const std::string phi = "joint.jointUSR.revolute.phi";
  const double other = 2 * M_PI - 2 * std::atan2(0.6, -0.3);
  CHECK(std::abs(start(kRRR, phi)) < 1e-12);
  CHECK(start(replaced(kRRR, "checkTotalPower", "phi_guess: 100, checkTotalPower"), phi) ==
        doctest::Approx(other).epsilon(1e-12));
  CHECK(start(replaced(kRRR, "checkTotalPower", "phi_offset: 20, phi_guess: 80, checkTotalPower"),
              phi) == doctest::Approx(other - M_PI / 9).epsilon(1e-12));
  // The slider right of the crank's tip (s = 2 - 0.1 - 1.1) or left of it (2 - 0.1 + 0.5).
  const std::string s = "joint.jointUSP.prismatic.s";
  CHECK(start(kRRP, s) == doctest::Approx(0.8).epsilon(1e-12));
  CHECK(start(replaced(kRRP, "checkTotalPower", "s_guess: 2, checkTotalPower"), s) ==
        doctest::Approx(2.4).epsilon(1e-12));
}

TEST_CASE("Restart: reactions of a meganewton do not make the steps after an event fail") {
  // A loop under a load that switches: the rows of the loop begin exactly where the start left
  // them.
  const std::string held = replaced(replaced(kRRR, "phi: {fixed: true}, w: {start: 4, fixed: true}",
                                             "useAxisFlange: true"),
                                    "components:\n", R"yaml(components:
  motion: {type: Rotational.Position, exact: true, phi_ref: "4*time + time^2"}
  push: {type: WorldForce, force: ["1e6*cos(time)", "if time > 0.05 then 1e6 else -1e6", 0]}
)yaml") + "  - [joint.frame_im, push.frame_b]\n"
          "  - [motion.flange, j1.axis]\n";
  Simulation s = Simulation::fromText(catalogue(), held, "mechanism.yaml");
  Trajectory t;
  RunOptions options;
  options.tolerance = 1e-9;
  options.stopTime = 0.1;
  options.outputInterval = 0.01;
  options.outputs = {"j1.phi"};
  const RunReport report = s.run(t, options);
  CHECK(report.events == 1);
  CHECK(report.stopTime == 0.1);
}

TEST_CASE("JointUSR: a rod that does not reach is told at its place, with the gap") {
  Simulation s = Simulation::fromText(catalogue(), R"(model: too short
components:
  joint: {type: JointUSR, rRod1_ia: [0.2, 0, 0]}
  far: {type: FixedTranslation, r: [3, 0, 0]}
connections:
  - [world.frame_b, joint.frame_a]
  - [world.frame_b, far.frame_a]
  - [far.frame_b, joint.frame_b]
)",
                                      "short.yaml");
  // Rod 2 of 1 m towards frame_a: 3 - 1 - 0.2.
  CHECK_THROWS_WITH_AS(s.initialise(),
                       doctest::Contains("short.yaml:3:3: error: JointUSR 'joint.rod1': "
                                         "its loop cannot be closed: a gap of 1.8 m remains "
                                         "between its frames"),
                       ModelError);
}
