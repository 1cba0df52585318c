// cardan inverse: a motion that was simulated needs the forces that made it.
#include <doctest/doctest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "engine/results/result_table.h"
#include "tests/apps/process.h"

using test::Folder;
using test::Process;

namespace {

/// `text` with `added` behind the first `behind`.
std::string withBehind(std::string text, const std::string& behind, const std::string& added) {
  const size_t at = text.find(behind);
  REQUIRE(at != std::string::npos);
  return text.insert(at + behind.size(), added);
}

/// Behind `slider` and `crank` of a file: a piston, driven by a rod; and what connects all of them.
const std::string kCrankDrive = R"(  piston: {type: Body, m: 1}
  disc: {type: BodyShape, r: [0.3, 0, 0], m: 1, I_33: 0.1}
  pin: {type: Revolute}
  rod: {type: BodyShape, r: [0.8, 0, 0], m: 0.5, r_CM: [0.4, 0, 0], I_33: 0.01}
  end: {type: Revolute, cut: true}
connections:
  - [world.frame_b, slider.frame_a]
  - [slider.frame_b, piston.frame_a]
  - [world.frame_b, crank.frame_a]
  - [crank.frame_b, disc.frame_a]
  - [disc.frame_b, pin.frame_a]
  - [pin.frame_b, rod.frame_a]
  - [rod.frame_b, end.frame_a]
  - [end.frame_b, piston.frame_a]
)";

std::string model(const std::string& name) {
  return test::readFile(CARDAN_SOURCE_DIR "/models/" + name);
}

/// arm6 with a torque in every joint, with what a motion is made of among its outputs.
std::string drivenArm() {
  std::string text = model("robots/arm6.yaml");
  std::string torques, connections;
  for (const std::string j : {"1", "2", "3", "4", "5", "6"}) {
    torques += "  m" + j + ": {type: Rotational.Torque, tau: \"40/" + j + "^2*(1 + sin((2 + " + j +
               ")*time))\"}\n";
    connections += "  - [m" + j + ".flange, r" + j + ".axis]\n";
  }
  text = withBehind(text, "\ncomponents:\n", torques);
  text = withBehind(text, "\nconnections:\n", connections);
  return withBehind(text, "\noutputs: [", "\"r?.a\", \"m?.flange.tau\", ");
}

std::string drivenFourbar() {
  std::string text = model("loops/fourbar.yaml");
  text = withBehind(text, "crank_joint:   {type: Revolute, ", "useAxisFlange: true, ");
  text = withBehind(text, "\ncomponents:\n",
                    "  drive: {type: Rotational.Torque, tau: \"3*sin(4*time)\"}\n");
  text = withBehind(text, "\nconnections:\n", "  - [drive.flange, crank_joint.axis]\n");
  return withBehind(text, "\noutputs: [",
                    "crank_joint.a, drive.flange.tau, rocker_joint.frame_a.f, ");
}

double largestDifference(const cardan::ResultTable& a, const std::string& x,
                         const cardan::ResultTable& b, const std::string& y, double sign = 1) {
  const auto *u = a.find(x), *v = b.find(y);
  REQUIRE(u);
  REQUIRE(v);
  REQUIRE(u->size() == v->size());
  double largest = 0;
  for (size_t i = 0; i < u->size(); ++i)
    largest = std::max(largest, std::abs((*u)[i] - sign * (*v)[i]));
  return largest;
}

}  // namespace

TEST_CASE("inverse: the simulated motion of an arm gives back its torques") {
  const Folder folder;
  folder.write("driven.yaml", drivenArm());
  folder.write("arm.yaml", model("robots/arm6.yaml"));
  REQUIRE(test::runCardan(folder, "simulate driven.yaml --set d=0.5 -q -o motion.csv").code == 0);
  const Process p =
      test::runCardan(folder,
                      "inverse arm.yaml --set d=0.5 --motion motion.csv -y totalEnergy "
                      "-o forces.csv");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  const auto motion = cardan::ResultTable::read(folder / "motion.csv");
  const auto forces = cardan::ResultTable::read(folder / "forces.csv");
  CHECK(forces.time == motion.time);
  for (const std::string j : {"1", "2", "3", "4", "5", "6"}) {
    CAPTURE(j);
    CHECK(largestDifference(motion, "m" + j + ".flange.tau", forces, "drive(r" + j + ".phi)", -1) <
          1e-8);
  }
  CHECK(largestDifference(motion, "totalEnergy", forces, "totalEnergy") < 1e-8);
}

TEST_CASE("inverse: of angles alone, derivatives come from splines") {
  // A pendulum on a prescribed path phi = sin(2 t): (I + m L^2) phi'' + m g L cos(phi) by hand.
  const Folder folder;
  folder.write("p.yaml",
               "model: P\nworld: {g: 9.81}\ncomponents:\n  j: {type: Revolute}\n"
               "  b: {type: Body, m: 2, r_CM: [0.7, 0, 0], I_33: 0.1}\n"
               "connections:\n  - [world.frame_b, j.frame_a]\n  - [j.frame_b, b.frame_a]\n");
  std::string motion = "time,j.phi\n";
  constexpr int n = 1000;
  for (int i = 0; i <= n; ++i) {
    const double t = 2.0 * i / n;
    motion += std::to_string(i) + "e-3,";
    char number[40];
    std::snprintf(number, sizeof number, "%.17g\n", std::sin(2 * (t / 2)));
    motion += number;
  }
  folder.write("m.csv", motion);
  const Process p = test::runCardan(folder, "inverse p.yaml --motion m.csv -q -o f.csv");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  const auto forces = cardan::ResultTable::read(folder / "f.csv");
  const auto* drive = forces.find("drive(j.phi)");
  REQUIRE(drive);
  double largest = 0;
  for (size_t i = 0; i < forces.time.size(); ++i) {
    const double phi = std::sin(2 * forces.time[i]);
    const double needed = (0.1 + 2 * 0.49) * -4 * phi + 2 * 9.81 * 0.7 * std::cos(phi);
    largest = std::max(largest, std::abs((*drive)[i] - needed));
  }
  // At its end a slope errs by h^3/4 times the fourth derivative, and the slope of slopes there by up
  // to 20/3 / h times that (the coefficients of four points); h = 1e-3, phi'''' <= 16, I + m L^2 =
  // 1.08
  CHECK(largest < 1.08 * (20.0 / 3) * (16.0 / 4) * 1e-6);
}

TEST_CASE("inverse: a four-bar driven at the crank; columns that its loop ties are no motion") {
  const Folder folder;
  folder.write("driven.yaml", drivenFourbar());
  folder.write("fourbar.yaml", model("loops/fourbar.yaml"));
  REQUIRE(test::runCardan(folder, "simulate driven.yaml -q -o motion.csv").code == 0);
  const Process p = test::runCardan(folder,
                                    "inverse fourbar.yaml --motion motion.csv -y rocker_joint.phi "
                                    "-y rocker_joint.frame_a.f -o forces.csv");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  CHECK(p.err.find("note: loops tie 'rocker_joint.phi' to 'crank_joint.phi': what the file says of "
                   "'rocker_joint.phi' only tells which way the loops close") != std::string::npos);
  const auto motion = cardan::ResultTable::read(folder / "motion.csv");
  const auto forces = cardan::ResultTable::read(folder / "forces.csv");
  CHECK(largestDifference(motion, "drive.flange.tau", forces, "drive(crank_joint.phi)", -1) < 1e-8);
  CHECK(largestDifference(motion, "rocker_joint.phi", forces, "rocker_joint.phi") < 1e-8);
  // Within the plane, where the reactions are determined.
  for (const char* f : {"rocker_joint.frame_a.f[1]", "rocker_joint.frame_a.f[2]"})
    CHECK(largestDifference(motion, f, forces, f) < 1e-8);

  // With a second actuator: the same power, and forces in the ratio of the velocities.
  const Process both =
      test::runCardan(folder,
                      "inverse fourbar.yaml --motion motion.csv --actuator crank_joint.phi "
                      "--actuator rocker_joint.phi -y rocker_joint.w -q -o both.csv");
  REQUIRE(both.code == 0);
  const auto shared = cardan::ResultTable::read(folder / "both.csv");
  const auto &one = *forces.find("drive(crank_joint.phi)"),
             &crank = *shared.find("drive(crank_joint.phi)"),
             &rocker = *shared.find("drive(rocker_joint.phi)"), &w = *motion.find("crank_joint.w"),
             &wr = *shared.find("rocker_joint.w");
  for (size_t i = 0; i < one.size(); ++i) {
    CHECK(std::abs(one[i] * w[i] - crank[i] * w[i] - rocker[i] * wr[i]) < 1e-8);
    CHECK(std::abs(crank[i] * wr[i] - rocker[i] * w[i]) < 1e-8);
  }
}

TEST_CASE("inverse: a body on a spherical joint, turned about a fixed axis") {
  // Q = [n sin(p/2), cos(p/2)] with p = 2 sin(2 t): w = n p', torque I z + w x I w - r_CM x m g.
  const Folder folder;
  folder.write(
      "ball.yaml",
      "model: Ball\nworld: {g: 9.81, n: [0, -1, 0]}\ncomponents:\n  ball: {type: Spherical}\n"
      "  arm: {type: Body, m: 2, r_CM: [0.3, 0, 0.1], I_11: 0.1, I_22: 0.2, I_33: 0.25}\n"
      "connections:\n  - [world.frame_b, ball.frame_a]\n  - [ball.frame_b, arm.frame_a]\n");
  const Eigen::Vector3d n(1.0 / 3, 2.0 / 3, 2.0 / 3), c(0.3, 0, 0.1), g(0, -9.81, 0);
  Eigen::Matrix3d I = Eigen::Vector3d(0.1, 0.2, 0.25).asDiagonal();
  I += 2 * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
  const auto number = [](double x) {
    char text[40];
    std::snprintf(text, sizeof text, ",%.17g", x);
    return std::string(text);
  };
  std::string Qs = "time,ball.Q[1],ball.Q[2],ball.Q[3],ball.Q[4]", all = Qs;
  for (const char* v : {"ball.w_rel[1]", "ball.w_rel[2]", "ball.w_rel[3]", "der(ball.w_rel[1])",
                        "der(ball.w_rel[2])", "der(ball.w_rel[3])"})
    all += std::string(",\"") + v + "\"";
  constexpr int kRows = 1000;
  std::vector<Eigen::Vector3d> wanted;
  for (int i = 0; i <= kRows; ++i) {
    const double t = i * 1e-3, p = 2 * std::sin(2 * t);
    const Eigen::Vector3d w = n * (4 * std::cos(2 * t)), z = n * (-8 * std::sin(2 * t));
    std::string row = "\n" + number(t).substr(1);
    const double sign = i % 3 == 0 ? -1 : 1;  // both are the same orientation
    for (int k = 0; k < 3; ++k) row += number(sign * std::sin(p / 2) * n[k]);
    row += number(sign * std::cos(p / 2));
    Qs += row;
    for (const Eigen::Vector3d& x : {w, z})
      for (int k = 0; k < 3; ++k) row += number(x[k]);
    all += row;
    // Rodrigues, from world into the body.
    const Eigen::Vector3d gb =
        g * std::cos(p) - n.cross(g) * std::sin(p) + n * n.dot(g) * (1 - std::cos(p));
    wanted.push_back(I * z + w.cross(I * w) - c.cross(2 * gb));
  }
  folder.write("q.csv", Qs + "\n");
  folder.write("all.csv", all + "\n");
  const auto worstOf = [&](const std::string& motion) {
    const Process p =
        test::runCardan(folder, "inverse ball.yaml --motion " + motion + " -q -o f.csv");
    CAPTURE(p.err);
    REQUIRE(p.code == 0);
    const auto forces = cardan::ResultTable::read(folder / "f.csv");
    double worst = 0;
    for (int k = 0; k < 3; ++k) {
      const auto* f = forces.find("drive(ball.w_rel[" + std::to_string(k + 1) + "])");
      REQUIRE(f);
      for (size_t i = 0; i < wanted.size(); ++i)
        worst = std::max(worst, std::abs((*f)[i] - wanted[i][k]));
    }
    return worst;
  };
  CHECK(worstOf("all.csv") < 1e-12 * 10);
  // Slopes of slopes at the ends, as above; twice the fourth derivative of Q, at most (w/2)^4 + ...
  CHECK(worstOf("q.csv") < 1e-4);

  folder.write("part.csv", "time,ball.Q[1],ball.Q[3],ball.Q[4]\n0,0,0,1\n");
  const Process part = test::runCardan(folder, "inverse ball.yaml --motion part.csv -o f2.csv");
  CHECK(part.code == 1);
  CHECK(part.err ==
        "ball.yaml: error: the motion gives 'ball.Q[1]' and not 'ball.Q[2]': those of a joint with "
        "a quaternion belong together\n");
  folder.write("some.csv",
               "time,ball.Q[1],ball.Q[2],ball.Q[3],ball.Q[4],ball.w_rel[1]\n0,0,0,0,1,77\n");
  const Process some = test::runCardan(folder, "inverse ball.yaml --motion some.csv -o f2.csv");
  CHECK(some.code == 1);
  CHECK(some.err ==
        "ball.yaml: error: the motion gives 'ball.w_rel[1]' and not 'ball.w_rel[3]': those of a "
        "joint with a quaternion belong together\n");
  folder.write("zero.csv", "time,ball.Q[1],ball.Q[2],ball.Q[3],ball.Q[4]\n0,0,0,0,1\n1,0,0,0,0\n");
  const Process zero = test::runCardan(folder, "inverse ball.yaml --motion zero.csv -o f2.csv");
  CHECK(zero.code == 1);
  CHECK(
      zero.err ==
      "ball.yaml: error: at time = 1 s the motion gives no direction: 'ball.Q[1]' and the rest of "
      "its quaternion are zero\n");
  folder.write("angles.yaml",
               withBehind(folder.read("ball.yaml"), "{type: Spherical", ", useQuaternions: false"));
  const Process angles = test::runCardan(folder, "inverse angles.yaml --motion all.csv -o f2.csv");
  CHECK(angles.code != 0);
  CHECK_FALSE(folder.has("f2.csv"));
}

TEST_CASE("inverse: a free body needs the force and torque of Newton and Euler") {
  const Folder folder;
  folder.write(
      "free.yaml",
      "model: Free\nworld: {g: 9.81, n: [0, -1, 0]}\ncomponents:\n  free: {type: FreeMotion}\n"
      "  box: {type: Body, m: 2, r_CM: [0, 0, 0], I_11: 0.1, I_22: 0.2, I_33: 0.25}\n"
      "connections:\n  - [world.frame_b, free.frame_a]\n  - [free.frame_b, box.frame_a]\n");
  // Falls at half of gravity and turns about x with 3 rad/s, which is increased by 5 rad/s2.
  folder.write(
      "m.csv",
      "time,free.r_rel_a[1],free.r_rel_a[2],free.r_rel_a[3],free.Q[1],free.Q[2],free.Q[3],"
      "free.Q[4],free.v_rel_a[1],free.v_rel_a[2],free.v_rel_a[3],free.w_rel_b[1],"
      "free.w_rel_b[2],free.w_rel_b[3],der(free.v_rel_a[1]),der(free.v_rel_a[2]),"
      "der(free.v_rel_a[3]),der(free.w_rel_b[1]),der(free.w_rel_b[2]),der(free.w_rel_b[3])\n"
      "0,1,2,3,0,0,0,1,0.5,0,0,3,1,2,0,-4.905,0,5,0,0\n");
  const Process p =
      test::runCardan(folder,
                      "inverse free.yaml --motion m.csv --actuator free.v_rel_a[2] "
                      "--actuator free.w_rel_b[1] --actuator free.w_rel_b[2] --actuator "
                      "free.w_rel_b[3] -q -o f.csv");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  const auto forces = cardan::ResultTable::read(folder / "f.csv");
  // Euler: I z + w x I w with w = (3, 1, 2).
  const std::pair<const char*, double> wanted[] = {
      {"drive(free.v_rel_a[2])", 2 * 4.905},
      {"drive(free.w_rel_b[1])", 0.1 * 5 + 1 * 2 * (0.25 - 0.2)},
      {"drive(free.w_rel_b[2])", 2 * 3 * (0.1 - 0.25)},
      {"drive(free.w_rel_b[3])", 3 * 1 * (0.2 - 0.1)}};
  for (const auto& [name, value] : wanted) {
    CAPTURE(name);
    REQUIRE(forces.find(name));
    CHECK(std::abs(forces.find(name)->front() - value) < 1e-12);
  }
}

TEST_CASE("inverse: a quaternion that a loop ties to the crank follows from it") {
  // A four-bar in space: the ball is a joint of the tree, the loop is cut at its rocker's end.
  const Folder folder;
  const std::string text =
      "model: Space\nworld: {g: 9.81, n: [0, -1, 0]}\ncomponents:\n"
      "  crank_joint: {type: Revolute, n: [0, 0, 1], useAxisFlange: true, phi: {start: 0.5, fixed: "
      "true}, "
      "w: {start: 2, fixed: true}}\n"
      "  crank: {type: BodyBox, r: [0.2, 0, 0], width: 0.04}\n"
      "  ball: {type: Spherical}\n"
      "  rod: {type: BodyBox, r: [0.6, 0, 0.3], width: 0.03}\n"
      "  cross: {type: Universal, cut: true}\n"
      "  rocker: {type: BodyBox, r: [0, -0.5, 0], width: 0.04}\n"
      "  base: {type: FixedTranslation, r: [0.7, -0.5, 0.3]}\n"
      "  rocker_joint: {type: Revolute, n: [1, 0, 1]}\n"
      "connections:\n  - [world.frame_b, crank_joint.frame_a]\n  - [crank_joint.frame_b, "
      "crank.frame_a]\n"
      "  - [crank.frame_b, ball.frame_a]\n  - [ball.frame_b, rod.frame_a]\n"
      "  - [rod.frame_b, cross.frame_a]\n  - [cross.frame_b, rocker.frame_a]\n"
      "  - [rocker.frame_b, rocker_joint.frame_b]\n  - [base.frame_b, rocker_joint.frame_a]\n"
      "  - [world.frame_b, base.frame_a]\n"
      "simulation: {stop: 0.5, interval: 0.01, tolerance: 1e-10}\n"
      "outputs: [crank_joint.phi, crank_joint.w, crank_joint.a]\n";
  folder.write("free.yaml", text);
  std::string driven = withBehind(text, "components:\n",
                                  "  drive: {type: Rotational.Torque, tau: \"3*sin(4*time)\"}\n");
  driven = withBehind(driven, "connections:\n", "  - [drive.flange, crank_joint.axis]\n");
  folder.write("driven.yaml", withBehind(driven, "outputs: [", "drive.flange.tau, \"ball.Q\", "));
  const Process s = test::runCardan(folder, "simulate driven.yaml -q -o motion.csv");
  CAPTURE(s.err);
  REQUIRE(s.code == 0);
  const Process p =
      test::runCardan(folder, "inverse free.yaml --motion motion.csv -y ball.Q -o forces.csv");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  const auto motion = cardan::ResultTable::read(folder / "motion.csv");
  const auto forces = cardan::ResultTable::read(folder / "forces.csv");
  CHECK(largestDifference(motion, "drive.flange.tau", forces, "drive(crank_joint.phi)", -1) < 1e-8);
  for (const char* Q : {"ball.Q[1]", "ball.Q[2]", "ball.Q[3]", "ball.Q[4]"})
    CHECK(largestDifference(motion, Q, forces, Q) < 1e-8);
}

TEST_CASE("inverse: an actuator that does nothing at a dead centre is no source of force there") {
  const Folder folder;
  folder.write("crank.yaml", R"(
components:
  slider: {type: Prismatic, s: {start: 0.5}}
  crank: {type: Revolute, phi: {start: 2.6}}
)" + kCrankDrive);
  folder.write("m.csv",
               "time,crank.phi,crank.w,crank.a\n0,3.041592653589793,1,0\n"
               "0.1,3.141592653589793,1,0\n");
  const Process p =
      test::runCardan(folder, "inverse crank.yaml --motion m.csv --actuator slider.s -o f.csv");
  CHECK(p.code == 1);
  CHECK(p.err.starts_with(
      "crank.yaml: error: at time = 0.1 s: the actuators cannot make the motion"));
}

TEST_CASE("inverse: loops close the way the motion says, through dead centres, or it is told") {
  const Folder folder;
  // The slider comes first, so that it determines the motion: twice a turn it does not tell where the crank goes.
  folder.write("crank.yaml", R"yaml(
model: Crank
world: {gravityType: NoGravity}
components:
  slider: {type: Prismatic, s: {start: 0.95}}
  crank: {type: Revolute, phi: {start: 0.5, fixed: true}, w: {start: 9, fixed: true}}
)yaml" + kCrankDrive + R"yaml(simulation: {stop: 2, interval: 0.02, tolerance: 1e-10}
outputs: [slider.s, slider.v, slider.a, crank.phi, crank.w, crank.a, pin.phi, pin.w, pin.a]
)yaml");
  REQUIRE(test::runCardan(folder, "simulate crank.yaml -q -o m.csv").code == 0);
  const std::string inverse =
      "inverse crank.yaml -o f.csv --actuator crank.phi -y crank.phi -y pin.phi --motion ";
  const Process p = test::runCardan(folder, inverse + "m.csv");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  CHECK(p.err.find("loops tie 'crank.phi', 'pin.phi' to 'slider.s'") != std::string::npos);
  CHECK(p.err.find("warning") == std::string::npos);
  const auto motion = cardan::ResultTable::read(folder / "m.csv");
  auto found = cardan::ResultTable::read(folder / "f.csv");
  // Beside a dead centre the crank is known to the root of what the slider is known to.
  for (const char* x : {"crank.phi", "pin.phi"})
    CHECK(largestDifference(motion, x, found, x) < 1e-4);
  CHECK(motion.find("crank.phi")->back() > 15);  // turns

  // A file that contradicts itself: the loops decide, and it is said.
  std::string lines = "time,slider.s,slider.v,slider.a,pin.phi\n";
  for (size_t i = 0; i < 10; ++i) {
    lines += std::to_string(motion.time[i]);
    for (const char* x : {"slider.s", "slider.v", "slider.a"})
      lines += "," + std::to_string((*motion.find(x))[i]);
    lines += "," + std::to_string((*motion.find("pin.phi"))[i] + (i == 5 ? 0.7 : 0.0)) + "\n";
  }
  folder.write("wrong.csv", lines);
  const Process told = test::runCardan(folder, inverse + "wrong.csv");
  REQUIRE(told.code == 0);
  CHECK(told.err.find("warning: loops make of 'pin.phi' something else than the file says: it "
                      "differs by 0.7 rad at time = 0.1 s") != std::string::npos);
  found = cardan::ResultTable::read(folder / "f.csv");
  CHECK(std::abs((*found.find("pin.phi"))[5] - (*motion.find("pin.phi"))[5]) < 1e-4);
}

TEST_CASE("inverse: a part's own velocity and acceleration are those of its flange") {
  const Folder folder;
  folder.write("m.yaml", R"yaml(
components:
  wall:  {type: Translational.Fixed}
  tyre:  {type: Translational.Spring, c: 100, s_rel0: 0}
  wheel: {type: Translational.Mass, m: 1, s: {start: 1, fixed: true}, v: {fixed: true}}
  shaft: {type: Rotational.Inertia, J: 2, phi: {start: 0.1, fixed: true}, w: {start: 3, fixed: true}}
  gear:  {type: Rotational.IdealGear, ratio: 4}
  load:  {type: Rotational.Inertia, J: 1}
  twist: {type: Rotational.Spring, c: 30}
  base:  {type: Rotational.Fixed}
connections:
  - [wall.flange, tyre.flange_a]
  - [tyre.flange_b, wheel.flange_a]
  - [shaft.flange_b, gear.flange_a]
  - [gear.flange_b, load.flange_a]
  - [load.flange_b, twist.flange_a]
  - [twist.flange_b, base.flange]
simulation: {stop: 2, interval: 0.25, tolerance: 1e-10}
outputs: ["*.s", "*.phi", "**.s", "**.phi", "*.v", "*.w", "*.a"]
)yaml");
  REQUIRE(test::runCardan(folder, "simulate m.yaml -q -o motion.csv").code == 0);
  const Process p = test::runCardan(folder, "inverse m.yaml --motion motion.csv -q -o f.csv");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  // Rows are too far apart for splines: of the spring they would make forces of some newtons.
  const auto forces = cardan::ResultTable::read(folder / "f.csv");
  REQUIRE(forces.names().size() == 2);
  for (const std::string& name : forces.names()) {
    CAPTURE(name);
    for (const double f : *forces.find(name)) CHECK(std::abs(f) < 1e-8);
  }
}

TEST_CASE(
    "inverse: conditions are those of each instant, so that a simulated motion needs no force") {
  // A force of every kind of condition and bend, on positions, velocities and time, also behind a flange.
  const std::pair<const char*, const char*> forces[] = {
      {"if below", "if x.s < 0 then -500*x.s else 0"},
      {"through a variable", "if below then -500*x.s else 0"},
      {"abs", "-30*abs(x.s)*x.s - 20*x.s"},
      {"sign", "-0.02*sign(x.v) - 40*x.s"},
      {"max", "-max(100*x.s, 20*x.s)"},
      {"floor", "-40*x.s - floor(2*x.s)"},
      {"of time", "-40*x.s + (if time > 0.503 then 3 else -3)"},
      {"mod", "-40*x.s + mod(time, 0.317)"},
      {"block", "-spring.y"}};
  const Folder folder;
  for (const auto& [name, force] : forces) {
    CAPTURE(name);
    folder.write("m.yaml", std::string(R"yaml(
components:
  x: {type: Prismatic, n: [1, 0, 0], useAxisFlange: true, s: {start: 0.4, fixed: true}, v: {fixed: true}}
  b: {type: Body, m: 1, r_CM: [0, 0, 0]}
  f: {type: Translational.Force, f: ")yaml") +
                               force + R"yaml("}
  spring: {type: Blocks.Gain, k: 50, u: "if x.s > 0 then x.s else 2*x.s"}
variables: {below: "x.s < 0"}
connections:
  - [world.frame_b, x.frame_a]
  - [x.frame_b, b.frame_a]
  - [f.flange, x.axis]
simulation: {stop: 2, interval: 0.02, tolerance: 1e-10}
outputs: [x.s, x.v, x.a, f.f]
)yaml");
    REQUIRE(test::runCardan(folder, "simulate m.yaml -q --no-event-rows -o motion.csv").code == 0);
    const Process p =
        test::runCardan(folder, "inverse m.yaml --motion motion.csv -y f.f -q -o f.csv");
    CAPTURE(p.err);
    REQUIRE(p.code == 0);
    const cardan::ResultTable motion = cardan::ResultTable::read(folder / "motion.csv"),
                              needed = cardan::ResultTable::read(folder / "f.csv");
    CHECK(largestDifference(motion, "f.f", needed, "f.f") < 1e-9);
    // a is solved for to rounding.
    for (const double drive : *needed.find("drive(x.s)")) CHECK(std::abs(drive) < 1e-9);
  }
}

TEST_CASE("inverse: conditions on forces, and what events of a run set, are refused by name") {
  const std::pair<const char*, const char*> refused[] = {
      {"if x.frame_a.f[2] > 1 then 1 else 0",
       "takes no conditions on forces, found 'x.frame_a.f[2] > 1'"},
      {"if pushed then 1 else 0", "takes no conditions on forces, found 'x.frame_a.f[2] > 2'"},
      {"n*x.s", "takes nothing that events of a run set, found 'n'"},
      {"k", "takes nothing that events of a run set, found 'n'"}};
  const Folder folder;
  folder.write("motion.csv", "time,x.s\n0,0\n1,1\n2,1\n");
  for (const auto& [force, message] : refused) {
    CAPTURE(force);
    folder.write("m.yaml", std::string(R"yaml(
components:
  x: {type: Prismatic, n: [1, 0, 0], useAxisFlange: true}
  b: {type: Body, m: 1, r_CM: [0, 0, 0]}
  f: {type: Translational.Force, f: ")yaml") +
                               force + R"yaml("}
variables: {n: {start: 0, type: Integer}, k: "2*n", pushed: "x.frame_a.f[2] > 2"}
when: [{condition: "x.s > 0.5", set: {n: "pre(n) + 1"}}]
connections:
  - [world.frame_b, x.frame_a]
  - [x.frame_b, b.frame_a]
  - [f.flange, x.axis]
)yaml");
    const Process p = test::runCardan(folder, "inverse m.yaml --motion motion.csv -o -");
    CHECK(p.code == 1);
    CHECK(p.err == std::string("m.yaml: error: inverse dynamics ") + message + "\n");
  }
}

TEST_CASE("inverse: what cannot be done is said") {
  const Folder folder;
  folder.write("arm.yaml", model("robots/arm6.yaml"));
  folder.write("m.csv", "time,r1.phi,r2.phi\n0,0.3,-0.5\n1,0.4,-0.4\n");
  folder.write("n.csv", "time,x\n0,0.3\n");
  const auto error = [&](const std::string& arguments, int code) {
    const Process p = test::runCardan(folder, "inverse " + arguments + " -o f.csv");
    CHECK(p.code == code);
    return p.err;
  };
  CHECK(error("arm.yaml --motion n.csv", 2)
            .starts_with("n.csv: error: none of its columns is a coordinate of the model; these "
                         "are r1.phi, r2.phi"));
  CHECK(error("arm.yaml --motion nowhere.csv", 2).find("nowhere.csv") != std::string::npos);
  CHECK(error("arm.yaml --motion m.csv --actuator r1.ph", 2) ==
        "--actuator r1.ph: error: no coordinate 'r1.ph'; did you mean 'r1.phi'?\n");
  CHECK(error("arm.yaml --motion m.csv", 1) ==
        "arm.yaml: error: the motion leaves 'r3.phi' open: give it, too\n");
  folder.write(
      "o.csv",
      "time,r1.phi,r2.phi,r3.phi,r4.phi,r5.phi,r6.phi,x\n0,0,0,0,0,0,0,nan\n1,0,nan,0,0,0,0,0\n");
  CHECK(error("arm.yaml --motion o.csv", 2) ==
        "o.csv: error: 'r2.phi' must be a finite number, found nan at 1 s\n");
  CHECK_FALSE(folder.has("f.csv"));
}
