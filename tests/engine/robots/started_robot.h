/// A robot of a test: imported from a text, and at its start.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "components/catalogue.h"
#include "engine/robots/import.h"
#include "engine/simulation.h"

namespace test {

/// Pre: the text has no mistake. `file`: its name, which says what kind of file it is.
inline cardan::RobotImport importedRobot(const std::string& text, const std::string& file,
                                         const cardan::robots::ImportOptions& options = {}) {
  cardan::Diagnostics diagnostics;
  auto robot = cardan::importRobotText(text, file, options, diagnostics);
  REQUIRE_MESSAGE(robot.has_value(), diagnostics.format());
  return std::move(*robot);
}

/// The robot at its start, with `set` as behind --set.
class StartedRobot {
 public:
  StartedRobot(cardan::RobotImport robot, const cardan::Overrides& set,
               const std::vector<std::string>& outputs)
      : robot_(std::move(robot)),
        simulation_(cardan::Simulation::fromTree(cardan::catalogue(), robot_.model.tree(),
                                                 robot_.model.files, set)) {
    cardan::RunOptions options;
    options.stopTime = 1;
    options.outputs = outputs;
    simulation_.start(options);
  }
  double operator[](const std::string& name) {
    return simulation_.value(simulation_.variable(name));
  }
  cardan::Simulation& simulation() { return simulation_; }
  const cardan::RobotImport& robot() const { return robot_; }

 private:
  cardan::RobotImport robot_;
  cardan::Simulation simulation_;
};

}  // namespace test
