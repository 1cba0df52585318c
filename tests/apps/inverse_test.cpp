// cardan inverse: a motion that was simulated needs the forces that made it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

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
  REQUIRE(test::cardan(folder, "simulate driven.yaml --set d=0.5 -q -o motion.csv").code == 0);
  const Process p = test::cardan(folder,
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
  const Process p = test::cardan(folder, "inverse p.yaml --motion m.csv -q -o f.csv");
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

TEST_CASE("inverse: a four-bar driven at the crank; columns that its loop ties are not used") {
  const Folder folder;
  folder.write("driven.yaml", drivenFourbar());
  folder.write("fourbar.yaml", model("loops/fourbar.yaml"));
  REQUIRE(test::cardan(folder, "simulate driven.yaml -q -o motion.csv").code == 0);
  const Process p = test::cardan(folder,
                                 "inverse fourbar.yaml --motion motion.csv -y rocker_joint.phi "
                                 "-y rocker_joint.frame_a.f -o forces.csv");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  CHECK(p.err.find("note: loops tie 'rocker_joint.phi' to 'crank_joint.phi': what the file says of "
                   "'rocker_joint.phi' is not used") != std::string::npos);
  const auto motion = cardan::ResultTable::read(folder / "motion.csv");
  const auto forces = cardan::ResultTable::read(folder / "forces.csv");
  CHECK(largestDifference(motion, "drive.flange.tau", forces, "drive(crank_joint.phi)", -1) < 1e-8);
  CHECK(largestDifference(motion, "rocker_joint.phi", forces, "rocker_joint.phi") < 1e-8);
  // Within the plane, where the reactions are determined.
  for (const char* f : {"rocker_joint.frame_a.f[1]", "rocker_joint.frame_a.f[2]"})
    CHECK(largestDifference(motion, f, forces, f) < 1e-8);

  // With a second actuator: the same power, and forces in the ratio of the velocities.
  const Process both =
      test::cardan(folder,
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

TEST_CASE("inverse: what cannot be done is said") {
  const Folder folder;
  folder.write("arm.yaml", model("robots/arm6.yaml"));
  folder.write("m.csv", "time,r1.phi,r2.phi\n0,0.3,-0.5\n1,0.4,-0.4\n");
  folder.write("n.csv", "time,x\n0,0.3\n");
  const auto error = [&](const std::string& arguments, int code) {
    const Process p = test::cardan(folder, "inverse " + arguments + " -o f.csv");
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
  CHECK_FALSE(folder.has("f.csv"));
}
