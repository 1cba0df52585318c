#include "apps/fmu/fmu_instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "components/catalogue.h"
#include "engine/expression/value.h"
#include "engine/model_file/model_source.h"
#include "engine/model_parts.h"
#include "engine/motion_point.h"
#include "engine/text/file_text.h"

namespace cardan {
namespace {

constexpr double kSameTime = 1e-6;   // of a step: sums of steps that an importer makes are as good
constexpr double kOpenEnd = 1000;    // default runs, where the importer says no stop time
constexpr double kLooksPerRun = 50;  // of a default run, as every run has them
constexpr double kMostPoints = 1e7;  // of the output grid, which nobody reads here
constexpr size_t kMostBytes = 200'000'000;

std::shared_ptr<const FmuDescription> descriptionIn(const std::string& resources) {
  Diagnostics diagnostics;
  const auto text =
      readFileText(resources + "/cardan.txt", kMostBytes, "FMU's description", diagnostics);
  if (!text) throw FmuRefusal(diagnostics.format());
  try {
    return std::make_shared<const FmuDescription>(FmuDescription::read(*text));
  } catch (const std::runtime_error& e) {
    throw FmuRefusal(e.what());
  }
}

const char* word(FmuPhase phase) {
  static constexpr const char* kWords[] = {"before the initialisation",
                                           "during the initialisation",
                                           "between steps",
                                           "at an event",
                                           "in continuous time",
                                           "after the end of the simulation",
                                           "after an error"};
  return kWords[static_cast<size_t>(phase)];
}

const char* word(FmuKind kind) {
  static constexpr const char* kWords[] = {"real number", "integer", "Boolean", "string"};
  return kWords[static_cast<size_t>(kind)];
}

double startOf(const FmuVariable& v) {
  if (v.kind == FmuKind::boolean) return v.start == "true" ? 1 : 0;
  return fmuNumber(v.start).value_or(std::numeric_limits<double>::quiet_NaN());
}

constexpr auto kExchanging = {FmuPhase::initialising, FmuPhase::atEvent, FmuPhase::moving,
                              FmuPhase::terminated};
constexpr const char* kOtherModel = "with the parameters that were set ";

}  // namespace

FmuInstance::FmuInstance(const std::string& resources, const std::string& token,
                         FmuInterface interface, Log log)
    : description_(descriptionIn(resources)),
      resources_(resources),
      interface_(interface),
      log_(std::move(log)) {
  if (token != description_->token) {
    throw FmuRefusal("the GUID or instantiation token '" + token + "' is not that of this FMU, '" +
                     description_->token + "': it is of another model description");
  }
  if (interface == FmuInterface::modelExchange && !description_->noExchange.empty())
    throw FmuRefusal("the FMU is one of co-simulation, not of model exchange: " +
                     description_->noExchange);
  reset();
}

void FmuInstance::require(std::initializer_list<FmuPhase> phases, const char* call) const {
  if (std::ranges::find(phases, phase_) != phases.end()) return;
  throw FmuRefusal(fmt::format("{} must not be called {}", call, word(phase_)));
}

void FmuInstance::setUp(const FmuSetup& setup) {
  require({FmuPhase::instantiated}, "the set-up of the experiment");
  const auto check = [](bool right, const char* rule, double x) {
    if (!right) throw FmuRefusal(fmt::format("{}, found {}", rule, x));
  };
  check(std::isfinite(setup.start), "the start time must be a finite number", setup.start);
  if (setup.stop) {
    check(std::isfinite(*setup.stop) && *setup.stop > setup.start,
          "the stop time must be a finite number behind the start time", *setup.stop);
  }
  if (setup.tolerance)
    check(std::isfinite(*setup.tolerance) && *setup.tolerance > 0,
          "the tolerance must be a positive number", *setup.tolerance);
  setup_ = setup;
}

void FmuInstance::enterInitialisation() {
  require({FmuPhase::instantiated}, "the initialisation");
  phase_ = FmuPhase::initialising;
}

void FmuInstance::exitInitialisation() {
  require({FmuPhase::initialising}, "the end of the initialisation");
  if (!begun_) begin();
  phase_ = interface_ == FmuInterface::coSimulation ? FmuPhase::stepping : FmuPhase::atEvent;
}

void FmuInstance::terminate() {
  require({FmuPhase::stepping, FmuPhase::atEvent, FmuPhase::moving, FmuPhase::failed},
          "the end of the simulation");
  phase_ = FmuPhase::terminated;
}

void FmuInstance::reset() {
  phase_ = FmuPhase::instantiated;
  setup_ = {description_->start, std::nullopt, std::nullopt};
  isTerminated_ = false;
  begun_.reset();
  exchange_.reset();
  simulation_.reset();
  values_.clear();
  for (const FmuVariable& v : description_->variables) values_.push_back(startOf(v));
}

const FmuVariable& FmuInstance::variable(std::uint32_t reference) const {
  if (reference < description_->variables.size()) return description_->variables[reference];
  throw FmuRefusal(fmt::format("no variable has the value reference {}; there are {}", reference,
                               description_->variables.size()));
}

/// Numbers that the run can be given while it goes on.
bool FmuInstance::isFed(const FmuVariable& v) const {
  return v.role == FmuRole::input || v.role == FmuRole::tunable;
}

double FmuInstance::value(std::uint32_t reference) {
  const FmuVariable& v = variable(reference);
  if (v.role == FmuRole::independent) return time();
  const bool isFollowing = v.isResult() || v.isOfExchange() || v.role == FmuRole::calculated;
  if (!isFollowing || (v.isStart() && phase_ == FmuPhase::instantiated)) return values_[reference];
  if (!begun_) {
    require({FmuPhase::initialising}, ("reading '" + v.name + "'").c_str());
    begin();
  }
  if (v.isOfExchange() || (exchange_ && v.ordinal >= 0)) return exchanged(v);
  if (!v.isResult()) return values_[reference];
  if (exchange_ && !exchange_->complete())
    throw FmuDiscard("'" + v.name + "' cannot be computed at this point");
  return simulation_->value(columns_[reference]);
}

/// A state, a derivative, or an indicator.
double FmuInstance::exchanged(const FmuVariable& v) {
  const auto k = static_cast<size_t>(v.ordinal);
  const bool isRate = v.role == FmuRole::derivative, isIndicator = v.role == FmuRole::indicator;
  if (exchange_) {
    if (!isRate && !isIndicator) return exchange_->states()[k];
    work_.resize(isRate ? stateCount() : indicatorCount());
    isRate ? derivatives(work_) : indicators(work_);
    return work_[k];
  }
  if (isIndicator) return 1;  // steps end behind events
  const int place = MotionExchange::states(*simulation_)[k];
  if (!isRate) return simulation_->y()[place];
  MotionPoint point{simulation_->time(), simulation_->y(), simulation_->yp()};
  const RegularAngles kept(*simulation_, point, 0);
  // What is exchanged counts as the run does, what is read as results do.
  if (interface_ != FmuInterface::modelExchange)
    point = standingPoint(*simulation_, simulation_->time());
  PointEquations(*simulation_).makeConsistent(point);
  return point.yp[place];
}

void FmuInstance::get(References references, FmuKind kind,
                      const std::function<void(double)>& take) {
  for (const std::uint32_t r : references) {
    const FmuVariable& v = variable(r);
    if (v.kind != kind)
      throw FmuRefusal(
          fmt::format("'{}' is a {} and was read as a {}", v.name, word(v.kind), word(kind)));
    take(value(r));
  }
}

void FmuInstance::getTexts(References references, const char** texts) {
  for (const std::uint32_t r : references) {
    const FmuVariable& v = variable(r);
    if (v.kind != FmuKind::text)
      throw FmuRefusal(fmt::format("'{}' is a {} and was read as a string", v.name, word(v.kind)));
    *texts++ = v.start.c_str();
  }
}

void FmuInstance::requireSettable(const FmuVariable& v, double x) const {
  if (!std::isfinite(x))
    throw FmuRefusal(fmt::format("'{}' must be a finite number, found {}", v.name, x));
  if (!v.isSettable())
    throw FmuRefusal(fmt::format("'{}' is {} and cannot be set", v.name,
                                 v.role == FmuRole::constant     ? "part of the model's structure"
                                 : v.role == FmuRole::calculated ? "determined by other parameters"
                                                                 : "a result"));
  const std::string call = "setting '" + v.name + "'";
  if (v.role == FmuRole::input) {
    require({FmuPhase::instantiated, FmuPhase::initialising, FmuPhase::stepping, FmuPhase::atEvent,
             FmuPhase::moving},
            call.c_str());
  } else if (v.role == FmuRole::tunable) {
    require({FmuPhase::instantiated, FmuPhase::initialising, FmuPhase::stepping, FmuPhase::atEvent},
            call.c_str());
  } else if (v.role == FmuRole::approxStart) {
    require({FmuPhase::instantiated}, call.c_str());
  } else {
    require({FmuPhase::instantiated, FmuPhase::initialising}, call.c_str());
  }
}

void FmuInstance::set(References references, FmuKind kind,
                      const std::function<double(size_t)>& value) {
  for (size_t i = 0; i < references.size(); ++i) {
    const FmuVariable& v = variable(references[i]);
    if (v.kind != kind)
      throw FmuRefusal(
          fmt::format("'{}' is a {} and was set as a {}", v.name, word(v.kind), word(kind)));
    requireSettable(v, value(i));
  }
  for (size_t i = 0; i < references.size(); ++i) {
    double& now = values_[references[i]];
    if (now == value(i)) continue;
    now = value(i);
    if (!begun_) continue;
    if (phase_ != FmuPhase::instantiated && phase_ != FmuPhase::initialising) {
      simulation_->set(inputs_[references[i]], now);
    } else {
      begun_.reset();  // the start is to be found again
    }
  }
}

void FmuInstance::setTexts(References references) {
  for (const std::uint32_t r : references)
    throw FmuRefusal(fmt::format("'{}' cannot be set as a string", variable(r).name));
  throw FmuRefusal("no string can be set");
}

/// What was set and is not as the exporter found it, as --set has it; a list as a whole.
Overrides FmuInstance::overrides() const {
  Overrides overrides = description_->overrides;
  const std::vector<FmuVariable>& all = description_->variables;
  for (size_t i = 0, end = 0; i < all.size(); i = end) {
    end = i + 1;
    if (all[i].target.empty()) continue;
    const bool isList = all[i].isListElement();
    while (isList && end < all.size() && all[end].target == all[i].target) ++end;
    bool isChanged = false;
    std::string text;
    for (size_t k = i; k < end; ++k) {
      isChanged = isChanged || values_[k] != startOf(all[k]);
      text += (k > i ? ", " : "") + formatNumber(values_[k]);
    }
    if (isChanged) overrides.push_back(all[i].target + "=" + (isList ? "[" + text + "]" : text));
  }
  return overrides;
}

/// [s]  No step goes beyond it.
double FmuInstance::stop() const {
  return setup_.stop.value_or(setup_.start + kOpenEnd * (description_->stop - description_->start));
}

RunOptions FmuInstance::options() const {
  RunOptions options;
  options.startTime = setup_.start;
  options.stopTime = stop();
  options.tolerance = setup_.tolerance;
  options.stopsAtEvents = interface_ == FmuInterface::coSimulationOfEvents;
  const bool hasFixedStep = simulation_->source().simulation.step.has_value();
  if (!setup_.stop && !hasFixedStep)
    options.maximumStep = (description_->stop - description_->start) / kLooksPerRun;
  const double run = stop() - setup_.start;
  if (run > kMostPoints * description_->interval) options.outputInterval = run / kMostPoints;
  for (const FmuVariable& v : description_->variables) {
    if (v.isResult()) options.outputs.push_back(v.name);
  }
  return options;
}

/// Loads the model with what was set, and finds its start.
void FmuInstance::begin() {
  run([&] {
    begun_.reset();
    exchange_.reset();
    simulation_.emplace(catalogue(), resources_ + "/" + description_->file, overrides());
    const std::vector<FmuVariable>& all = description_->variables;
    inputs_.assign(all.size(), {});
    for (size_t i = 0; i < all.size(); ++i) {
      if (!isFed(all[i])) continue;
      inputs_[i] = simulation_->input(all[i].name);
      simulation_->set(inputs_[i], values_[i]);
    }
    warningsTold_ = eventsTold_ = 0;
    if (interface_ == FmuInterface::modelExchange) {
      const std::string why = exchange_.emplace(*simulation_).start(options());
      if (!why.empty()) throw FmuRefusal(kOtherModel + ("there is no model exchange: " + why));
      if (exchange_->states().size() != stateCount() ||
          static_cast<size_t>(exchange_->margins()) != indicatorCount())
        throw FmuRefusal(kOtherModel + std::string("the model has other states or events"));
    } else {
      simulation_->start(options());
    }
    std::unordered_map<std::string, size_t> columns;
    for (const std::string& name : simulation_->outputs()) columns.emplace(name, columns.size());
    columns_.assign(all.size(), {});
    for (size_t i = 0; i < all.size(); ++i) {
      if (!all[i].isResult()) continue;
      const auto column = columns.find(all[i].name);
      if (column == columns.end())
        throw FmuRefusal(kOtherModel + ("the model has no '" + all[i].name + "'"));
      columns_[i].column = column->second;
    }
    isTerminated_ = false;
    readCalculated();
    begun_ = values_;
    tellNews();
  });
}

void FmuInstance::readCalculated() {
  std::unordered_map<std::string, double> numbers;
  const ModelParts parts(*simulation_);
  const auto take = [&](const std::string& name, const ExpressionValue& x) {
    if (x.isScalar()) numbers[name] = x.real();
    if (x.isBoolean()) numbers[name] = x.boolean() ? 1 : 0;
    for (int k = 0; x.isVector() && k < x.size(); ++k)
      numbers[fmt::format("{}[{}]", name, k + 1)] = x.elements()[k];
  };
  for (const auto& [name, x] : parts.ownParameters()) take(name, x);
  for (const auto& [name, x] : parts.foundParameters()) numbers[name] = x;
  for (size_t i = 0; i < values_.size(); ++i) {
    const FmuVariable& v = description_->variables[i];
    if (const auto x = numbers.find(v.name); v.role == FmuRole::calculated && x != numbers.end())
      values_[i] = x->second;
  }
}

void FmuInstance::step(double current, double step, bool mayEndEarly) {
  require({FmuPhase::stepping}, "a step");
  if (!(std::isfinite(current) && std::isfinite(step) && step >= 0))
    throw FmuRefusal(
        fmt::format("a step must begin at a finite time and have a length of at least "
                    "0 s, found {} s and {} s",
                    current, step));
  const double now = simulation_->time();
  const double near =
      kSameTime * step + 4 * std::numeric_limits<double>::epsilon() * std::abs(current);
  if (!isTerminated_ && std::abs(current - now) > near)
    throw FmuRefusal(fmt::format("a step must begin where the last one ended, at {} s, found {} s",
                                 now, current));
  double end = std::max(now, current + step);
  if (end > stop() && end - stop() <= near) end = stop();
  if (end > stop())
    throw FmuRefusal(fmt::format("a step must not go beyond the stop time, {} s, found {} s{}",
                                 stop(), end,
                                 setup_.stop ? "" : ": say it where the experiment is set up"));
  if (isTerminated_) return;
  run([&] {
    do {
      simulation_->advance(end);
    } while (!mayEndEarly && simulation_->isAtEvent() && simulation_->time() < end);
  });
  isTerminated_ = !simulation_->report().terminated.empty();
  tellNews();
}

void FmuInstance::requireExchange(const char* call) const {
  if (interface_ != FmuInterface::modelExchange)
    throw FmuRefusal(fmt::format("{} is of model exchange, the instance of co-simulation", call));
}

/// Throws FmuRefusal where there are no events for the importer to handle.
void FmuInstance::requireEvents(std::initializer_list<FmuPhase> phases, const char* call) const {
  if (interface_ == FmuInterface::coSimulation)
    throw FmuRefusal(std::string(call) +
                     " is not for this instance, which handles events within its steps");
  require(phases, call);
}

MotionExchange& FmuInstance::exchange(std::initializer_list<FmuPhase> phases, const char* call) {
  requireExchange(call);
  require(phases, call);
  if (!begun_) {
    require({FmuPhase::initialising}, call);
    begin();
  }
  return *exchange_;
}

void FmuInstance::requireMany(std::span<const double> numbers, size_t right,
                              const char* what) const {
  if (numbers.size() != right)
    throw FmuRefusal(fmt::format("there are {} {}, found {}", right, what, numbers.size()));
  if (right > 0 && !numbers.data()) throw FmuRefusal("the values must not be a null pointer");
}

void FmuInstance::enterEvents() {
  requireEvents({FmuPhase::stepping, FmuPhase::atEvent, FmuPhase::moving}, "event mode");
  phase_ = FmuPhase::atEvent;
}

void FmuInstance::enterSteps() {
  if (interface_ == FmuInterface::modelExchange)
    throw FmuRefusal("step mode is of co-simulation, the instance of model exchange");
  requireEvents({FmuPhase::atEvent}, "step mode");
  phase_ = FmuPhase::stepping;
}

void FmuInstance::enterMotion() {
  exchange({FmuPhase::atEvent}, "continuous-time mode");
  phase_ = FmuPhase::moving;
}

void FmuInstance::setTime(double time) {
  MotionExchange& x = exchange({FmuPhase::atEvent, FmuPhase::moving}, "setting the time");
  if (!std::isfinite(time))
    throw FmuRefusal(fmt::format("the time must be finite, found {}", time));
  x.setTime(time);  // methods look beyond the stop time, too
}

void FmuInstance::setStates(std::span<const double> states) {
  MotionExchange& x = exchange({FmuPhase::moving}, "setting the states");
  requireMany(states, stateCount(), "states");
  for (const double s : states) {
    if (!std::isfinite(s)) throw FmuRefusal(fmt::format("states must be finite, found {}", s));
  }
  x.setStates(states);
}

void FmuInstance::states(std::span<double> states) {
  MotionExchange& x = exchange(kExchanging, "reading the states");
  requireMany(states, stateCount(), "states");
  std::ranges::copy(x.states(), states.begin());
}

void FmuInstance::nominals(std::span<double> nominals) const {
  requireExchange("reading nominal values");
  requireMany(nominals, stateCount(), "states");
  if (begun_) std::ranges::copy(exchange_->nominals(), nominals.begin());
  for (const FmuVariable& v : description_->variables) {
    if (!begun_ && !v.nominal.empty()) nominals[v.ordinal] = fmuNumber(v.nominal).value_or(1);
  }
}

void FmuInstance::derivatives(std::span<double> derivatives) {
  MotionExchange& x = exchange(kExchanging, "reading derivatives");
  requireMany(derivatives, stateCount(), "states");
  if (!x.rates(derivatives)) throw FmuDiscard("there are no derivatives at this point");
}

void FmuInstance::indicators(std::span<double> indicators) {
  MotionExchange& x = exchange(kExchanging, "reading event indicators");
  requireMany(indicators, indicatorCount(), "event indicators");
  if (!x.margins(indicators)) throw FmuDiscard("event indicators cannot be computed at this point");
}

bool FmuInstance::completeStep() {
  MotionExchange& x = exchange({FmuPhase::moving}, "the end of a step");
  if (!x.complete()) throw FmuDiscard("the step ends where nothing can be computed");
  bool isEvent = false;
  run([&] { isEvent = x.passStep(); });
  return isEvent;
}

MotionExchange::Event FmuInstance::update() {
  requireEvents({FmuPhase::atEvent}, "the update of discrete states");
  MotionExchange::Event event{};
  if (exchange_) {
    if (!exchange_->complete()) throw FmuDiscard("the event is where nothing can be computed");
    run([&] { event = exchange_->passEvent(); });
  } else {
    event = {false, simulation_->isAtEvent(), std::numeric_limits<double>::infinity()};
    run([&] { simulation_->advance(simulation_->time()); });
  }
  isTerminated_ = !simulation_->report().terminated.empty();
  tellNews();
  return event;
}

double FmuInstance::time() const { return begun_ ? simulation_->time() : setup_.start; }

/// Warnings and events that have come since.
void FmuInstance::tellNews() {
  const RunReport& report = simulation_->report();
  for (; warningsTold_ < report.warnings.size(); ++warningsTold_)
    tell(Category::warning, report.warnings[warningsTold_]);
  for (; eventsTold_ < report.eventRecords.size(); ++eventsTold_) {
    if (!logsEvents_) continue;
    const EventRecord& e = report.eventRecords[eventsTold_];
    tell(Category::events, fmt::format("event at {} s: {}", e.time, fmt::join(e.changed, ", ")));
  }
  if (isTerminated_) tell(Category::events, "the model ends the simulation: " + report.terminated);
}

}  // namespace cardan
