#include "tests/random/bounded_run.h"

#include <ctime>

#include "components/catalogue.h"
#include "engine/integration/solver_error.h"
#include "engine/text/diagnostics.h"

namespace cardan::random {
namespace {

double cpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

BoundedRun runBounded(const std::string& text, const BoundedRun::Settings& settings) {
  BoundedRun run;
  run.settings = settings;
  const double begun = cpuSeconds();
  RunOptions options;
  options.tolerance = settings.tolerance;
  if (settings.maximumStep > 0) options.maximumStep = settings.maximumStep;
  options.inputs = settings.inputs;
  if (settings.interval > 0) options.outputInterval = settings.interval;
  options.progress = [&](double) { return cpuSeconds() - begun < settings.cpuSeconds; };
  try {
    Simulation simulation = Simulation::fromText(catalogue(), text, "random.yaml");
    try {
      simulation.run(run.rows, options);
    } catch (...) {
      run.report = simulation.report();
      throw;
    }
    run.report = simulation.report();
    if (run.report.interrupted) run.end = BoundedRun::End::unfinished;
  } catch (const ModelError& e) {
    run.end = BoundedRun::End::modelError;
    run.message = e.what();
  } catch (const SolverError& e) {
    run.end = e.details().cause == SolverError::Cause::Internal ? BoundedRun::End::otherError
                                                                : BoundedRun::End::solverError;
    run.message = e.what();
  } catch (const std::exception& e) {
    run.end = BoundedRun::End::otherError;
    run.message = e.what();
  }
  return run;
}

}  // namespace cardan::random
