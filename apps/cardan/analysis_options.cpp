#include "apps/cardan/analysis_options.h"

#include <fmt/format.h>

#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/run_options.h"
#include "engine/model_file/model_source.h"
#include "engine/motion_point.h"
#include "engine/text/listing.h"

namespace cardan {

void AnalysisOptions::add(CLI::App& command, bool offered) {
  model.add(command);
  addOption(command, "--at", at, "S",
            "time of the run at which the model is looked at (default: its start)", finiteNumber());
  CLI::Option* const steady = addPatterns(command, "--steady", rest.steady,
                                          "velocities that stay as the start has them while all "
                                          "else rests (repeatable,\nor separated by ;)");
  if (offered) {
    steady->needs(
        command.add_flag("--at-equilibrium", atEquilibrium,
                         "at the equilibrium that is found from there (see cardan equilibrium)"));
  }
  command.add_flag("-q,--quiet", quiet, "print errors and results only");
}

AnalysisOptions::Place AnalysisOptions::go() const {
  Simulation& simulation = model.load(quiet);
  const ModelSource& source = simulation.source();
  refuseLibrary(source);
  double time = at.value_or(source.simulation.start);
  if (time < source.simulation.start) {
    refuse(fmt::format("--at {} lies before the start of the run, {} s", time,
                       source.simulation.start));
  }
  if (time > source.simulation.start) {
    if (source.simulation.integrator == IntegratorChoice::stepping) {
      refuse(
          "--at needs a method that is as exact as its tolerance on the way there: 'stepping' is "
          "not; 'ida', 'explicit' and 'automatic' are",
          source.simulation.integratorAt);
    }
    RunOptions run;
    run.stopTime = time;
    simulation.start(run);
    simulation.advance(time);
    time = simulation.time();
  } else {
    simulation.initialise();
  }
  MotionPoint point = standingPoint(simulation, time);
  if (atEquilibrium) {
    Equilibrium e = findEquilibrium(simulation, point, rest);
    if (!e.found) throw AnalysisError(explainNoEquilibrium(e));
    printUnfit(e);
    point = std::move(e.point);
  }
  return {simulation, std::move(point)};
}

LinearModel AnalysisOptions::linearAt(const Place& place, const std::vector<std::string>& inputs,
                                      const std::vector<std::string>& outputs) {
  LinearisationOptions what{.inputs = inputs};
  for (const std::string& pattern : outputs) what.outputs.push_back({pattern, {}});
  return linearise(place.simulation, place.point, what);
}

void AnalysisOptions::printNotes(const LinearModel& linear) const {
  if (quiet) return;
  for (const std::string& w : linear.warnings) printMessages("warning: " + w);
  printFrozen(linear.frozen);
  for (const std::string& text : linear.bends) {
    printMessages("note: '" + text +
                  "' bends or jumps just here: what follows holds on one side of it");
  }
}

void AnalysisOptions::printFrozen(const std::vector<std::string>& modes) const {
  constexpr size_t kMost = 8;
  if (!quiet && !modes.empty())
    printMessages("note: holds with these modes of parts: " + joinMost(modes, kMost));
}

void AnalysisOptions::printUnfit(const Equilibrium& equilibrium) const {
  if (const std::string text = warningOfUnfit(equilibrium); !quiet && !text.empty())
    printMessages("warning: " + text);
}

}  // namespace cardan
