#include "engine/simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "engine/initialisation/signal_checks.h"
#include "engine/integration/charts.h"
#include "engine/integration/event_system.h"
#include "engine/integration/forcing.h"
#include "engine/integration/multibody_system.h"
#include "engine/integration/solver_error.h"
#include "engine/integration/step_check.h"
#include "engine/results/recorder.h"
#include "engine/results/run_settings.h"

namespace cardan {
namespace {

using Clock = std::chrono::steady_clock;
double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr int kMostEventsAtOnePlace =
    1000;                             // events closer together than 1e-9 of the run: chattering
constexpr double kStepsPerRun = 50;   // at least, where no longest step is given
constexpr double kFirstStep = 1e-3;   // of the run, at most
constexpr double kSameInstant = 0.1;  // of a step times the tolerance: one event
constexpr double kFirstError = 0.05;  // of the tolerance, by the first step

/// One run: integrates from event to event and hands out the rows between.
class Run {
 public:
  Run(const Model& model, MultibodySystem& system, EventSystem& events, RowSink& sink,
      const RunOptions& options, const InitialReport& initial, Diagnostics& diagnostics)
      : model_(model),
        equations_(system.equations()),
        system_(system),
        sink_(sink),
        options_(options),
        settings_(model.description().simulation),
        completion_(equations_, initial.redundantRows),
        recorder_(model, equations_, patterns(), diagnostics),
        charts_(equations_),
        events_(events),
        forcing_(equations_),
        w_(equations_.makeWorkspace<double>()) {
    const RunSettings run = RunSettings::of(settings_, options, diagnostics);
    if (const std::string why = tooShortToRun(run.start, run.stop);
        run.stop > run.start && !why.empty()) {
      diagnostics.error({}, "the stop time " + why + ", found " + formatNumber(run.stop));
    }
    diagnostics.throwIfErrors();
    start_ = run.start;
    stop_ = run.stop;
    grid_ = run.grid;
    ida_.relativeTolerance = run.tolerance;
    ida_.timing = options.timing;
    check_.emplace(system_, initial.loops, run.tolerance);
    longest_ = run.maximumStep.value_or((stop_ - start_) / kStepsPerRun);
    ida_.maximumStep = longest_;
    row_.resize(recorder_.columns().size());
  }

  void go(std::vector<double>& y, std::vector<double>& yp) {
    const Clock::time_point begun = Clock::now();
    sink_.begin(recorder_.columns());
    t_ = start_;
    events_.settle(t_, y, yp, &completion_, w_);
    system_.watch(&events_, &completion_);
    events_.setSpan(start_, stop_);
    forcing_.begin(start_, stop_, events_.crossings() > 0);
    equations_.referToMultipliers(y);
    IdaIntegrator integrator(system_, ida_);
    integrator.start(t_, y, yp, firstStep(integrator, y, yp, kFirstStep * (stop_ - start_)));
    ye_ = y;
    ype_ = yp;
    write(t_, y, yp);
    try {
      if (events_.terminated().empty()) integrate(integrator, y, yp);
    } catch (...) {
      system_.watch(nullptr);
      finish(integrator, y, yp, begun);
      throw;
    }
    system_.watch(nullptr);
    finish(integrator, y, yp, begun);
  }

  const RunReport& report() const { return report_; }

 private:
  std::vector<OutputPattern> patterns() const {
    if (options_.outputs.empty()) return model_.description().outputs;
    std::vector<OutputPattern> result;
    for (const std::string& p : options_.outputs)
      result.push_back({p, {model_.description().file, 0, 0}});
    return result;
  }

  void finish(const IdaIntegrator& integrator, std::vector<double>& y, std::vector<double>& yp,
              Clock::time_point begun) {
    y.assign(integrator.y().begin(), integrator.y().end());
    yp.assign(integrator.yp().begin(), integrator.yp().end());
    report_.integrator = integrator.statistics();
    report_.stopTime = t_;
    report_.chartChanges = charts_.changes();
    report_.terminated = events_.terminated();
    report_.integrationSeconds = secondsSince(begun) - report_.outputSeconds;
  }

  void integrate(IdaIntegrator& integrator, std::vector<double>& y, std::vector<double>& yp) {
    nextRow_ = 1;
    lookAhead(y, yp);
    while (t_ < stop_) {
      if (events_.lookedAheadTo() < std::min(stop_, t_ + longest_)) {
        y.assign(integrator.y().begin(), integrator.y().end());
        yp.assign(integrator.yp().begin(), integrator.yp().end());
        lookAhead(y, yp);
      }
      const double limit = std::min(stop_, nextEvent_);
      const IdaIntegrator::StepResult result =
          integrator.step(forcing_.endOfStep(integrator, limit, w_));
      t_ = integrator.time();
      recorder_.follow(integrator, t_);
      const bool root = result == IdaIntegrator::StepResult::Root;
      const bool timeEvent = t_ >= nextEvent_;
      if (timeEvent || root) makeConsistent(integrator, y, yp);
      // A switching function has changed its sign; a mode changes only if the point says so, too.
      const bool event = timeEvent || (root && events_.isDue(t_, y, yp, w_));
      rowsUpTo(t_, event, integrator);
      if (report_.interrupted) return;
      if (!event) (*check_)(integrator);
      if (event) {
        handleEvent(integrator, y, yp);
        lookAhead(y, yp);
        if (!events_.terminated().empty()) return;
      } else if (!root) {
        charts_.renew(integrator);
      }
      if (isInterrupted(t_)) return;
    }
  }

  /// The integrator's point, moved onto the constraints and completed.
  void makeConsistent(const IdaIntegrator& integrator, std::vector<double>& y,
                      std::vector<double>& yp) {
    y.assign(integrator.y().begin(), integrator.y().end());
    yp.assign(integrator.yp().begin(), integrator.yp().end());
    if (integrator.isRefined()) return;
    completion_.project(t_, y);
    completion_.complete(t_, y, yp);
  }

  bool isInterrupted(double t) {
    if (options_.progress && isTimeToAsk() && !options_.progress(t)) report_.interrupted = true;
    return report_.interrupted;
  }

  /// Every few milliseconds, however long a step takes.
  bool isTimeToAsk() {
    const Clock::time_point now = Clock::now();
    if (now < nextAsk_) return false;
    nextAsk_ = now + std::chrono::milliseconds(5);
    return true;
  }

  /// Rows of the output grid in (last row, t]; a row at an event itself is written by the event.
  void rowsUpTo(double t, bool event, const IdaIntegrator& integrator) {
    for (;; ++nextRow_) {
      const double at = grid_.time(nextRow_);
      if (at > t || (event && at == t)) return;
      if (at == stop_ && lastWritten_ == stop_) return;
      integrator.interpolate(at, ye_, ype_);
      write(at, ye_, ype_);
      if (at == stop_) return;
      if (isInterrupted(at)) {
        t_ = at;
        return;
      }
    }
  }

  /// At a consistent point.
  void handleEvent(IdaIntegrator& integrator, std::vector<double>& y, std::vector<double>& yp) {
    // A time event within the accuracy of this one belongs to it.
    if (nextEvent_ - t_ <= kSameInstant * ida_.relativeTolerance * integrator.lastStep()) {
      t_ = std::max(t_, nextEvent_);
    }
    if (options_.eventRows) writeConsistent(y, yp);
    if (events_.settle(t_, y, yp, &completion_, w_)) {
      // A prescribed velocity may jump with its mode.
      completion_.project(t_, y);
      completion_.complete(t_, y, yp);
    }
    ++report_.events;
    if (report_.eventRecords.size() < kMostEventRecords) {
      report_.eventRecords.push_back({t_, events_.changed()});
    }
    watchChattering();
    const bool onGrid = grid_.time(nextRow_) <= t_;
    if (onGrid || options_.eventRows) writeConsistent(y, yp);
    if (onGrid) ++nextRow_;
    if (events_.terminated().empty() && t_ < stop_) {
      equations_.referToMultipliers(y);
      const double most = std::min(integrator.regularStep(), longest_);
      integrator.restart(t_, y, yp, firstStep(integrator, y, yp, most));
    }
  }

  /// [s] First step after a start or an event, at most `most`: it has order one, so that its error
  /// is h^2/2 y''. The second derivative is the change of the rates a little further on.
  double firstStep(const IdaIntegrator& integrator, const std::vector<double>& y,
                   const std::vector<double>& yp, double most) {
    constexpr double kLittle = 1e-4;  // of the step
    const double ahead = kLittle * most;
    if (!(ahead > 0) || t_ + ahead == t_) return most;
    ye_ = y;
    ype_ = yp;
    for (size_t i = 0; i < y.size(); ++i) {
      if (equations_.layout().unknowns[i].differential) ye_[i] += ahead * yp[i];
    }
    if (!completion_.complete(t_ + ahead, ye_, ype_)) return most;
    for (size_t i = 0; i < y.size(); ++i) ype_[i] = (ype_[i] - yp[i]) / ahead;
    const double bend = integrator.norm(ype_, y);
    if (!std::isfinite(bend) || !(bend > 0)) return most;
    return std::min(most, std::sqrt(2 * kFirstError / bend));
  }

  void watchChattering() {
    if (t_ - lastEvent_ > 1e-9 * (stop_ - start_)) {
      eventsHere_ = 0;
    } else if (++eventsHere_ > kMostEventsAtOnePlace) {
      std::string names;
      for (const std::string& n : events_.changed()) names += (names.empty() ? "" : ", ") + n;
      throw SolverError({.cause = SolverError::Cause::Chattering, .time = t_, .unknown = names});
    }
    lastEvent_ = t_;
  }

  void lookAhead(const std::vector<double>& y, const std::vector<double>& yp) {
    std::copy(y.begin(), y.end(), w_.y.begin());
    std::copy(yp.begin(), yp.end(), w_.yp.begin());
    w_.tables.time = t_;
    equations_.evaluate(w_, {.kinematicRows = false, .connectorLoads = true, .measure = true});
    nextEvent_ = events_.nextTimeEvent(w_, t_, longest_);
  }

  void writeConsistent(const std::vector<double>& y, const std::vector<double>& yp) {
    ye_ = y;
    ype_ = yp;
    write(t_, ye_, ype_, true);
  }

  void write(double t, std::vector<double>& y, std::vector<double>& yp, bool consistent = false) {
    const Clock::time_point begun = Clock::now();
    recorder_.record(t, y, yp, completion_, row_.data(), consistent);
    for (size_t i = 0; i < row_.size(); ++i) {
      if (!std::isfinite(row_[i])) {
        throw SolverError({.cause = SolverError::Cause::ResultNotFinite,
                           .time = t,
                           .unknown = recorder_.columns()[i].name,
                           .value = row_[i]});
      }
    }
    // The start is known no better than to the last digit of the run's length.
    const bool atStart = t - start_ < std::numeric_limits<double>::epsilon() * (stop_ - start_);
    sink_.row((atStart ? start_ : t) + 0.0, row_);  // no -0
    ++report_.rows;
    lastWritten_ = t;
    report_.outputSeconds += secondsSince(begun);
  }

  const Model& model_;
  Equations& equations_;
  MultibodySystem& system_;
  RowSink& sink_;
  const RunOptions& options_;
  const SimulationSettings& settings_;
  Completion completion_;
  Recorder recorder_;
  Charts charts_;
  EventSystem& events_;
  Forcing forcing_;
  std::optional<StepCheck> check_;
  Workspace<double> w_;
  IdaOptions ida_;
  RunReport report_;
  OutputGrid grid_;
  double start_ = 0, stop_ = 0, t_ = 0;
  double longest_ = 0;    ///< [s]  step
  double nextEvent_ = 0;  ///< [s]  time event
  double lastWritten_ = std::nan("");
  double lastEvent_ = -1e300;
  int eventsHere_ = 0;
  long nextRow_ = 0;
  Clock::time_point nextAsk_{};  // the first step asks
  std::vector<double> row_, ye_, ype_;
};

}  // namespace

Simulation::Simulation(const Catalogue& catalogue, const std::string& path,
                       const Overrides& overrides) {
  model_ = std::make_unique<Model>(catalogue, path, overrides, diagnostics_);
  finishLoading();
}

Simulation Simulation::fromText(const Catalogue& catalogue, const std::string& text,
                                const std::string& name, const Overrides& overrides) {
  Simulation s;
  s.model_ = std::make_unique<Model>(catalogue, text, name, overrides, s.diagnostics_);
  s.finishLoading();
  return s;
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

void Simulation::finishLoading() {
  // The outputs of the file are part of it: a wrong name is reported with everything else.
  if (model_->complete()) {
    equations_ = std::make_unique<Equations>(*model_->assembly().equations);
    Recorder(*model_, *equations_, model_->description().outputs, diagnostics_);
  } else {
    model_->checkOutputs(diagnostics_);
  }
  diagnostics_.throwIfErrors();
  events_ = std::make_unique<EventSystem>(*model_, *equations_);
  system_ = std::make_unique<MultibodySystem>(*equations_);
}

InitialReport Simulation::initialise(std::optional<double> startTime) {
  const Assembly& a = model_->assembly();
  InitialOptions options;
  for (const Model::FreeParameterOfComponent& p : model_->freeParameters()) {
    const std::string* inModel = model_->nameInModel(p.parameter.name);
    options.parameters.push_back({inModel ? *inModel : p.parameter.name, p.parameter.target,
                                  p.parameter.start,
                                  [component = p.component] { component->parametersChanged(); }});
  }
  for (const auto& e : model_->initialEquations()) {
    options.equations.push_back({e->text, e->level(), e.get(), e->at, e->size()});
  }
  const SimulationSettings& settings = model_->description().simulation;
  options.duration = settings.stop - settings.start;
  const double start = startTime.value_or(settings.start);
  Workspace<double> w = equations_->makeWorkspace<double>();
  options.settleModes = [&](std::vector<double> y, std::vector<double> yp) {
    events_->settle(start, y, yp, nullptr, w);
  };
  Initialisation initialisation(*equations_, a.variables, a.flatModel, start, std::move(options));
  equations_->resetCharts();
  std::vector<bool>& redundant = equations_->state.redundant;
  std::fill(redundant.begin(), redundant.end(), false);
  // Modes that time or the guesses decide (sources, tables, switches) hold at the start already.
  for (size_t m = 0; m < a.flatModel.modes.size(); ++m) {
    equations_->state.modes[m] = a.flatModel.modes[m].start;
  }
  equations_->state.measured.clear();
  std::ranges::copy(a.variables.memoryStart(), equations_->state.memory.begin());
  y_.clear();
  for (const Layout::Unknown& u : a.layout.unknowns) y_.push_back(u.start);
  yp_.assign(y_.size(), 0.0);
  events_->begin();
  events_->settle(start, y_, yp_, nullptr, w);
  const std::vector<double> guess = y_, guessRates = yp_;
  InitialReport report;
  try {
    report = initialisation.solve(y_, yp_);
  } catch (const ModelError&) {
    // An expression without a value, or signals that leave themselves open, are the reason of all
    // that follows from it.
    Diagnostics signals;
    checkSignalValues(*equations_, *a.signals, start, guess, guessRates, signals);
    signals.throwIfErrors();
    checkSignalLoops(*equations_, *a.signals, start, guess, guessRates, model_->description().file,
                     signals);
    signals.throwIfErrors();
    throw;
  }
  Diagnostics loops;
  checkSignalLoops(*equations_, *a.signals, start, y_, yp_, model_->description().file, loops);
  loops.throwIfErrors();
  for (int k : report.redundantRows) redundant[static_cast<size_t>(k)] = true;
  return report;
}

RunReport Simulation::run(RowSink& sink, const RunOptions& options) {
  const Clock::time_point begun = Clock::now();
  report_ = {};
  const InitialReport initial = initialise(options.startTime);
  const double initialisationSeconds = secondsSince(begun);
  Diagnostics diagnostics;
  if (options.strict) {
    const SourceMark file{model_->description().file, 0, 0};
    for (const LoopReport& loop : initial.loops) {
      if (!loop.redundant.empty()) diagnostics.error(file, loop.format());
    }
    if (diagnostics.errorCount() == 0) {
      for (const std::string& name : initial.redundantConstraints) {
        diagnostics.error(file, "redundant constraint: " + name);
      }
    }
  }
  Run run(*model_, *system_, *events_, sink, options, initial, diagnostics);
  auto finish = [&] {
    report_ = run.report();
    report_.initialisationSeconds = initialisationSeconds;
    report_.warnings = initial.warnings;
    for (const Diagnostic& d : diagnostics.all()) {
      if (d.severity == Severity::warning) report_.warnings.push_back(d.text);
    }
  };
  try {
    run.go(y_, yp_);
  } catch (...) {
    finish();
    throw;
  }
  finish();
  return report_;
}

}  // namespace cardan
