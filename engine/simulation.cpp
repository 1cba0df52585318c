#include "engine/simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "engine/dynamics/completion.h"
#include "engine/equations/model.h"
#include "engine/equations/model_inputs.h"
#include "engine/initialisation/held_starts.h"
#include "engine/initialisation/initialisation.h"
#include "engine/initialisation/signal_checks.h"
#include "engine/initialisation/start_overlaps.h"
#include "engine/integration/charts.h"
#include "engine/integration/event_system.h"
#include "engine/integration/input_feed.h"
#include "engine/integration/multibody_system.h"
#include "engine/integration/row_choice.h"
#include "engine/results/recorder.h"
#include "engine/row_memory.h"
#include "engine/run.h"
#include "engine/saved_state.h"
#include "engine/simulation_parts.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

constexpr size_t kMostUnused = 8;       // in a message
constexpr int kMostStarts = 100;        // until what is held agrees with the start it leads to
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

SimulationParts::SimulationParts() = default;
SimulationParts::~SimulationParts() = default;

Simulation::Simulation() : parts_(std::make_unique<SimulationParts>()) {}

Simulation::Simulation(const Catalogue& catalogue, const std::string& path,
                       const Overrides& overrides)
    : Simulation() {
  parts_->model = std::make_shared<const Model>(catalogue, path, overrides, diagnostics_);
  finishLoading();
}

Simulation Simulation::fromText(const Catalogue& catalogue, const std::string& text,
                                const std::string& name, const Overrides& overrides) {
  Simulation s;
  s.parts_->model = std::make_shared<const Model>(catalogue, text, name, overrides, s.diagnostics_);
  s.finishLoading();
  return s;
}

Simulation Simulation::open(const Catalogue& catalogue, const ModelFormats& formats,
                            const std::string& path, const Overrides& overrides) {
  Diagnostics warnings;
  const auto imported = importedModel(catalogue, formats, path, warnings);
  if (!imported) return {catalogue, path, overrides};
  imported->checkOverrides(overrides);
  Simulation s = fromTree(catalogue, imported->tree(), imported->files, overrides);
  warnings.add(s.diagnostics_);
  s.diagnostics_ = std::move(warnings);
  return s;
}

Simulation Simulation::fromTree(const Catalogue& catalogue, const YamlNode& root,
                                const std::vector<std::string>& files, const Overrides& overrides) {
  return fromDocument(catalogue, ModelDocument(root, files.front()), files, overrides);
}

Simulation Simulation::fromDocument(const Catalogue& catalogue, const ModelDocument& document,
                                    const std::vector<std::string>& files,
                                    const Overrides& overrides) {
  Simulation s;
  s.parts_->model =
      std::make_shared<const Model>(catalogue, document, files, overrides, s.diagnostics_);
  s.finishLoading();
  return s;
}

const Model& Simulation::model() const { return *parts_->model; }
const ModelSource& Simulation::source() const { return parts_->model->description(); }

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

void Simulation::finishLoading() {
  // The outputs of the file are part of it: a wrong name is reported with everything else.
  if (parts_->model->complete()) {
    parts_->equations = std::make_unique<Equations>(*parts_->model->assembly().equations);
    Recorder(*parts_->model, *parts_->equations, source().outputs, diagnostics_);
  } else {
    parts_->model->checkOutputs(diagnostics_);
  }
  diagnostics_.throwIfErrors();
  prepare();
}

void Simulation::prepare() {
  parts_->events = std::make_unique<EventSystem>(*parts_->model, *parts_->equations);
  parts_->system = std::make_unique<MultibodySystem>(*parts_->equations);
}

InitialReport Simulation::initialise(std::optional<double> startTime) {
  const Assembly& a = parts_->model->assembly();
  InitialOptions options;
  for (const Model::FreeParameterOfComponent& p : parts_->model->freeParameters()) {
    const std::string* inModel = parts_->model->nameInModel(p.parameter.name);
    options.parameters.push_back({inModel ? *inModel : p.parameter.name, p.parameter.target,
                                  p.parameter.start,
                                  [component = p.component] { component->parametersChanged(); }});
  }
  for (const auto& e : parts_->model->initialEquations()) {
    if (e->isDone) continue;
    // Rates are those of the whole motion.
    const Level level = e->takesDerivatives() ? Level::Acceleration : e->level();
    options.equations.push_back({e->text, level, e.get(), e->at, e->size()});
  }
  const SimulationSettings& settings = source().simulation;
  options.duration = settings.stop - settings.start;
  const double start = startTime.value_or(settings.start);
  Workspace<double> w = parts_->equations->makeWorkspace<double>();
  HeldStarts held(*parts_->model, *parts_->equations);
  options.settleModes = [&](std::vector<double> y, std::vector<double> yp) {
    parts_->events->settle(start, y, yp, nullptr, w);
  };
  Initialisation initialisation(*parts_->equations, a.variables, a.flatModel, start,
                                std::move(options));
  parts_->equations->resetCharts();
  parts_->equations->state.redundant.assign(a.layout.nlambda, false);
  // Modes that time or the guesses decide (sources, tables, switches) hold at the start already.
  for (size_t m = 0; m < a.flatModel.modes.size(); ++m) {
    parts_->equations->state.modes[m] = a.flatModel.modes[m].start;
  }
  parts_->equations->state.measured.clear();
  std::ranges::fill(parts_->equations->state.pasts, Past());
  std::ranges::fill(parts_->equations->state.outsides, nullptr);
  std::ranges::copy(a.variables.memoryStart(), parts_->equations->state.memory.begin());
  y_.clear();
  for (const Layout::Unknown& u : a.layout.unknowns) y_.push_back(u.start);
  yp_.assign(y_.size(), 0.0);
  parts_->events->begin();
  parts_->events->settle(start, y_, yp_, nullptr, w);
  held.take(start, y_, yp_);
  const std::vector<double> guess = y_, guessRates = yp_;
  InitialReport report;
  try {
    report = initialisation.solve(y_, yp_);
    for (int round = 0; held.take(start, y_, yp_); ++round) {
      if (round == kMostStarts) held.throwRestless();
      parts_->equations->state.redundant.assign(a.layout.nlambda, false);
      report = initialisation.solve(y_, yp_);
    }
    held.check(start, y_, yp_);
  } catch (const ModelError& error) {
    held.checkConditions(start, guess, guessRates);
    // An expression without a value, or signals that leave themselves open, are the reason of all
    // that follows from it.
    Diagnostics signals;
    checkSignalValues(*parts_->equations, *a.signals, start, guess, guessRates, signals);
    signals.throwIfErrors();
    checkSignalLoops(*parts_->equations, *a.signals, start, guess, guessRates, source().file,
                     signals);
    signals.throwIfErrors();
    Diagnostics told = error.diagnostics();
    held.explain(told);
    throw ModelError(std::move(told));
  }
  Diagnostics loops;
  checkSignalLoops(*parts_->equations, *a.signals, start, y_, yp_, source().file, loops);
  loops.throwIfErrors();
  report.overlaps = startOverlaps(*parts_->equations, a.flatModel, a.variables, start, y_, yp_);
  return report;
}

RunReport Simulation::run(RowSink& sink, const RunOptions& options) {
  report_ = {};
  try {
    begin(&sink, options);
    parts_->run->advance(parts_->run->stop());
  } catch (...) {
    finish();
    throw;
  }
  finish();
  return report_;
}

void Simulation::start(const RunOptions& options, RowSink* rows) {
  report_ = {};
  begin(rows, options);
  finish();
}

void Simulation::begin(RowSink* sink, const RunOptions& given) {
  const auto begun = std::chrono::steady_clock::now();
  RunOptions options = given;
  if (options.from && !options.startTime) options.startTime = options.from->time;
  if (options.resume) options.startTime = options.resume->startTime;
  parts_->run.reset();
  feed(options);
  parts_->initial = initialise(options.startTime);
  report_.initialisationSeconds = secondsSince(begun);
  report_.warnings = parts_->initial.warnings;
  if (parts_->feed && !parts_->feed->unused().empty()) {
    report_.warnings.push_back(options.inputs->file +
                               ": columns that are no inputs of the model: " +
                               joinMost(parts_->feed->unused(), kMostUnused));
  }
  if (options.resume) options.resume->requireFor(*parts_->model, options);
  if (options.from) {
    startFrom(*options.from, options.startTime.value_or(source().simulation.start));
  }
  if (!options.resume) tellOverlaps(options);
  Diagnostics diagnostics;
  if (options.strict) refuseRedundant(parts_->initial, {source().file, 0, 0}, diagnostics);
  parts_->run = std::make_unique<Run>(*parts_->model, *parts_->system, *parts_->events, sink,
                                      options, parts_->initial, parts_->feed.get(), diagnostics);
  for (const Diagnostic& d : diagnostics.all()) {
    if (d.severity == Severity::warning) report_.warnings.push_back(d.text);
  }
  parts_->run->begin(y_, yp_);
  // Where the run has found the shares it says so.
  const bool told = !parts_->events->sharing().empty() || !parts_->events->sharingSeats().empty();
  if (!parts_->initial.sharing.empty() && !told)
    report_.warnings.push_back(parts_->initial.sharing);
  if (options.resume) parts_->run->restore(options.resume->run);
}

/// At the start that the run has.
void Simulation::tellOverlaps(const RunOptions& options) {
  const Assembly& a = parts_->model->assembly();
  std::string& told = parts_->initial.overlaps;
  if (options.from)
    told = startOverlaps(*parts_->equations, a.flatModel, a.variables,
                         options.startTime.value_or(0), y_, yp_);
  if (!told.empty()) report_.warnings.push_back(told);
}

void Simulation::startFrom(const StartPoint& from, double time) {
  const Assembly& a = parts_->model->assembly();
  const SourceMark file{from.file, 0, 0};
  Diagnostics diagnostics;
  Charts charts(*parts_->equations);
  charts.takeNames();
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
  if (from.isRow) {
    RowMemory memory = RowMemory::take(values, a.variables, *parts_->equations, time, y_, yp_);
    parts_->events->goOnFrom(from.time, std::move(memory.modes));
    if (!memory.missing.empty()) {
      report_.warnings.push_back(
          from.file + ": what these hold from event to event is not in the row and begins anew: " +
          joinMost(memory.missing, kMostUnused) + "; write them with --output-variable");
    }
  }
  charts.renew(y_);
  const std::vector<double> wanted = y_;
  RowChoice(*parts_->equations).choose(time, y_.data());
  Completion completion(*parts_->equations);
  if (!completion.project(time, y_) || !completion.complete(time, y_, yp_)) {
    diagnostics.error(file, "no consistent start of the model is near it");
    diagnostics.throwIfErrors();
  }
  for (size_t i = 0; i < y_.size(); ++i) {
    const double moved = y_[i] - wanted[i];
    if (!a.layout.unknowns[i].differential ||
        std::abs(moved) <= kFarFromStart * parts_->equations->state.nominals[i])
      continue;
    report_.warnings.push_back(from.file + ": constraints move '" + a.layout.unknowns[i].name +
                               "' by " + formatNumber(moved));
  }
}

/// Inputs that the last run was fed are the file's again; those of this one stand at its start.
void Simulation::feed(const RunOptions& options) {
  if (parts_->feed) parts_->feed->release(*parts_->equations);
  parts_->feed.reset();
  if (!options.inputs) return;
  Diagnostics diagnostics;
  auto feed = std::make_unique<InputFeed>(options.inputs, parts_->model->assembly(), diagnostics);
  diagnostics.throwIfErrors();
  parts_->feed = std::move(feed);
  parts_->feed->moveTo(options.startTime.value_or(source().simulation.start), *parts_->equations);
}

/// The report and the values of the run so far.
void Simulation::finish() {
  if (!parts_->run || !parts_->run->begun()) return;
  RunReport report = parts_->run->report();
  report.initialisationSeconds = report_.initialisationSeconds;
  for (std::string& w : report.warnings) {
    if (std::ranges::find(report_.warnings, w) == report_.warnings.end())
      report_.warnings.push_back(std::move(w));
  }
  report.warnings = report_.warnings;
  // Only those that have come since are copied: a run of many steps and events asks at every step.
  const std::vector<EventRecord>& records = parts_->run->eventRecords();
  report.eventRecords = std::move(report_.eventRecords);
  report.eventRecords.insert(report.eventRecords.end(),
                             records.begin() + std::ssize(report.eventRecords), records.end());
  report_ = std::move(report);
  y_.assign(parts_->run->y().begin(), parts_->run->y().end());
  yp_.assign(parts_->run->yp().begin(), parts_->run->yp().end());
}

Run& Simulation::running() const {
  if (!parts_->run || !parts_->run->begun())
    throw std::logic_error("Simulation: start() comes first");
  return *parts_->run;
}

bool Simulation::isAtEvent() const { return running().isAtEvent(); }

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
  if (parts_->inputs.empty()) {
    for (const ModelInput& i : modelInputs(parts_->model->assembly()))
      parts_->inputs.emplace(i.name, i.number);
  }
  if (const auto found = parts_->inputs.find(name); found != parts_->inputs.end())
    return {found->second};
  throw std::out_of_range("'" + name + "' is no input that has a number in the model file");
}

bool Simulation::is(InputHandle input, double value) const {
  const std::vector<double>& numbers = parts_->equations->state.inputs;
  return numbers.at(input.number) == value && numbers.at(input.number + 1) == 0;
}

void Simulation::set(InputHandle input, double value) {
  if (!std::isfinite(value)) throw std::invalid_argument("Simulation::set: not a finite number");
  if (is(input, value)) return;
  parts_->equations->state.inputs.at(input.number) = value;
  parts_->equations->state.inputs.at(input.number + 1) = 0;  // and stays
  ++parts_->equations->state.changes;
  if (parts_->run) parts_->run->disturb();
}

RunSnapshot Simulation::save() const { return running().save(); }
SavedState Simulation::save(const RunOptions& options) const {
  return SavedState::of(model(), save(), time(), options);
}

void Simulation::restore(const RunSnapshot& snapshot) {
  running().restore(snapshot);
  report_.eventRecords.clear();
  finish();
}

Simulation Simulation::another() const {
  if (!parts_->model->freeParameters().empty()) {
    throw std::logic_error(
        "Simulation::another: the start determines parameters of this model, which belong to it; "
        "load it again");
  }
  for (const Instance& i : parts_->model->assembly().flatModel.instances) {
    if (!i.component->startProposal()) continue;
    throw std::logic_error("Simulation::another: '" + i.name +
                           "' chooses its branch at the start and keeps it; load the model again");
  }
  Simulation s;
  s.parts_->model = parts_->model;
  s.parts_->equations = std::make_unique<Equations>(*s.parts_->model->assembly().equations);
  s.prepare();
  return s;
}

}  // namespace cardan
