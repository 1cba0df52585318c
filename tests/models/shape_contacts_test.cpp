// Shapes that rest, stick, slide, roll and tip, against closed forms, by every method.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "engine/saved_state.h"
#include "tests/models/shape_models.h"

using namespace cardan;
using test::FreeShape;
using test::kShapesG;
using test::kShapesMethods;
using test::kShapesRun;
using test::ModelRun;
using test::ShapeModel;

namespace {

constexpr double kIncline = 20 * std::numbers::pi / 180;  ///< [rad]
constexpr double kBallRadius = 0.1;                       ///< [m]

std::string stiff(double kappa, const std::string& more = "") {
  return fmt::format("{{defaults: {{stiffness: {}{}}}}}", kappa, more);
}

/// Where an increasing function of the depth is zero.
double depthAt(const std::function<double(double)>& excess) {
  double low = 0, high = 1e-2;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (excess(middle) > 0 ? high : low) = middle;
  }
  return low;
}

/// Of a body on the floor: the depth at which this volume below it carries m.
double restDepth(double m, double kappa, const std::function<double(double)>& volume) {
  return depthAt([&](double d) { return kappa * volume(d) - m * kShapesG; });
}

double ballCap(double R, double d) { return std::numbers::pi * d * d * (R - d / 3); }

FreeShape ballOfOneKilogram() {
  return {.name = "b",
          .shape = fmt::format("shape: sphere, radius: {}", kBallRadius),
          .I = Eigen::Vector3d::Constant(0.4 * kBallRadius * kBallRadius),
          .r = {0, 0, kBallRadius}};
}

/// [m]  of its friction: the centre of the pressure is half a depth above the lowest point.
double leverOfBall(double kappa) {
  return kBallRadius - restDepth(1, kappa, [](double d) { return ballCap(kBallRadius, d); }) / 2;
}

/// A can of 0.5 kg on the floor.
FreeShape can(double z, double turn) {
  constexpr double R = 0.03, H = 0.1, m = 0.5;
  const double across = m * (3 * R * R + H * H) / 12;
  return {.name = "c",
          .shape = fmt::format("shape: cylinder, radius: {}, length: {}", R, H),
          .m = m,
          .I = {across, across, m * R * R / 2},
          .r = {0, 0, z},
          .angles = {turn, 0, 0}};
}

/// A box between two plates, each pressed on it by 10 N.
ShapeModel pressed(double m) {
  ShapeModel s{.contacts = stiff(1e8, ", mu: 0.6")};
  for (const auto& [side, x, f] : {std::tuple("l", -0.06, 10), {"r", 0.06, -10}}) {
    s.component(
        fmt::format("j{}: {{type: Prismatic, useAxisFlange: true, s: {{start: {}, fixed: "
                    "true}}, v: {{fixed: true}}}}",
                    side, x));
    s.component(fmt::format("b{}: {{type: Body, m: 1, r_CM: [0, 0, 0]}}", side));
    s.component(fmt::format("p{}: {{type: Contact.Shape, size: [0.02, 0.3, 0.3]}}", side));
    s.component(fmt::format("f{}: {{type: Translational.Force, f: {}}}", side, f));
    s.connect("world.frame_b", fmt::format("j{}.frame_a", side));
    for (const char* part : {"b", "p"})
      s.connect(fmt::format("j{}.frame_b", side), fmt::format("{}{}.frame_a", part, side));
    s.connect(fmt::format("f{}.flange", side), fmt::format("j{}.axis", side));
  }
  return s.add({.name = "box", .m = m, .r = {0, 0, 0}});
}

}  // namespace

TEST_CASE(
    "Contact.Shape: a box dropped flat rests as deep as its weight presses it, in few steps") {
  ShapeModel s;
  s.floor().add({.name = "b", .r = {0, 0, 0.15}});
  for (const std::string& method : kShapesMethods) {
    CAPTURE(method);
    const ModelRun r = s.run(method, 2, 10, "b_.r_0, contact.floor.b.**", 1e-6);
    CHECK(std::abs(0.05 - r.last("b_.r_0[3]") - kShapesG / 1e6) < 1e-9);
    CHECK(std::abs(r.last("contact.floor.b.f_n") - kShapesG) < 1e-5);
    CHECK(std::abs(r.last("contact.floor.b.f_0[3]") + kShapesG) < 1e-5);
    CHECK(std::abs(r.last("contact.floor.b.gap") + kShapesG / 1e6) < 1e-9);
    CHECK(r.last("contact.floor.b.touching") == 1);
    CHECK(r.last("contact.floor.b.stuck") == 1);
    CHECK(r.report.integrator.steps <= 700);
  }
}

TEST_CASE("Contact.Shape: a box on an incline sticks by a small displacement, and stays") {
  // It lands on the incline while it moves: less than 25 um, m g sin / (mu m g cos) z_s among them.
  ShapeModel s{.contacts = stiff(1e8, ", mu: 0.5")};
  s.floor().add({.name = "b"}).tilt(kIncline);
  for (const std::string& method : kShapesMethods) {
    CAPTURE(method);
    const ModelRun r = s.run(method, 10, 10, "b_.r_0, b_.v_0, contact.floor.b.bristle[1]");
    CHECK(std::abs(r.last("b_.r_0[1]")) < 25e-6);
    const double z = 1e-5 * std::tan(kIncline) / 0.5;
    CHECK(std::abs(std::abs(r.last("contact.floor.b.bristle[1]")) - z) < 1e-10);
    // The explicit method rests at the edge of its stability, by its tolerance.
    const bool isImplicit = method != "explicit";
    for (int t = 1; t <= 10; ++t)
      CHECK(std::abs(r.at(t, "b_.v_0[1]")) < (isImplicit ? 1e-12 : 1e-6));
    CHECK(std::abs(r.last("b_.r_0[1]") - r.at(1, "b_.r_0[1]")) < (isImplicit ? 1e-12 : 1e-8));
  }
}

TEST_CASE("Contact.Shape: a box slides down an incline by Coulomb's law") {
  const double a = kShapesG * (std::sin(kIncline) - 0.3 * std::cos(kIncline));
  ShapeModel s{.contacts = stiff(1e8, ", mu: 0.3")};
  s.floor().add({.name = "b", .v = {0.2, 0, 0}}).tilt(kIncline);
  for (const std::string& method : kShapesMethods) {
    CAPTURE(method);
    const ModelRun r = s.run(method, 1, 10, "b_.r_0, b_.v_0");
    CHECK(std::abs(r.last("b_.r_0[1]") - 0.2 - a / 2) < 5e-5);
    CHECK(std::abs(r.last("b_.v_0[1]") - r.at(0.5, "b_.v_0[1]") - a / 2) < kShapesRun);
  }
}

TEST_CASE("Contact.Shape: smooth friction holds a load by a creep of v_c r/sqrt(1 - r^2)") {
  ShapeModel s{.contacts = stiff(1e8, ", mu: 0.5, friction: smooth, v_c: 1e-3")};
  s.floor().add({.name = "b"}).tilt(kIncline);
  const double r = std::tan(kIncline) / 0.5, creep = 1e-3 * r / std::sqrt(1 - r * r);
  for (const std::string method : {"ida", "automatic"}) {
    CAPTURE(method);
    const ModelRun run = s.run(method, 5, 5, "b_.v_0, contact.floor.b.v_slip");
    CHECK(std::abs(run.last("b_.v_0[1]") - creep) < kShapesRun * creep);
    CHECK(std::abs(run.last("contact.floor.b.v_slip") - creep) < kShapesRun * creep);
  }
}

TEST_CASE("Contact.Shape: five boxes on each other carry what is above them, and do not drift") {
  ShapeModel s;
  s.floor();
  for (int i = 0; i < 5; ++i) s.add({.name = fmt::format("b{}", i), .r = {0, 0, 0.05 + 0.1 * i}});
  for (const std::string method : {"ida", "automatic"}) {
    CAPTURE(method);
    const ModelRun r = s.run(method, 1.5, 3, "b*_.r_0, b*_.v_0, contact.*.*.f_n");
    double below = -0.05;
    for (int i = 0; i < 5; ++i) {
      CAPTURE(i);
      const std::string body = fmt::format("b{}_", i);
      const double load = (5 - i) * kShapesG, z = r.last(body + ".r_0[3]");
      const std::string pair = i == 0 ? "floor.b0" : fmt::format("b{}.b{}", i - 1, i);
      CHECK(std::abs(r.last("contact." + pair + ".f_n") - load) < kShapesRun);
      // The pressure below the rims of both falls off: 1e-3 of the depth.
      CHECK(std::abs((0.1 - (z - below)) / (load / 1e6) - 1) < 1e-3);
      below = z;
      for (int k = 1; k <= 3; ++k) {
        CHECK(std::abs(r.last(fmt::format("{}.v_0[{}]", body, k))) < 1e-9);
        const std::string place = fmt::format("{}.r_0[{}]", body, k);
        CHECK(std::abs(r.last(place) - r.at(1, place)) < 1e-9);
      }
    }
  }
}

TEST_CASE("Contact.Shape: two plates hold a box by friction up to 2 mu f") {
  const std::string outputs = "box_.r_0, box_.v_0, contact.*.*.f_n, contact.*.*.f_friction";
  for (const std::string& method : kShapesMethods) {
    CAPTURE(method);
    const ModelRun held = pressed(1).run(method, 5, 5, outputs);
    const double finest = method == "explicit" ? 1e-6 : 1e-12;
    CHECK(std::abs(held.last("box_.r_0[3]")) < 25e-6);
    CHECK(std::abs(held.last("box_.v_0[3]")) < finest);
    for (const std::string pair : {"contact.pl.box", "contact.pr.box"}) {
      CHECK(std::abs(held.last(pair + ".f_n") - 10) < kShapesRun);
      CHECK(std::abs(held.last(pair + ".f_friction") - kShapesG / 2) < kShapesRun);
    }
    const ModelRun fallen = pressed(1.3).run(method, 0.2, 2, outputs);
    const double a = kShapesG - 12 / 1.3;
    CHECK(std::abs(fallen.last("box_.v_0[3]") - fallen.at(0.1, "box_.v_0[3]") + a * 0.1) < 1e-5);
  }
}

TEST_CASE("Contact.Shape: a spin on a face stops by the limit that it shares with slip") {
  // J dw/dt = -mu m g r_g, r_g = a/sqrt(6): 0.1040 s from here.
  const double r_g = 0.1 / std::sqrt(6), J = 0.01 / 6, t = 0.1040;
  const double w0 = 0.5 * kShapesG * r_g * t / J;
  ShapeModel s{.contacts = stiff(1e8, ", mu: 0.5")};
  s.floor().add({.name = "b", .r = {0, 0, 0.05 - kShapesG / 1e6}, .w = {0, 0, w0}});
  for (const std::string& method : kShapesMethods) {
    CAPTURE(method);
    const ModelRun r = s.run(method, 2 * t, 200, "b_.w_a[3], b_.r_0, contact.floor.b.stuck");
    CHECK(std::abs(r.at(t / 2, "b_.w_a[3]") / w0 - 0.5) < 1e-4);
    CHECK(r.at(0.99 * t, "b_.w_a[3]") > 0.005 * w0);
    CHECK(std::abs(r.at(1.01 * t, "b_.w_a[3]")) < 0.01 * w0);
    CHECK(r.last("contact.floor.b.stuck") == 1);
    CHECK(std::abs(r.last("b_.r_0[1]")) < 1e-9);
  }
}

TEST_CASE("Contact.Shape: a box that overhangs tips when its centre is beyond the edge") {
  for (const std::string method : {"ida", "automatic"}) {
    for (const double overhang : {0.045, 0.051}) {
      CAPTURE(method);
      CAPTURE(overhang);
      ShapeModel s{.contacts = stiff(1e9)};
      s.fixed("table", "size: [0.4, 0.2, 0.1], r: [-0.2, 0, -0.05]");
      s.add({.name = "b", .r = {overhang - 0.05, 0, 0.05}});
      const ModelRun r = s.run(method, 1, 2, "b_.r_0, b_.v_0, contact.table.b.f_n");
      const double sag = 0.05 - r.last("b_.r_0[3]");
      if (overhang > 0.05) {
        CHECK(sag > 1);
        continue;
      }
      CHECK(std::abs(r.last("contact.table.b.f_n") - kShapesG) < 1e-5);
      // A bed of 3 times the margin to the edge; its middle is 2/3 of what its edge is below.
      const double edge = 2 * kShapesG / (1e9 * 3 * 0.005 * 0.1), tilt = edge / 0.015;
      CHECK(std::abs(sag - (edge - 0.005 * tilt)) < 0.01 * sag);
    }
  }
}

TEST_CASE("Contact.Shape: a can rests upright and lying as deep as its volume below the floor") {
  constexpr double kappa = 1e9, m = 0.5, R = 0.03, H = 0.1;
  const double upright = m * kShapesG / (kappa * std::numbers::pi * R * R);
  const double lying = restDepth(m, kappa, [](double d) {
    return H * (R * R * std::acos(1 - d / R) - (R - d) * std::sqrt(2 * R * d - d * d));
  });
  REQUIRE(std::abs(upright / 1.7348e-6 - 1) < 1e-4);
  REQUIRE(std::abs(lying / 2.826e-5 - 1) < 1e-3);
  for (const std::string& method : kShapesMethods) {
    CAPTURE(method);
    ShapeModel stands{.contacts = stiff(kappa)}, lies = stands;
    const ModelRun up = stands.floor().add(can(H / 2 + 0.01, 0)).run(method, 1, 2, "c_.r_0");
    CHECK(std::abs(H / 2 - up.last("c_.r_0[3]") - upright) < 1e-3 * upright);
    const ModelRun down =
        lies.floor().add(can(R + 0.01, std::numbers::pi / 2)).run(method, 1, 2, "c_.r_0, c_.v_0");
    CHECK(std::abs(R - down.last("c_.r_0[3]") - lying) < 1e-4 * lying);
    CHECK(std::abs(down.last("c_.v_0[1]")) < kShapesRun);
    CHECK(down.report.integrator.steps < 1500);
  }
}

TEST_CASE("Contact.Shape: a can that slides rolls on at 2/3 of its speed") {
  for (const std::string& method : kShapesMethods) {
    CAPTURE(method);
    FreeShape c = can(0.03, std::numbers::pi / 2);
    c.v = {1, 0, 0};
    ShapeModel s{.contacts = stiff(1e9, ", mu: 0.3")};
    const ModelRun r = s.floor().add(c).run(method, 0.5, 5, "c_.v_0, contact.floor.c.v_slip");
    CHECK(std::abs(r.last("c_.v_0[1]") - 2.0 / 3) < 1e-3);
    CHECK(std::abs(r.last("c_.v_0[1]") - r.at(0.4, "c_.v_0[1]")) < kShapesRun);
    CHECK(r.last("contact.floor.c.v_slip") < kShapesRun);
    CHECK(r.report.integrator.steps < 1500);
  }
}

TEST_CASE("Contact.Shape: a can rolls down an incline by 2/3 g sin, without a loss") {
  const double alpha = 0.3, a = 2.0 / 3 * kShapesG * std::sin(alpha);
  for (const std::string& method : kShapesMethods) {
    CAPTURE(method);
    ShapeModel s{.contacts = stiff(1e10, ", mu: 0.5")};
    s.floor().add(can(0.03, std::numbers::pi / 2)).tilt(alpha);
    const ModelRun r = s.run(method, 1, 2, "c_.v_0");
    CHECK(std::abs(2 * (r.last("c_.v_0[1]") - r.at(0.5, "c_.v_0[1]")) - a) < 1e-3 * a);
  }
}

TEST_CASE(
    "Contact.Shape: a ball that slides rolls on at 5/7 of its speed, on a floor and on a box") {
  const double ratio = kBallRadius / leverOfBall(1e9), rolling = 1 / (1 + 0.4 * ratio * ratio);
  REQUIRE(std::abs(rolling - 5.0 / 7) < 1e-3);
  for (const std::string& method : kShapesMethods) {
    double onFloor = 0;
    for (const bool onBox : {false, true}) {
      CAPTURE(method);
      CAPTURE(onBox);
      ShapeModel s{.contacts = stiff(1e9, ", mu: 0.3")};
      s.fixed("floor", onBox ? "size: [4, 4, 1], r: [0, 0, -0.5]" : "shape: plane");
      FreeShape ball = ballOfOneKilogram();
      ball.v = {1, 0, 0};
      const ModelRun r = s.add(ball).run(method, 1, 10, "b_.v_0, contact.floor.b.v_slip");
      CHECK(std::abs(r.last("b_.v_0[1]") - rolling) < 2e-5);
      CHECK(r.last("contact.floor.b.v_slip") < kShapesRun);
      if (onBox) CHECK(std::abs(r.last("b_.v_0[1]") - onFloor) < kShapesRun);
      onFloor = r.last("b_.v_0[1]");
    }
  }
}

TEST_CASE("Contact.Shape: a ball rolls down an incline by 5/7 g sin") {
  const double alpha = 0.3, ratio = kBallRadius / leverOfBall(1e9 / std::cos(alpha));
  const double a = kShapesG * std::sin(alpha) / (1 + 0.4 * ratio * ratio);
  for (const std::string& method : kShapesMethods) {
    CAPTURE(method);
    ShapeModel s{.contacts = stiff(1e9, ", mu: 0.5")};
    s.floor().add(ballOfOneKilogram()).tilt(alpha);
    const ModelRun r = s.run(method, 1, 2, "b_.v_0, b_.w_a");
    CHECK(std::abs(2 * (r.last("b_.v_0[1]") - r.at(0.5, "b_.v_0[1]")) - a) < 1e-5 * a);
    CHECK(std::abs(a / (5.0 / 7 * kShapesG * std::sin(alpha)) - 1) < 1e-3);
  }
}

/// Two wheels of one size, pressed together: one driven, the other with a load, half of what friction bears.
TEST_CASE("Contact.Shape: a wheel drives another one at its speed, whichever comes first") {
  for (const std::string shape : {"shape: sphere, radius: 0.1",
                                  "shape: capsule, radius: 0.1, length: 0.1, angles: [90, 0, 0]"}) {
    CAPTURE(shape);
    for (const bool swapped : {false, true}) {
      CAPTURE(swapped);
      ShapeModel s{.contacts = "{defaults: {mu: 0.5, penetration: 1e-5}}",
                   .world = "gravityType: NoGravity"};
      const auto wheel = [&](const std::string& name, const std::string& on,
                             const std::string& start) {
        s.component(
            fmt::format("j{}: {{type: Revolute, n: [0, 1, 0], useAxisFlange: true, phi: "
                        "{{fixed: true}}{}}}",
                        name, start));
        s.component(fmt::format("{}: {{type: Contact.Shape, {}}}", name, shape));
        s.connect(on, "j" + name + ".frame_a");
        s.connect("j" + name + ".frame_b", name + ".frame_a");
      };
      s.component(
          "px: {type: Prismatic, useAxisFlange: true, s: {start: 0.2, fixed: true}, v: {fixed: "
          "true}}");
      s.connect("world.frame_b", "px.frame_a");
      const auto driving = [&] { wheel("a", "world.frame_b", ""); };
      const auto driven = [&] { wheel("b", "px.frame_b", ", w: {start: -20, fixed: true}"); };
      swapped ? driven() : driving();
      swapped ? driving() : driven();
      s.component("drive: {type: Rotational.Speed, exact: true, w_ref: 20}");
      s.component("press: {type: Translational.Force, f: -20}");
      s.component("load: {type: Rotational.Torque, tau: 0.5}");
      s.component("body: {type: Body, m: 1, r_CM: [0, 0, 0], I_11: 1e-3, I_22: 1e-3, I_33: 1e-3}");
      s.connect("drive.flange", "ja.axis").connect("press.flange", "px.axis");
      s.connect("load.flange", "jb.axis").connect("jb.frame_b", "body.frame_a");
      const ModelRun r = s.run("ida", 1, 10, "jb.w, jb.frame_a.t, contact.**.bristle_n");
      const std::string pair = swapped ? "contact.b.a" : "contact.a.b";
      CHECK(std::abs(r.last("jb.w") + 20) < 1e-5);
      for (const char* name : {"jb.frame_a.t[1]", "jb.frame_a.t[3]"})
        CHECK(std::abs(r.last(name)) < 1e-7);
      CHECK(std::abs(r.last(pair + ".bristle_n")) < 1e-12);
    }
  }
}

TEST_CASE("Contact.Shape: rolling resistance slows a ball by its lever over the radius") {
  constexpr double lever = 1e-3;
  const double arm = leverOfBall(1e9), ratio = kBallRadius / arm;
  const double a = kShapesG * lever / arm / (1 + 0.4 * ratio * ratio);
  for (const std::string& method : kShapesMethods) {
    CAPTURE(method);
    FreeShape ball = ballOfOneKilogram();
    ball.v = {1, 0, 0};
    ball.w = {0, 10, 0};
    ShapeModel s{.contacts = stiff(1e9, fmt::format(", rolling: {}", lever))};
    const ModelRun r = s.floor().add(ball).run(method, 2, 2, "b_.v_0, b_.w_a");
    CHECK(std::abs(r.at(1, "b_.v_0[1]") - r.last("b_.v_0[1]") - a) < 1e-4 * a);
  }
}

TEST_CASE(
    "Contact.Shape: bodies of every shape rest on their faces by their volume below the floor") {
  constexpr double kappa = 1e9, m = 0.5, R = 0.03, H = 0.1, edge = 0.06;
  const double low = edge * std::numbers::phi * std::numbers::phi / (2 * std::sqrt(3.0));
  // Sides of a hull lean outwards: 138.19 degrees between two faces of an icosahedron.
  const double outwards = std::sqrt(5.0) / 2, triangle = std::sqrt(3.0) / 4 * edge * edge;
  struct Case {
    std::string shape;
    double height;                         ///< [m]  of the origin above its lowest point
    std::function<double(double)> volume;  ///< [m3]  by the depth
    Eigen::Vector3d angles{0, 0, 0};
  };
  const std::vector<Case> cases{
      {fmt::format("shape: capsule, radius: {}, length: {}", R, H),
       R,
       [](double d) { return 4.0 / 3 * std::sqrt(2 * R) * H * d * std::sqrt(d) + ballCap(R, d); },
       {std::numbers::pi / 2, 0, 0}},
      {"shape: ellipsoid, radii: [0.05, 0.04, 0.02]", 0.02,
       [](double d) { return 0.05 * 0.04 / (0.02 * 0.02) * ballCap(0.02, d); }},
      {fmt::format("shape: cone, radius: {}, length: {}", R, H), H / 2,
       [](double d) { return std::numbers::pi * R * R * H / 3 * (1 - std::pow(1 - d / H, 3)); }},
      {test::icosahedron(edge),
       low,
       [=](double d) {
         const double wider = 3 * edge * d * outwards / 2;
         return d * (triangle + wider);
       },
       {0, std::atan(1 / (std::numbers::phi * std::numbers::phi)), 0}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.shape);
    const double depth = restDepth(m, kappa, c.volume);
    ShapeModel s{.contacts = stiff(kappa)};
    s.floor().add(
        {.name = "b", .shape = c.shape, .m = m, .r = {0, 0, c.height + 1e-3}, .angles = c.angles});
    const ModelRun r = s.run("automatic", 1, 2, "b_.r_0, contact.floor.b.f_n");
    CHECK(std::abs(r.last("contact.floor.b.f_n") - m * kShapesG) < kShapesRun);
    CHECK(std::abs(c.height - r.last("b_.r_0[3]") - depth) < 1e-4 * depth);
  }
}

TEST_CASE("Contact.Shape: an ellipsoid that rocks comes to rest on its short axis") {
  ShapeModel s{.contacts = stiff(1e8, ", rolling: 1e-3")};
  s.floor().add({.name = "b",
                 .shape = "shape: ellipsoid, radii: [0.05, 0.04, 0.02]",
                 .I = {4e-4, 5.8e-4, 8.2e-4},
                 .r = {0, 0, 0.025},
                 .angles = {0.3, 0.2, 0}});
  const ModelRun r = s.run("automatic", 4, 4, "b_.frame_a.R.T[3,3], b_.w_a");
  CHECK(r.first("b_.frame_a.R.T[3,3]") < 0.95);
  CHECK(r.last("b_.frame_a.R.T[3,3]") > 0.999);
  for (int i = 1; i <= 3; ++i) CHECK(std::abs(r.last(fmt::format("b_.w_a[{}]", i))) < 1e-2);
}

TEST_CASE("Contact.Shape: another run goes on from a saved one, bit for bit") {
  ShapeModel model{.contacts = "{defaults: {mu: 0.5, friction: stick, restitution: 0.8}}"};
  FreeShape ball = ballOfOneKilogram();
  ball.r = {0, 0, 0.2};
  ball.v = {0.5, 0.1, -0.2};
  model.floor().add(ball);
  for (const std::string& method : kShapesMethods) {
    CAPTURE(method);
    const auto begun = [&] {
      auto s = std::make_unique<Simulation>(Simulation::fromText(
          catalogue(), model.text() + "simulation: {stop: 0.5, integrator: " + method + "}\n",
          "model.yaml"));
      s->start({.outputs = {"b_.r_0", "b_.w_a"}});
      return s;
    };
    const auto first = begun(), second = begun();
    first->advance(0.2);  // in flight, after it has touched the floor
    second->restore(first->save());
    first->advance(0.5);
    second->advance(0.5);
    for (const char* name : {"b_.r_0[1]", "b_.r_0[3]", "b_.w_a[1]", "b_.w_a[2]", "b_.w_a[3]"}) {
      CAPTURE(name);
      CHECK(second->value(second->variable(name)) == first->value(first->variable(name)));
    }
  }
}

TEST_CASE("Contact.Shape: `penetration` is the depth of the lighter body at rest") {
  struct Case {
    std::string shape;
    double height, turn;
  };
  const std::vector<Case> cases{{"size: [0.1, 0.1, 0.1]", 0.05, 0},
                                {"shape: sphere, radius: 0.1", 0.1, 0},
                                {"shape: ellipsoid, radii: [0.1, 0.1, 0.05]", 0.05, 0},
                                {"shape: cylinder, radius: 0.03, length: 0.1", 0.03, 1},
                                {"shape: capsule, radius: 0.03, length: 0.1", 0.03, 1},
                                {"shape: capsule, radius: 0.05, length: 0.01", 0.05, 1}};
  for (const Case& c : cases) {
    for (const double penetration : {1e-6, 1e-4}) {
      CAPTURE(c.shape);
      CAPTURE(penetration);
      ShapeModel s{.contacts = fmt::format("{{defaults: {{penetration: {}}}}}", penetration)};
      s.floor().add({.name = "b",
                     .shape = c.shape,
                     .m = 3,
                     .r = {0, 0, c.height},
                     .angles = {c.turn * std::numbers::pi / 2, 0, 0}});
      const ModelRun r = s.run("automatic", 1, 2, "b_.r_0");
      // Of a ball the law has d/(3 R) less than the volume it is taken from.
      CHECK(std::abs((c.height - r.last("b_.r_0[3]")) / penetration - 1) < 1e-3);
    }
  }
}

TEST_CASE(
    "Contact.Shape: a rattleback that is spun one way turns back, the other way it does not") {
  // The stone of Kane and Levinson (1982): its axes of inertia are turned against those of its belly.
  const auto spins = [](double w) {
    const std::string text = fmt::format(R"(
world: {{g: 9.81, n: [0, 0, -1]}}
components:
  floor: {{type: Contact.Shape, shape: plane}}
  stone: {{type: Body, m: 1, r_CM: [0, 0, 0], I_11: 2e-4, I_22: 1.6e-3, I_33: 1.7e-3, I_21: -2e-5,
          r_0: {{start: [0, 0, 0.010077], fixed: true}}, v_0: {{fixed: true}}, angles_fixed: true,
          angles_start: [0.5 deg, 0.5 deg, 0], w_0_fixed: true, w_0_start: [0, 0, {}]}}
  up: {{type: FixedTranslation, r: [0, 0, 0.01]}}
  belly: {{type: Contact.Shape, shape: ellipsoid, radii: [0.2, 0.03, 0.02]}}
connections:
  - [world.frame_b, floor.frame_a]
  - [stone.frame_a, up.frame_a]
  - [up.frame_b, belly.frame_a]
contacts: {{defaults: {{mu: 0.6, friction: stick, restitution: 1, E: 1e12}}}}
simulation: {{stop: 2.1, interval: 0.05}}
)",
                                         w);
    return test::runModel(text, {.outputs = {"stone.w_a[3]"}})["stone.w_a[3]"];
  };
  const std::vector<double> back = spins(-5), on = spins(5);
  CHECK(back.back() > 0.2);
  // Friction about the normal alone stops this one, later.
  CHECK(on.back() > 0.5);
  for (size_t i = 1; i < on.size(); ++i) CHECK(on[i] < on[i - 1] + 0.2);
}
