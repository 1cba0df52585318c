// What else is done with models of shapes: saved and gone on with, set, brought to rest, linearised,
// differentiated by their parameters.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/analysis/equilibrium.h"
#include "engine/analysis/modes.h"
#include "engine/equations/model.h"
#include "engine/saved_state.h"
#include "engine/sensitivities/sensitivities.h"
#include "engine/simulation_parts.h"
#include "engine/structure/unknowns.h"
#include "tests/models/shape_models.h"

using namespace cardan;
using test::kShapesG;
using test::kShapesRun;
using test::ModelRun;
using test::ShapeModel;

namespace {

/// A box of the edge a and the mass m, z0 above the floor; its contact has the stiffness kappa unless
/// `law` says another.
std::string boxModel(double z0, const std::string& law = "stiffness: kappa, mu: mu",
                     const std::string& speed = "v0", double incline = 0) {
  return fmt::format(R"(
parameters: {{m: 1, kappa: 1e8, a: 0.1, mu: 0.3, v0: 1}}
world: {{g: {}, n: [{}, 0, {}]}}
contacts: {{defaults: {{{}}}}}
components:
  floor: {{type: Contact.Shape, shape: plane}}
  box: {{type: Contact.Shape, size: [a, a, a]}}
  body: {{type: Body, m: m, r_CM: [0, 0, 0], I_11: "m*a^2/6", I_22: "m*a^2/6", I_33: "m*a^2/6",
    r_0: {{start: [0, 0, "a/2 + {}"], fixed: true}}, v_0: {{start: [{}, 0, 0], fixed: true}},
    angles_fixed: true, w_0_fixed: true}}
connections:
  - [world.frame_b, floor.frame_a]
  - [body.frame_a, box.frame_a]
)",
                     kShapesG, std::sin(incline), -std::cos(incline), law, z0, speed);
}

Simulation simulationOfText(const std::string& text, const Overrides& set = {}) {
  return Simulation::fromText(catalogue(), text, "model.yaml", set);
}

Trajectory shapeSensitivities(const std::string& text, const std::vector<std::string>& parameters,
                              double stop) {
  Simulation nominal = simulationOfText(text);
  Sensitivities s(
      nominal, [&](const Overrides& more) { return simulationOfText(text, more); }, parameters,
      {"body.r_0[1]", "body.r_0[3]", "contact.floor.box.f_n"}, catalogue());
  Trajectory rows;
  s.run(rows, {.stopTime = stop, .tolerance = 1e-9});
  return rows;
}

struct ShapeRest {
  Simulation simulation;
  Equilibrium rest;

  double value(const std::string& name) const {
    const auto& all = simulation.model().assembly().layout.unknowns;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].name == name) return rest.point.y[i];
    }
    FAIL("no unknown " << name);
    return 0;
  }
};

ShapeRest restOfShapes(const std::string& text) {
  Simulation s = simulationOfText(text);
  s.initialise();
  const MotionPoint start{0, s.y(), s.yp()};
  Equilibrium rest = findEquilibrium(s, start);
  return {std::move(s), std::move(rest)};
}

ModalAnalysis modesAtRest(const std::string& text) {
  ShapeRest r = restOfShapes(text);
  REQUIRE(r.rest.found);
  return findModes(linearise(r.simulation, r.rest.point));
}

/// Those of which the named coordinate has more than nine tenths.
std::vector<std::complex<double>> eigenvaluesOf(const ModalAnalysis& a, const std::string& name) {
  std::vector<std::complex<double>> found;
  for (const EigenMode& m : a.modes) {
    if (m.participation.front().first == name && m.participation.front().second > 0.9)
      found.push_back(m.eigenvalue);
  }
  return found;
}

/// Values at eight instants from the time reached up to `end`.
std::vector<double> goOnTo(Simulation& s, double end) {
  std::vector<double> values;
  const double begin = s.time();
  for (int i = 1; i <= 8; ++i) {
    s.advance(i == 8 ? end : begin + (end - begin) * i / 8);
    for (const std::string& name : s.outputs()) values.push_back(s.value(s.variable(name)));
  }
  return values;
}

bool areSame(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  const auto same = [tolerance](double x, double y) {
    return tolerance > 0 ? std::abs(x - y) <= tolerance
                         : std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  return std::ranges::equal(a, b, same);
}

}  // namespace

/// A ten thousandth of its size is the default, whatever bears it.
TEST_CASE("shapes: what lies on a floor that something moves sinks in by its own weight") {
  for (const double m : {1e-6, 1.0, 1e6}) {
    CAPTURE(m);
    test::ShapeModel model;
    model.contacts = "{}";
    model.component("floor: {type: Contact.Shape, shape: plane}")
        .component("lift: {type: Prismatic, useAxisFlange: true, n: [0, 0, 1]}")
        .component("drive: {type: Translational.Position, exact: true, s_ref: \"0.1*time\"}")
        .connect("world.frame_b", "lift.frame_a")
        .connect("lift.frame_b", "floor.frame_a")
        .connect("drive.flange", "lift.axis");
    test::FreeShape box{"box"};
    box.m = m;
    box.I = Eigen::Vector3d::Constant(m / 600);
    box.v = {0, 0, 0.1};
    const test::ModelRun r = model.add(box).run("ida", 0.5, 5, "contact.floor.box.gap");
    CHECK(r.last("contact.floor.box.gap") == doctest::Approx(-1e-5).epsilon(1e-3));
  }
}

TEST_CASE("shapes: what overlaps by more than a twentieth at the start is told, with its depth") {
  // Of the in-radius of a cube of 0.1 m: 2.5 mm.
  const auto warningOf = [](double overlap, const std::string& contacts) {
    Simulation s = simulationOfText(boxModel(-overlap, contacts));
    s.start({.stopTime = 1});
    std::string all;
    for (const std::string& w : s.report().warnings) all += w + "\n";
    CHECK(s.parts().initial.overlaps == all.substr(0, all.size() - (all.empty() ? 0 : 1)));
    return all;
  };
  CHECK(warningOf(2.49e-3, "stiffness: 1e4").empty());
  CHECK(warningOf(2.51e-3, "stiffness: 1e4") ==
        "shapes overlap at the start by more than 5 % of the smaller one's in-radius and will push "
        "each other apart: 'floor' and 'box' by 0.00251 m; another start, or 'exclude' of "
        "'contacts', keeps them from it\n");
  CHECK(warningOf(2.51e-3, "stiffness: 1e4}, exclude: [[box, floor]], materials: {").empty());
}

TEST_CASE("shapes: --set reaches what contacts are made of") {
  // From its rest on: it is as deep as its weight presses it.
  const std::string text = boxModel(-kShapesG / (1e8 * 0.01), "stiffness: 1e8, mu: 0.3");
  const auto lost = [&](const Overrides& set) {
    const ModelRun r = test::runModel(text, {.stopTime = 0.05, .outputs = {"body.v_0[1]"}}, set);
    return 1 - r.last("body.v_0[1]");
  };
  // By mu g t; the first z_s of the way, a thousandth of it, lose less.
  CHECK(std::abs(lost({"contacts.defaults.mu=0.6"}) / lost({}) - 2) < 2e-3);
  const auto message = [&](const std::string& set) -> std::string {
    try {
      simulationOfText(text, {set});
    } catch (const ModelError& e) {
      return e.what();
    }
    return "";
  };
  CHECK(message("contact.floor.box.mu=1") ==
        "--set contact.floor.box.mu=1: error: a contact has its parameters from 'contacts'; what "
        "can be set are the parameters in contacts.defaults");
  CHECK(message("contacts.default.mu=1") ==
        "--set contacts.default.mu=1: error: unknown parameter 'contacts.default.mu'; what can be "
        "set are the parameters in contacts.defaults");
}

TEST_CASE(
    "shapes: a saved run goes on as it would have, in the air, as it lands, slides, sticks, "
    "rolls") {
  // Bit for bit; by Newton matrices within their tolerance, as these know the elements that they have met.
  ShapeModel s{.contacts = "{defaults: {stiffness: 1e8, rolling: 1e-3}}"};
  s.floor();
  s.add({.name = "box", .r = {0, 0, 0.08}, .v = {1, 0.3, 0}, .angles = {0.3, 0.2, 0.1}});
  s.add({.name = "can",
         .shape = "shape: cylinder, radius: 0.03, length: 0.1",
         .r = {0.3, 0, 0.06},
         .v = {0.2, 0.1, 0},
         .angles = {1.5, 0.1, 0.2}});
  s.add({.name = "ball",
         .shape = "shape: sphere, radius: 0.05",
         .r = {-0.2, 0, 0.05},
         .v = {2, 0.7, 0},
         .w = {1, 2, 3}});
  const std::string text = s.text() +
                           "simulation: {stop: 0.6, interval: 0.1}\n"
                           "outputs: [\"*_.r_0\", \"*_.w_a\"]\n";
  for (const IntegratorChoice method : {IntegratorChoice::ida, IntegratorChoice::explicitMethod,
                                        IntegratorChoice::automatic, IntegratorChoice::stepping}) {
    for (const double at : {0.01, 0.1, 0.35, 0.55}) {
      CAPTURE(std::string(word(method)));
      CAPTURE(at);
      const bool byMatrix = method == IntegratorChoice::ida || method == IntegratorChoice::stepping;
      const double apart = byMatrix ? kShapesRun : 0;
      RunOptions options{.stopTime = 0.6, .integrator = method};
      if (method == IntegratorChoice::stepping) options.step = 1e-3;
      Simulation run = simulationOfText(text);
      run.start(options);
      goOnTo(run, at);
      const auto saved = run.save();
      const auto first = goOnTo(run, 0.6);
      run.restore(saved);
      CHECK(areSame(goOnTo(run, 0.6), first, apart));
      Simulation other = run.another();
      other.start(options);
      other.restore(saved);
      CHECK(areSame(goOnTo(other, 0.6), first, apart));
    }
  }
}

TEST_CASE(
    "shapes: their sizes and materials follow what is set, their kind does not change alone") {
  const std::string text = boxModel(0, "stiffness: kappa", "0") + "outputs: [body.r_0]\n";
  const auto restOf = [&](const Overrides& set) {
    return test::runModel(text, {.stopTime = 1.0}, set).last("body.r_0[3]");
  };
  CHECK(std::abs(restOf({"a=0.2"}) - (0.1 - kShapesG / 4e6)) < 1e-9);
  CHECK(std::abs(restOf({"box.size=[0.1, 0.1, 0.08]"}) - (0.04 - kShapesG / 1e6)) < 1e-9);
  CHECK(std::abs(restOf({"box.size[3]=0.08"}) - (0.04 - kShapesG / 1e6)) < 1e-9);
  CHECK(std::abs(restOf({"kappa=1e7", "m=2"}) - (0.05 - 2 * kShapesG / 1e5)) < 1e-9);
  CHECK(std::abs(restOf({"floor.r=[0, 0, -0.01]"}) - (0.04 - kShapesG / 1e6)) < 1e-9);
  CHECK_THROWS_WITH_AS(
      restOf({"box.shape=sphere", "box.radius=0.1"}),
      "model.yaml:7:36: error: Contact.Shape 'box': 'size' is of no use with shape: sphere",
      ModelError);
}

TEST_CASE(
    "shapes: equilibrium finds where a box rests, from any depth and height, and on an incline") {
  for (const double z0 :
       {-1e-6, -kShapesG / 1e6, -1e-4, 0.0, 1e-8, 0.01, 0.05, 0.1, 0.3, 2.0, 20.0}) {
    CAPTURE(z0);
    const ShapeRest r = restOfShapes(boxModel(z0));
    CHECK(r.rest.found);
    CHECK(r.rest.unstable == 0);
    CHECK(std::abs(r.value("body.r_0[3]") - (0.05 - kShapesG / 1e6)) < 1e-12);
  }
  const ShapeRest tilted = restOfShapes(boxModel(-1e-5, "stiffness: kappa", "0", 0.2));
  CHECK(tilted.rest.found);
  CHECK(std::abs(tilted.value("contact.floor.box.bristle[1]") + 1e-5 * std::tan(0.2) / 0.5) <
        1e-11);
  CHECK(std::abs(tilted.value("body.r_0[1]")) < 1e-9);
}

TEST_CASE(
    "shapes: a box on its face bounces at sqrt(kappa A/m) without loss, critically damped with") {
  const double w = std::sqrt(1e8 * 0.01);
  const auto lossless = eigenvaluesOf(
      modesAtRest(boxModel(-1e-5, "stiffness: kappa, restitution: 1")), "body.r_0[3]");
  REQUIRE(lossless.size() == 1);
  CHECK(std::abs(lossless[0].real()) < 1e-9 * w);
  CHECK(std::abs(lossless[0].imag() - w) < 1e-6 * w);
  for (const double e : {0.3, 0.8}) {
    CAPTURE(e);
    const auto damped = eigenvaluesOf(
        modesAtRest(boxModel(-1e-5, fmt::format("stiffness: kappa, restitution: {}", e))),
        "body.r_0[3]");
    // A double eigenvalue splits by the root of what it is known to.
    for (const auto& x : damped) CHECK(std::abs(x + w) < 1e-5 * w);
  }
}

TEST_CASE(
    "shapes: sensitivities of a rest height by mass, stiffness and size are those of its depth") {
  const Trajectory rows =
      shapeSensitivities(boxModel(0.01, "stiffness: kappa", "0"), {"m", "kappa", "a"}, 1);
  const auto d = [&](const std::string& of, const std::string& by) {
    return rows["d(" + of + ")/d(" + by + ")"].back();
  };
  const double depth = kShapesG / 1e6;
  CHECK(std::abs(d("body.r_0[3]", "m") / -depth - 1) < kShapesRun);
  CHECK(std::abs(d("body.r_0[3]", "kappa") / (depth / 1e8) - 1) < kShapesRun);
  CHECK(std::abs(d("body.r_0[3]", "a") - (0.5 + 2 * depth / 0.1)) < 1e-7);
  CHECK(std::abs(d("contact.floor.box.f_n", "m") - kShapesG) < 1e-6);
  CHECK(std::abs(d("contact.floor.box.f_n", "a")) < 1e-4);
  const Trajectory as_deep = shapeSensitivities(boxModel(0.01, "penetration: 1e-5", "0"), {"m"}, 1);
  CHECK(std::abs(as_deep["d(body.r_0[3])/d(m)"].back()) < 1e-9 * depth / 1e-5);
}

TEST_CASE("shapes: sensitivities go through touch, slide and stop") {
  // v0^2/(2 mu g), but for the elastic displacement at its end.
  const Trajectory rows = shapeSensitivities(boxModel(0), {"mu", "v0"}, 0.5);
  const double x = 1 / (2 * 0.3 * kShapesG);
  CHECK(std::abs(rows["body.r_0[1]"].back() - x) < 3e-5);
  CHECK(std::abs(rows["d(body.r_0[1])/d(mu)"].back() / (-x / 0.3) - 1) < 1e-4);
  CHECK(std::abs(rows["d(body.r_0[1])/d(v0)"].back() / (2 * x) - 1) < 1e-4);
}
