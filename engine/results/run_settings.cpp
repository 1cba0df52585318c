#include "engine/results/run_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/integration/input_table.h"
#include "engine/model_file/least_tolerance.h"

namespace cardan {
namespace {

constexpr int kDefaultIntervals = 500;

/// Rules of the rows; the other settings are good already.
void checkInterval(const RunSettings& s, Diagnostics& diagnostics) {
  auto fail = [&](const std::string& rule) {
    diagnostics.error({}, fmt::format("the output interval must {}, found {}", rule, s.interval));
  };
  const double resolution =
      std::numeric_limits<double>::epsilon() * std::max(std::abs(s.start), std::abs(s.stop));
  if (!(s.interval > 0) || !std::isfinite(s.interval)) {
    fail("be greater than 0");
  } else if ((s.stop - s.start) / s.interval > kMostOutputPoints) {
    fail(fmt::format("not ask for more than {:g} output points from {} s to {} s",
                     kMostOutputPoints, s.start, s.stop));
  } else if (s.interval < resolution) {
    fail(fmt::format("be greater than the resolution of the time, {:.3g} s at {} s", resolution,
                     std::abs(s.start) > std::abs(s.stop) ? s.start : s.stop));
  }
}

/// The step of a method whose steps have one length, and of no other. One of the file goes with the
/// method of the file.
void chooseStep(RunSettings& s, const SimulationSettings& file, const RunOptions& options,
                Diagnostics& diagnostics) {
  const bool steps = s.integrator == IntegratorChoice::stepping;
  if (file.step && file.integrator != IntegratorChoice::stepping && !(steps && options.integrator))
    diagnostics.error(file.stepAt, "simulation: 'step' is for the integrator 'stepping' alone");
  if (options.step && !steps)
    diagnostics.error({}, fmt::format("a step is for the integrator 'stepping' alone, found '{}'",
                                      word(s.integrator)));
  if (!steps) return;
  s.step = options.step ? options.step : file.step;
  const SourceMark at = options.step || !file.step ? SourceMark{} : file.stepAt;
  const double resolution =
      1e3 * std::numeric_limits<double>::epsilon() * std::max(std::abs(s.start), std::abs(s.stop));
  if (!s.step) {
    diagnostics.error(s.integratorAt,
                      "the integrator 'stepping' needs a 'step' [s]: it does not choose one");
  } else if (!(*s.step > 0) || !std::isfinite(*s.step)) {
    diagnostics.error(at, fmt::format("the step must be greater than 0, found {}", *s.step));
  } else if (*s.step < resolution) {
    diagnostics.error(at,
                      fmt::format("the step must be greater than what can be told apart in time, "
                                  "{:.3g} s, found {}",
                                  resolution, *s.step));
  } else if (const double run = s.stop - s.start; run > 0 && *s.step > run * (1 + 1e-9)) {
    diagnostics.error(at, fmt::format("the step must not be longer than the run, {:g} s, found {}",
                                      run, *s.step));
  }
  if (s.maximumStep)
    diagnostics.error({},
                      "a maximum step is for methods that choose their steps: 'stepping' has one");
}

}  // namespace

RunSettings RunSettings::of(const SimulationSettings& file, const RunOptions& options,
                            Diagnostics& diagnostics) {
  RunSettings s;
  s.start = options.startTime.value_or(file.start);
  s.stop = options.stopTime.value_or(file.stop);
  s.tolerance = options.tolerance.value_or(file.tolerance);
  s.maximumStep = options.maximumStep;
  s.integrator = options.integrator.value_or(file.integrator);
  if (!options.integrator) s.integratorAt = file.integratorAt;
  s.impact = options.impact.value_or(file.impact);
  if (s.integrator == IntegratorChoice::stepping && s.impact != ImpactLaw::moreau)
    diagnostics.error(options.impact ? SourceMark{} : file.impactAt,
                      fmt::format("the integrator 'stepping' has the law of impact 'moreau' alone, "
                                  "found '{}'",
                                  word(s.impact)));
  if (options.inputs) {
    s.inputFile = options.inputs->file;
    s.inputsHeld = options.inputs->held;
  }
  const std::optional<double> interval =
      options.outputInterval ? options.outputInterval : file.interval;
  s.interval = interval.value_or((s.stop - s.start) / kDefaultIntervals);
  const int errors = diagnostics.errorCount();
  if (!std::isfinite(s.start) || !std::isfinite(s.stop)) {
    diagnostics.error({}, "the start time and the stop time must be finite");
  } else if (s.stop < s.start) {
    diagnostics.error({}, "the stop time must not be before the start time");
  } else if (s.stop > s.start) {
    checkInterval(s, diagnostics);
  }
  if (!(s.tolerance > 0 && s.tolerance < 1)) {
    diagnostics.error({},
                      fmt::format("the tolerance must be between 0 and 1, found {}", s.tolerance));
  } else if (s.tolerance < kLeastTolerance) {
    diagnostics.error({},
                      fmt::format("the tolerance {}, found {}", kLeastToleranceRule, s.tolerance));
  }
  if (s.maximumStep && !(*s.maximumStep > 0 && std::isfinite(*s.maximumStep))) {
    diagnostics.error(
        {}, fmt::format("the maximum step must be greater than 0, found {}", *s.maximumStep));
  }
  chooseStep(s, file, options, diagnostics);
  if (diagnostics.errorCount() == errors) {
    s.grid = !options.outputTimes.empty() && s.stop > s.start
                 ? OutputGrid::listed(s.start, s.stop, options.outputTimes)
             : interval || s.stop == s.start
                 ? OutputGrid(s.start, s.stop, s.stop > s.start ? s.interval : 1)
                 : OutputGrid::equalParts(s.start, s.stop, kDefaultIntervals);
  }
  return s;
}

}  // namespace cardan
