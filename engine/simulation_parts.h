/// SimulationParts: what a Simulation is made of, for the inside of the engine and its tests.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "engine/initialisation/initial_report.h"

namespace cardan {

class Equations;
class EventSystem;
class InputFeed;
class Model;
class MultibodySystem;
class Run;

struct SimulationParts {
  SimulationParts();
  ~SimulationParts();

  std::shared_ptr<const Model> model;
  std::unique_ptr<Equations> equations;  ///< of this run
  std::unique_ptr<EventSystem> events;
  std::unique_ptr<MultibodySystem> system;  ///< the equations as the integrator sees them
  InitialReport initial;
  std::unique_ptr<InputFeed> feed;                 ///< of the run, or of the last one
  std::map<std::string, int, std::less<>> inputs;  ///< their numbers, once asked for
  std::unique_ptr<Run> run;
};

}  // namespace cardan
