#include "engine/simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "engine/dynamics/completion.h"
#include "engine/equations/model.h"
#include "engine/equations/model_inputs.h"
#include "engine/initialisation/initialisation.h"
#include "engine/initialisation/signal_checks.h"
#include "engine/integration/event_system.h"
#include "engine/integration/input_feed.h"
#include "engine/integration/multibody_system.h"
#include "engine/integration/row_choice.h"
#include "engine/results/recorder.h"
#include "engine/run.h"
#include "engine/saved_state.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

constexpr size_t kMostUnused = 8;       // in a message
constexpr double kFarFromStart = 1e-4;  // in an unknown's own units: worth a warning

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What the options make of redundant constraints.
void refuseRedundant(const InitialReport& initial, const SourceMark& file,
                     Diagnostics& diagnostics) {
  for (const LoopReport& loop : initial.loops) {
    if (!loop.redundant.empty()) diagnostics.error(file, loop.format());
  }
  if (diagnostics.errorCount() > 0) return;
  for (const std::string& name : initial.redundantConstraints) {
    diagnostics.error(file, "redundant constraint: " + name);
  }
}

}  // namespace

Simulation::Simulation(const Catalogue& catalogue, const std::string& path,
                       const Overrides& overrides) {
  model_ = std::make_shared<const Model>(catalogue, path, overrides, diagnostics_);
  finishLoading();
}

Simulation Simulation::fromText(const Catalogue& catalogue, const std::string& text,
                                const std::string& name, const Overrides& overrides) {
  Simulation s;
  s.model_ = std::make_shared<const Model>(catalogue, text, name, overrides, s.diagnostics_);
  s.finishLoading();
  return s;
}

Simulation Simulation::fromTree(const Catalogue& catalogue, const YamlNode& root,
                                const std::vector<std::string>& files, const Overrides& overrides) {
  Simulation s;
  s.model_ = std::make_shared<const Model>(catalogue, root, files, overrides, s.diagnostics_);
  s.finishLoading();
  return s;
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

void Simulation::finishLoading() {
  // The outputs of the file are part of it: a wrong name is reported with everything else.
  if (model_->complete()) {
    Equations equations = *model_->assembly().equations;
    Recorder(*model_, equations, model_->description().outputs, diagnostics_);
  } else {
    model_->checkOutputs(diagnostics_);
  }
  diagnostics_.throwIfErrors();
  prepare();
}

void Simulation::prepare() {
  equations_ = std::make_unique<Equations>(*model_->assembly().equations);
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
    // Rates are those of the whole motion.
    const Level level = e->takesDerivatives() ? Level::Acceleration : e->level();
    options.equations.push_back({e->text, level, e.get(), e->at, e->size()});
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
  equations_->state.redundant.assign(a.layout.nlambda, false);
  // Modes that time or the guesses decide (sources, tables, switches) hold at the start already.
  for (size_t m = 0; m < a.flatModel.modes.size(); ++m) {
    equations_->state.modes[m] = a.flatModel.modes[m].start;
  }
  equations_->state.measured.clear();
  std::ranges::fill(equations_->state.pasts, Past());
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
  return report;
}

RunReport Simulation::run(RowSink& sink, const RunOptions& options) {
  report_ = {};
  try {
    begin(&sink, options);
    run_->advance(run_->stop());
  } catch (...) {
    finish();
    throw;
  }
  finish();
  return report_;
}

void Simulation::start(const RunOptions& options) {
  report_ = {};
  begin(nullptr, options);
}

void Simulation::begin(RowSink* sink, const RunOptions& given) {
  const auto begun = std::chrono::steady_clock::now();
  RunOptions options = given;
  if (options.from && !options.startTime) options.startTime = options.from->time;
  if (options.resume) options.startTime = options.resume->startTime;
  run_.reset();
  feed(options);
  initial_ = initialise(options.startTime);
  report_.initialisationSeconds = secondsSince(begun);
  report_.warnings = initial_.warnings;
  if (feed_ && !feed_->unused().empty()) {
    report_.warnings.push_back(
        options.inputs->file +
        ": columns that are no inputs of the model: " + joinMost(feed_->unused(), kMostUnused));
  }
  if (options.resume) options.resume->requireFor(*model_, options);
  if (options.from) {
    startFrom(*options.from, options.startTime.value_or(model_->description().simulation.start));
  }
  Diagnostics diagnostics;
  if (options.strict) refuseRedundant(initial_, {model_->description().file, 0, 0}, diagnostics);
  run_ = std::make_unique<Run>(*model_, *system_, *events_, sink, options, initial_, feed_.get(),
                               diagnostics);
  for (const Diagnostic& d : diagnostics.all()) {
    if (d.severity == Severity::warning) report_.warnings.push_back(d.text);
  }
  run_->begin(y_, yp_);
  // Where the run has found the shares it says so.
  const bool told = !events_->sharing().empty() || !events_->sharingSeats().empty();
  if (!initial_.sharing.empty() && !told) report_.warnings.push_back(initial_.sharing);
  if (options.resume) run_->restore(options.resume->run);
}

/// The start that was found gives way to a point from outside; constraints and accelerations follow.
void Simulation::startFrom(const StartPoint& from, double time) {
  const Assembly& a = model_->assembly();
  const SourceMark file{from.file, 0, 0};
  Diagnostics diagnostics;
  if (from.isRow && a.layout.chartSize > 0) {
    diagnostics.error(file,
                      "a result does not say from what reference the three angles of a free "
                      "orientation are counted; use a saved state, or quaternions");
  }
  std::map<std::string_view, double> values;
  for (size_t i = 0; i < from.names.size(); ++i) values.emplace(from.names[i], from.values[i]);
  std::vector<std::string> missing, notFinite;
  for (size_t i = 0; i < a.layout.unknowns.size(); ++i) {
    const Layout::Unknown& u = a.layout.unknowns[i];
    auto found = values.find(u.name);
    if (found == values.end()) {
      const auto elements = a.variables.elements(u.name);
      if (!elements.empty()) found = values.find(a.variables.nameOf(elements.front()));
    }
    if (found != values.end() && std::isfinite(found->second)) {
      y_[i] = found->second;
    } else if (u.differential) {
      (found != values.end() ? notFinite : missing).push_back(u.name);
    }
  }
  if (!notFinite.empty()) {
    diagnostics.error(file, "a start must be made of finite numbers, none are the values of " +
                                joinMost(notFinite, kMostUnused));
  }
  if (!missing.empty()) {
    diagnostics.error(file, "a start must have all states of the model, missing are " +
                                joinMost(missing, kMostUnused) +
                                (from.isRow ? "; write them with --output-variable" : ""));
  }
  diagnostics.throwIfErrors();
  const std::vector<double> wanted = y_;
  RowChoice(*equations_).choose(time, y_.data());
  Completion completion(*equations_);
  if (!completion.project(time, y_) || !completion.complete(time, y_, yp_)) {
    diagnostics.error(file, "no consistent start of the model is near it");
    diagnostics.throwIfErrors();
  }
  for (size_t i = 0; i < y_.size(); ++i) {
    const double moved = y_[i] - wanted[i];
    if (!a.layout.unknowns[i].differential ||
        std::abs(moved) <= kFarFromStart * equations_->state.nominals[i])
      continue;
    report_.warnings.push_back(from.file + ": constraints move '" + a.layout.unknowns[i].name +
                               "' by " + formatNumber(moved));
  }
}

/// Inputs that the last run was fed are the file's again; those of this one stand at its start.
void Simulation::feed(const RunOptions& options) {
  if (feed_) feed_->release(*equations_);
  feed_.reset();
  if (!options.inputs) return;
  Diagnostics diagnostics;
  auto feed = std::make_unique<InputFeed>(options.inputs, model_->assembly(), diagnostics);
  diagnostics.throwIfErrors();
  feed_ = std::move(feed);
  feed_->moveTo(options.startTime.value_or(model_->description().simulation.start), *equations_);
}

/// The report and the values of the run so far.
void Simulation::finish() {
  if (!run_ || !run_->begun()) return;
  RunReport report = run_->report();
  report.initialisationSeconds = report_.initialisationSeconds;
  for (std::string& w : report.warnings) {
    if (std::ranges::find(report_.warnings, w) == report_.warnings.end())
      report_.warnings.push_back(std::move(w));
  }
  report.warnings = report_.warnings;
  report_ = std::move(report);
  y_.assign(run_->y().begin(), run_->y().end());
  yp_.assign(run_->yp().begin(), run_->yp().end());
}

Run& Simulation::running() const {
  if (!run_ || !run_->begun()) throw std::logic_error("Simulation: start() comes first");
  return *run_;
}

void Simulation::advance(double time) {
  Run& run = running();
  try {
    run.advance(time);
  } catch (...) {
    finish();
    throw;
  }
  finish();
}

double Simulation::time() const { return running().time(); }

std::vector<std::string> Simulation::outputs() const {
  std::vector<std::string> names;
  for (const Column& c : running().columns()) names.push_back(c.name);
  return names;
}

VariableHandle Simulation::variable(const std::string& name) const {
  const std::vector<Column>& columns = running().columns();
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return {i};
  }
  throw std::out_of_range("'" + name + "' is not among the outputs of the run");
}

double Simulation::value(VariableHandle variable) { return running().row()[variable.column]; }

InputHandle Simulation::input(const std::string& name) const {
  if (inputs_.empty()) {
    for (const ModelInput& i : modelInputs(model_->assembly()))
      inputs_.emplace(i.name, InputHandle{i.number});
  }
  if (const auto found = inputs_.find(name); found != inputs_.end()) return found->second;
  throw std::out_of_range("'" + name + "' is no input that has a number in the model file");
}

void Simulation::set(InputHandle input, double value) {
  if (!std::isfinite(value)) throw std::invalid_argument("Simulation::set: not a finite number");
  equations_->state.inputs.at(input.number) = value;
  equations_->state.inputs.at(input.number + 1) = 0;  // and stays
  ++equations_->state.changes;
  if (run_) run_->disturb();
}

RunSnapshot Simulation::save() const { return running().save(); }

void Simulation::restore(const RunSnapshot& snapshot) {
  running().restore(snapshot);
  finish();
}

Simulation Simulation::another() const {
  if (!model_->freeParameters().empty()) {
    throw std::logic_error(
        "Simulation::another: the start determines parameters of this model, which belong to it; "
        "load it again");
  }
  for (const Instance& i : model_->assembly().flatModel.instances) {
    if (!i.component->startProposal()) continue;
    throw std::logic_error("Simulation::another: '" + i.name +
                           "' chooses its branch at the start and keeps it; load the model again");
  }
  Simulation s;
  s.model_ = model_;
  s.prepare();
  return s;
}

}  // namespace cardan
