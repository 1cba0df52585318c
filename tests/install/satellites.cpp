// Uses what stands on the engine as a user's program does: a robot from a text, its picture, its modes
// against a closed form, a study.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numbers>
#include <string>

#include "components/catalogue.h"
#include "engine/analysis/equilibrium.h"
#include "engine/analysis/modes.h"
#include "engine/picture/pictures.h"
#include "engine/robots/import.h"
#include "engine/study/study_runs.h"

namespace {

using namespace cardan;

const char* const kPendulum = R"(<robot name="pendulum"><link name="base"/>
<link name="arm"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
  <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint>
</robot>)";

RobotImport pendulum() {
  Diagnostics diagnostics;
  auto robot = importRobotText(kPendulum, "pendulum.urdf", {}, diagnostics);
  diagnostics.throwIfErrors();
  return *robot;
}

/// [Hz]  at which it swings about the way it hangs.
double frequencyOf(Simulation& simulation) {
  simulation.initialise();
  const Equilibrium rest = findEquilibrium(simulation, {0, simulation.y(), simulation.yp()});
  return findModes(linearise(simulation, rest.point)).modes.at(0).frequency();
}

/// Last angle [rad] of each run of a study over the start of the hinge.
double lastAngle(const std::string& model, long run) {
  std::ofstream("pendulum.yaml") << model;
  std::ofstream("study.yaml") << "study: Starts\nmodel_file: pendulum.yaml\n"
                                 "vary: {hinge.phi.start: [0, 0.1]}\nkeep: [final(hinge.phi)]\n";
  const StudyRuns study(catalogue(), {}, "study.yaml");
  return study.run(run).at(0).value();
}

}  // namespace

int main() {
  const RobotImport robot = pendulum();
  Simulation simulation = Simulation::fromTree(catalogue(), robot.model.tree(), robot.model.files);

  RunPicture picture(simulation);
  Trajectory rows;
  picture.run(rows, {.stopTime = 1, .outputs = {"hinge.phi"}});
  picture.write("pendulum.glb");

  // J phi'' = -m g l phi with J = 0.1 + 2 0.5^2
  const double expected = std::sqrt(2 * 9.81 * 0.5 / 0.6) / (2 * std::numbers::pi);
  const double frequency = frequencyOf(simulation);
  const double moved = lastAngle(robot.model.text(), 1), still = lastAngle(robot.model.text(), 0);
  std::printf("%d links, %zu rows, swings %s, moves %s\n", robot.report.links, rows.time().size(),
              std::abs(frequency / expected - 1) < 1e-9 ? "as it should" : "wrongly",
              std::abs(still) < 1e-9 && std::abs(moved) > 1e-3 ? "when moved" : "wrongly");
  return 0;
}
