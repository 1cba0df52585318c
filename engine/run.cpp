#include "engine/run.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "components/instants.h"
#include "engine/equations/model.h"
#include "engine/equations/not_finite.h"
#include "engine/integration/archived.h"
#include "engine/integration/prescribed_jumps.h"
#include "engine/integration/state_archive.h"
#include "engine/integration/stopwatch.h"
#include "engine/integration/time_resolution.h"
#include "engine/integration/undecided.h"
#include "engine/saved_state.h"
#include "engine/text/joined.h"

namespace cardan {
namespace {

constexpr int kMostEventsAtOnePlace =
    1000;                              // events closer together than 1e-9 of the run: chattering
constexpr double kLooksPerRun = 50;    // at least, for events within steps
constexpr double kForcedSteps = 10;    // at least, where time itself moves the model
constexpr double kFirstStep = 1e-3;    // of the run, at most
constexpr double kHere = 1e-9;         // of the run: at one place
constexpr long kBetweenLooks = 16;     // steps: whether prescribed velocities are rates
constexpr double kFelt = 1;            // of the tolerance, by a step over a bend of an input
constexpr double kFirstError = 0.05;   // of the tolerance, by the first step
constexpr double kBridgeError = 1;     // of the tolerance in positions, by each step of a bridge
constexpr double kLongestOver = 1e-4;  // of the run, a step of a bridge

/// The outputs asked for: of the options, else of the file.
std::vector<OutputPattern> patternsOf(const Model& model, const RunOptions& options) {
  if (options.outputs.empty()) return model.description().outputs;
  std::vector<OutputPattern> result;
  for (const std::string& p : options.outputs)
    result.push_back({p, {model.description().file, 0, 0}});
  return result;
}

/// What modes that let no step be made come to; not a limit that the user has set, or a loop that is lost.
bool isOfModes(SolverError::Cause cause) {
  using enum SolverError::Cause;
  constexpr std::array kOfModes{ErrorTest,    NewtonConvergence, ResidualNotComputable,
                                StepTooSmall, SingularMatrix,    RootNotComputable,
                                Crawling};
  return std::ranges::find(kOfModes, cause) != kOfModes.end();
}

}  // namespace

Run::Run(const Model& model, MultibodySystem& system, EventSystem& events, RowSink* sink,
         const RunOptions& options, const InitialReport& initial, const InputFeed* feed,
         Diagnostics& diagnostics)
    : model_(model),
      equations_(system.equations()),
      system_(system),
      events_(events),
      sink_(sink),
      options_(options),
      feed_(feed),
      completion_(equations_),
      recorder_(model, equations_, patternsOf(model, options), diagnostics, options.watch),
      charts_(equations_),
      rows_(equations_),
      forcing_(model, equations_),
      pasts_(equations_, completion_),
      prescribed_(equations_, model.assembly().variables),
      w_(equations_.makeWorkspace<double>()) {
  completion_.useTreeSolver();
  const RunSettings run = RunSettings::of(model.description().simulation, options, diagnostics);
  if (const std::string why = tooShortToRun(run.start, run.stop);
      run.stop > run.start && !why.empty()) {
    diagnostics.error({}, "the stop time " + why + ", found " + formatNumber(run.stop));
  }
  diagnostics.throwIfErrors();
  t_ = start_ = run.start;
  stop_ = run.stop;
  nextInput_ = feed ? feed->nextChange(t_) : std::numeric_limits<double>::infinity();
  grid_ = run.grid;
  method_.relativeTolerance = run.tolerance;
  pasts_.setTolerance(run.tolerance);
  method_.timing = options.timing;
  check_.emplace(system_, initial.loops, run.tolerance, run.stop);
  choice_ = run.integrator;
  choiceAt_ = run.integratorAt;
  method_.step = run.step.value_or(0);
  equations_.state.ahead = method_.step;
  events_.violations().setStrict(options.strict);
  events_.setImpactLaw(run.impact);
  look_ = run.step.value_or(run.maximumStep.value_or((stop_ - start_) / kLooksPerRun));
  longest_ = run.step.value_or(
      run.maximumStep.value_or((stop_ - start_) / (forcing_.any() ? kForcedSteps : 1)));
  method_.maximumStep = longest_;
  method_.look = look_;
  if (options.explainSteps) limits_.emplace(system_, longest_, run.tolerance);
  lastWritten_ = rowIsOf_ = std::numeric_limits<double>::quiet_NaN();
  row_.resize(recorder_.columns().size());
  // What goes on from row to row needs them.
  skipsGrid_ = sink_ && !sink_->wantsGrid() && !options.watch && !recorder_.continuation();
}

Run::~Run() {
  system_.watch(nullptr);
  events_.noteIn(nullptr);
  equations_.state.ahead = 0;
  std::ranges::fill(equations_.state.outsides, nullptr);
}

void Run::begin(std::vector<double> y, std::vector<double> yp) {
  const Stopwatch timer(true, report_.integrationSeconds);
  y_ = std::move(y);
  yp_ = std::move(yp);
  events_.setSpan(start_, stop_, method_.relativeTolerance);
  if (options_.companion) {
    events_.noteIn(options_.companion->journal());
    options_.companion->beforeStart(t_, y_, yp_);
  }
  events_.settleAtStart(t_, y_, yp_, completion_, w_);
  if (options_.companion) options_.companion->afterStart(t_, y_, yp_);
  tellSharing();
  chooseRows();
  pasts_.begin(t_, y_, yp_);
  prepareIntegrator();
  if (sink_) sink_->begin(recorder_.columns());
  forcing_.begin(start_, stop_, events_.crossings() > 0, y_, yp_, w_);
  equations_.referToMultipliers(y_);
  integrator_->start(t_, y_, yp_, firstStep(kFirstStep * (stop_ - start_)));
  prescribed_.look(t_, y_, yp_, method_.relativeTolerance);
  ye_ = y_;
  ype_ = yp_;
  if (sink_ && !options_.resume) {
    const Stopwatch ofRow(true, report_.outputSeconds);
    write(t_, ye_, ype_);
  }
  if (events_.terminated().empty()) lookAhead();
}

void Run::prepareIntegrator() {
  system_.watch(&events_, &completion_);
  integrator_ = options_.companion ? options_.companion->makeIntegrator(choice_, system_, method_)
                                   : makeIntegrator(choice_, system_, method_);
  const std::string obstacle = integrator_->examine(t_, y_);
  if (obstacle.empty()) return;
  integrator_.reset();
  Diagnostics diagnostics;
  diagnostics.error(choiceAt_, std::string("the integrator '") + word(choice_) +
                                   "' cannot step this model: " + obstacle +
                                   "; 'automatic' and 'ida' can");
  diagnostics.throwIfErrors();
}

void Run::advance(double time) {
  const Stopwatch timer(true, report_.integrationSeconds);
  if (!(time >= t_ && time <= stop_)) {
    throw std::invalid_argument("a run goes on from the time that it has reached, " +
                                formatNumber(t_) + " s, to its stop time, " + formatNumber(stop_) +
                                " s: found " + formatNumber(time));
  }
  if (options_.saves) report_.interrupted = false;  // it was at the end of a step
  if (!events_.terminated().empty() || report_.interrupted || report_.paused) return;
  if (disturbed_ && !isAtEvent()) {
    disturb();  // what it does to a row at this very instant is not in the last one
    disturbed_ = false;
    takePoint();
    followInputs(t_, y_, yp_, equations_, completion_, w_);
    solvePoint();
    changeModes();
    pasts_.passEvent(t_, y_, yp_, {"input"});
    restart();
    // The values after a jump of the input; a row that is here already has those before it.
    if (options_.eventRows || isSameInstant(lastWritten_, t_)) writePoint();
    lookAhead();
  }
  try {
    if (isAtEvent()) handleWaiting();
    if (events_.terminated().empty()) integrateTo(time);
    if (events_.watchesEnd() && !ended_ && !isAtEvent() && hasEnded()) end();
  } catch (const SolverError& error) {
    if (limits_) limits_->failed(*integrator_);
    explain(error);
  }
}

void Run::look() {
  t_ = integrator_->time();
  rowIsOf_ = std::numeric_limits<double>::quiet_NaN();
}

/// The point is the end of a step.
void Run::arrive() {
  const bool isFarther = integrator_->step(t_) == Integrator::StepResult::Stepped;
  if (isFarther) recorder_.follow(*integrator_, t_, look_);
  takePoint();
}

bool Run::passStep() {
  const Stopwatch timer(true, report_.integrationSeconds);
  try {
    arrive();
    disturbed_ = false;  // inputs have moved with the step
    if (!events_.terminated().empty()) return true;
    if (hasCome(nextEvent(), t_) || isDue() || (events_.watchesEnd() && !ended_ && hasEnded()))
      return true;
    watchStep();
    rows_.renew(*integrator_);
  } catch (const SolverError& error) {
    explain(error);
  }
  return charts_.areDue(integrator_->y());
}

bool Run::passEvent() {
  const Stopwatch timer(true, report_.integrationSeconds);
  try {
    arrive();
    const bool ofTime = hasCome(nextEvent_, t_);
    const bool happens = events_.terminated().empty() && (ofTime || disturbed_ || isDue());
    if (happens) handleEvent(ofTime);
    disturbed_ = false;
    integrator_->restart(t_, y_, yp_, 0);
    if (events_.watchesEnd() && !ended_ && hasEnded()) {
      end();
      integrator_->restart(t_, y_, yp_, 0);
    }
    charts_.renew(*integrator_);
    takePoint();
    look();
    if (events_.terminated().empty()) lookAhead();
    return happens;
  } catch (const SolverError& error) {
    explain(error);
  }
}

/// Where something could not be computed, the expression at fault is named with its place.
void Run::explain(const SolverError& error) {
  SolverError::Details details = error.details();
  const Workspace<double>& last = system_.lastEvaluated();
  switch (details.cause) {
    case SolverError::Cause::ResultNotFinite:
      w_.y = ye_;
      w_.yp = ype_;
      w_.tables.time = details.time;
      break;
    case SolverError::Cause::ResidualNotComputable:
    case SolverError::Cause::RootNotComputable:
      w_.y = last.y;
      w_.yp = last.yp;
      w_.tables.time = last.tables.time;
      break;
    default:
      throw error;
  }
  std::optional<Diagnostic> fault = whatIsNotFinite(equations_, w_);
  if (details.cause == SolverError::Cause::ResidualNotComputable) {
    // Shorter and shorter steps led up to where it is still good: a little beyond it is not.
    const double shortest = 1e-12 * (stop_ - start_);
    for (double ahead = shortest; !fault && ahead < longest_; ahead *= 4) {
      for (size_t i = 0; i < w_.y.size(); ++i) w_.y[i] = y()[i] + ahead * yp()[i];
      std::copy(yp().begin(), yp().end(), w_.yp.begin());
      w_.tables.time = t_ + ahead;
      fault = whatIsNotFinite(equations_, w_);
    }
  }
  if (fault) details.reason = fault->text + formatPlace(fault->at);
  // A result of the file that nothing else reads.
  const VariableTable& table = model_.assembly().variables;
  for (const VariableElement& of : table.elements(details.unknown)) {
    const ExpressionVariable* e = table[of.variable].expression;
    if (!e || !details.reason.empty()) continue;
    if (const auto own = e->fault(View<double>(w_.tables))) {
      details.reason = own->text + formatPlace(own->at);
    }
  }
  if (details.reason.empty()) throw error;
  throw SolverError(std::move(details));
}

void Run::integrateTo(double time) {
  while (t_ < time) {
    if (events_.lookedAheadTo() < std::min({stop_, t_ + longestNow(), nextInput_})) {
      takePoint();
      lookAhead();
    }
    double limit = std::min({time, nextEvent_, nextInput_});
    // Only a step that would be longer is cut: a stop in its way would keep it short for good.
    if (const double longest = pasts_.longestStep();
        !(integrator_->nextStep() > 0 && integrator_->nextStep() <= longest))
      limit = std::min(limit, t_ + longest);
    if (!integrator_->hasFixedStep()) limit = forcing_.endOfStep(*integrator_, limit, w_);
    Integrator::StepResult result{};
    if (!stepOrUnjam(limit, result)) continue;
    t_ = integrator_->time();
    if (limits_) limits_->look(*integrator_, result);
    if (options_.companion) options_.companion->afterStep();
    pasts_.follow(*integrator_);
    recorder_.follow(*integrator_, t_, look_);
    const bool root = result == Integrator::StepResult::Root;
    const bool timeEvent = hasCome(nextEvent_, t_);
    if (timeEvent || root) makeConsistent();
    // A switching function has changed its sign; a mode changes only if the point says so, too.
    const bool event = timeEvent || (root && isDue());
    rowsUpTo(t_, event);
    if (report_.interrupted) return;
    if (!event && !watchStep()) continue;
    if (event && options_.stopsAtEvents) {
      waiting_ = true;
      return;
    }
    if (event) {
      handleEvent(timeEvent);
      lookAhead();
      if (!events_.terminated().empty()) return;
    } else if (!root) {
      charts_.renew(*integrator_);
      rows_.renew(*integrator_);
    }
    if (hasCome(nextInput_, t_)) bendInputs();
    if (isInterrupted(t_)) return;
    if (options_.pauseAt && hasCome(*options_.pauseAt, t_) && t_ < stop_) {
      report_.paused = true;
      return;
    }
  }
}

/// One step. False: it failed, and the run goes on from where it began.
bool Run::stepOrUnjam(double limit, Integrator::StepResult& result) {
  try {
    result = integrator_->step(limit);
    return true;
  } catch (const SolverError& error) {
    t_ = integrator_->time();
    unjam(error);
    return false;
  }
}

/// What step() ends with is looked at, too. False: the run goes on from here in another way.
bool Run::watchStep() {
  try {
    (*check_)(*integrator_);
  } catch (const SolverError& error) {
    unjam(error);
    return false;
  }
  events_.watchMotion(t_, y(), yp(), w_);
  if (integrator_->statistics().steps % kBetweenLooks == 0)
    prescribed_.look(t_, y(), yp(), method_.relativeTolerance);
  return true;
}

/// Steps do not get on, by `error`: surfaces jam, which is an event, or the last event, one of contacts, has left
/// modes that let no step be made, which is led over. Throws the error where it is neither.
void Run::unjam(const SolverError& error) {
  takePoint();
  const bool jams = !options_.companion && events_.isJammed(t_, y_, yp_, completion_, w_);
  const bool bridges = mayBridge() && !bridge_.isOn() && events_.wasMechanical();
  if (!jams && !(bridges && isOfModes(error.details().cause))) throw;
  if (jams) {
    handleEvent(false);
  } else {
    leadOver(stepOfBridge(), "no step can be made from the modes of contact and friction here");
    equations_.state.ahead = bridge_.step();
    restart();
  }
  lookAhead();
}

/// What happens at the end of the run; a row shows it.
void Run::end() {
  ended_ = true;
  takePoint();
  solvePoint();
  tellCompanion(RunCompanion::Instant::fixed);
  if (!events_.settleAtEnd(t_, y_, yp_, completion_, w_)) return;
  solveSettled();
  ++report_.events;
  if (eventRecords_.size() < kMostEventRecords) eventRecords_.push_back({t_, events_.changed()});
  if (options_.companion) options_.companion->afterEvent(t_, y_, yp_);
  if (options_.eventRows) writePoint();
}

/// An event is about to be handled, at a consistent point.
void Run::tellCompanion(RunCompanion::Instant instant) {
  if (options_.companion)
    options_.companion->beforeEvent(instant, t_, std::max(lastEvent_, start_), y_, yp_);
}

RunReport Run::report() const {
  RunReport report = report_;
  if (integrator_) {
    report.integrator = integrator_->statistics();
    report.methods = integrator_->methods();
    const std::vector<std::string> ofMethod = integrator_->warnings();
    report.warnings.insert(report.warnings.end(), ofMethod.begin(), ofMethod.end());
  }
  report.stopTime = t_;
  report.chartChanges = charts_.changes();
  report.terminated = events_.terminated();
  report.contactViolations = events_.violations().count();
  const std::vector<std::string> ofEvents = events_.warnings();
  report.warnings.insert(report.warnings.end(), ofEvents.begin(), ofEvents.end());
  const std::vector<std::string> ofRates = prescribed_.warnings();
  report.warnings.insert(report.warnings.end(), ofRates.begin(), ofRates.end());
  if (!forcing_.warning().empty()) report.warnings.push_back(forcing_.warning());
  if (limits_ && integrator_) report.explanation = limits_->explanation(*integrator_);
  report.integrationSeconds -= report.outputSeconds;
  return report;
}

std::span<const double> Run::row() {
  if (rowIsOf_ != t_) {
    ye_.assign(y().begin(), y().end());
    ype_.assign(yp().begin(), yp().end());
    recorder_.record(t_, ye_, ype_, completion_, row_.data());
    rowIsOf_ = t_;
  }
  return row_;
}

/// The integrator's point, moved onto the constraints and completed.
void Run::makeConsistent() {
  takePoint();
  if (!integrator_->isRefined()) solvePoint();
}

/// What settle() has left, moved onto the constraints; completed again where that, or what follows an
/// event, has changed it.
void Run::solveSettled() {
  const std::vector<double> settled = y_;
  completion_.project(t_, y_);
  if (y_ != settled || !events_.isComplete()) completion_.complete(t_, y_, yp_);
}

void Run::takePoint() {
  y_.assign(y().begin(), y().end());
  yp_.assign(yp().begin(), yp().end());
}

void Run::solvePoint() {
  completion_.project(t_, y_);
  completion_.complete(t_, y_, yp_);
}

bool Run::isInterrupted(double t) {
  if (options_.progress && isTimeToAsk() && !options_.progress(t)) report_.interrupted = true;
  return report_.interrupted;
}

/// Every few milliseconds, however long a step takes.
bool Run::isTimeToAsk() {
  const CoarseClock::time_point now = CoarseClock::now();
  if (now < nextAsk_) return false;
  nextAsk_ = now + std::chrono::milliseconds(5);
  return true;
}

/// Rows of the output grid in (last row, t]; those at an event itself are written by handleEvent().
void Run::rowsUpTo(double t, bool endsAtEvent) {
  if (!sink_) return;
  std::optional<Stopwatch> timer;
  for (;; ++nextRow_) {
    const double at = grid_.time(nextRow_);
    if (endsAtEvent ? hasCome(t, at) : at > t) return;
    if (at == stop_ && lastWritten_ == stop_) return;
    if (at != stop_ && skipsGrid_) {
      equations_.state.contactViolation = 0;  // as behind a row
      continue;
    }
    if (!timer) timer.emplace(true, report_.outputSeconds);
    integrator_->interpolate(at, ye_, ype_);
    write(at, ye_, ype_);
    if (at == stop_) return;
    if (!options_.saves && isInterrupted(at)) {
      t_ = at;
      return;
    }
  }
}

/// One event at the consistent point (t_, y_, yp_): a row with the values before, the changes, a row with
/// those after, and a restart.
void Run::handleEvent(bool ofTime) {
  // A time event within the accuracy of this one belongs to it.
  if (!ofTime && nextEvent_ <= stop_ &&
      nextEvent_ - t_ <= sameEvent(method_.relativeTolerance, integrator_->lastStep())) {
    t_ = std::max(t_, nextEvent_);
  }
  tellCompanion(ofTime ? RunCompanion::Instant::ofTime : RunCompanion::Instant::ofState);
  if (options_.eventRows) writePoint();
  // Where inputs have moved, or modes followed the steps, nobody knows the values before.
  if (!std::exchange(disturbed_, false) && !bridge_.isOn()) events_.enterFrom(t_, y_, yp_);
  const auto ratedTwice = prescribed_.ratedTwice(t_, y_, yp_);
  jumped_.clear();
  if (hasCome(bridge_.end(), t_)) leaveBridge();
  if (hasCome(nextInput_, t_)) {
    moveInputs();
    followInputs(t_, y_, yp_, equations_, completion_, w_);
    solvePoint();
  }
  const double stepOver = mayBridge() && bridge_.isNearlyCrowd(t_, kLongestOver * (stop_ - start_))
                              ? stepOfBridge()
                              : 0;
  changeModes();
  prescribed_.lookAtJumps(ratedTwice, t_, y_, yp_, method_.relativeTolerance);
  if (options_.companion) options_.companion->afterEvent(t_, y_, yp_);
  std::vector<std::string> all = jumped_;
  all.insert(all.end(), events_.changed().begin(), events_.changed().end());
  pasts_.passEvent(t_, y_, yp_, all);
  const bool onGrid = sink_ && hasCome(grid_.time(nextRow_), t_);
  if (sink_ && !onGrid && options_.eventRows) sink_->event(all);
  ++report_.events;
  if (eventRecords_.size() < kMostEventRecords) {
    std::vector<std::string>& changed = eventRecords_.emplace_back().changed;
    eventRecords_.back().time = t_;
    changed = std::move(all);
  }
  if (limits_) limits_->event(t_, events_.changed());
  if (mayBridge()) {
    // The last events came within less than a step that could be made before this one, and behind it.
    const double crowded =
        bridge_.note(t_, !ofTime && events_.isMechanical(), kLongestOver * (stop_ - start_));
    const double step = crowded < stepOver ? std::min(stepOver, stepOfBridge()) : 0;
    if (crowded < step)
      leadOver(step, fmt::format("{} events of contact and friction within {:.3g} s",
                                 Bridge::kCrowd, crowded));
  }
  watchChattering(ofTime);
  if (onGrid || options_.eventRows) writePoint();
  if (onGrid) ++nextRow_;
  if (!events_.terminated().empty() || !(t_ < stop_)) return;
  if (bridge_.isOn()) equations_.state.ahead = bridge_.step();
  restart();
}

/// The event before which the run stopped, with the inputs that were set since.
void Run::handleWaiting() {
  waiting_ = false;
  takePoint();
  if (disturbed_) followInputs(t_, y_, yp_, equations_, completion_, w_);
  solvePoint();
  rowIsOf_ = std::numeric_limits<double>::quiet_NaN();
  handleEvent(hasCome(nextEvent_, t_));
  lookAhead();
}

/// To what the inputs are from here on.
void Run::moveInputs() {
  jumped_ = feed_->moveTo(t_, equations_);
  nextInput_ = feed_->nextChange(t_);
}

/// The same where none jumps. The history of a method does not know what bends there: where a step
/// would feel that, by the rates at its end that the inputs have before and behind, it begins anew.
void Run::bendInputs() {
  makeConsistent();
  const double h = std::max(integrator_->regularStep(), integrator_->nextStep());
  const bool hasHistory = integrator_->startsAtOrderOne();
  const bool isPlain = hasHistory && !options_.companion && !pasts_.any();
  const std::vector<double> before = isPlain ? ratesAhead(h) : std::vector<double>();
  tellCompanion(RunCompanion::Instant::fixed);
  moveInputs();
  bool felt = hasHistory;
  if (isPlain) {
    std::vector<double> moved = ratesAhead(h);
    for (size_t i = 0; i < moved.size(); ++i) moved[i] = 0.5 * h * (moved[i] - before[i]);
    felt = !(integrator_->norm(moved, y_) <= kFelt);
  }
  if (options_.companion) options_.companion->afterEvent(t_, y_, yp_);
  pasts_.passEvent(t_, y_, yp_, {"input"});
  if (felt && t_ < stop_) restart();
  lookAhead();
}

void Run::changeModes() {
  const Layout& l = equations_.layout();
  const std::vector<double> before(y_.begin(), y_.begin() + l.nq);
  // A prescribed velocity may jump with its mode.
  if (events_.settle(t_, y_, yp_, &completion_, w_)) {
    tellSharing();
    solveSettled();
  }
  if (!jumpTold_ && !events_.stateWasSet()) tellJump(before);
}

/// A warning where a prescribed position has moved a coordinate at an event. `before`: coordinates.
void Run::tellJump(const std::vector<double>& before) {
  const Layout& l = equations_.layout();
  for (int i = 0; i < l.nq; ++i) {
    const Layout::Unknown& u = l.unknowns[i];
    const double jump = y_[i] - before[i];
    // Far above what the integrator's errors leave in the constraints.
    if (!(std::abs(jump) > 1e-3 * (equations_.state.nominals[i] + std::abs(y_[i])))) continue;
    report_.warnings.push_back(fmt::format(
        "'{}' jumps by {:.6g}{}{} at time = {:.6g} s, as the position prescribed for it does: "
        "no finite force moves it so, and the speeds after it are those prescribed",
        u.name, jump, u.unit.empty() ? "" : " ", u.unit, t_));
    jumpTold_ = true;
    return;
  }
}

/// Frictions that have come to hold the same motion are named, each company once; so are rigid
/// contacts that together hold more than there is to hold.
void Run::tellSharing() {
  tellSharing(events_.sharingSeats(),
              " rest together where fewer would do: they share the load so that the sum of the "
              "squares of their forces is least");
  tellSharing(
      events_.sharing(),
      " are stuck and hold the same motion: they share its load, each in proportion to what "
      "it can hold");
}

void Run::tellSharing(const std::vector<std::string>& names, const std::string& how) {
  if (names.size() < 2) return;
  std::string all;
  for (size_t i = 0; i < names.size(); ++i)
    all += (i == 0 ? "'" : i + 1 < names.size() ? ", '" : " and '") + names[i] + "'";
  const std::string told = all + how;
  for (const std::string& w : report_.warnings) {
    if (w.starts_with(told)) return;
  }
  report_.warnings.push_back(fmt::format("{} (first at t = {:.6g} s)", told, t_));
}

/// Those of the loops that are kept from here on.
void Run::chooseRows() {
  if (rows_.choose(t_, y_.data())) completion_.complete(t_, y_, yp_);
}

void Run::restart() {
  chooseRows();
  equations_.referToMultipliers(y_);
  prescribed_.look(t_, y_, yp_, method_.relativeTolerance);
  const double regular = integrator_->regularStep();
  const double most = regular > 0 ? std::min(regular, look_) : kFirstStep * (stop_ - start_);
  integrator_->restart(t_, y_, yp_, firstStep(most));
}

/// Rates `ahead` [s] of (t, y), straight on by those there; not numbers where that cannot be told.
std::vector<double> Run::ratesAhead(double ahead) {
  ye_ = y_;
  ype_ = yp_;
  for (size_t i = 0; i < y_.size(); ++i) {
    if (equations_.layout().unknowns[i].differential) ye_[i] += ahead * yp_[i];
  }
  if (completion_.complete(t_ + ahead, ye_, ype_)) return ype_;
  return std::vector<double>(y_.size(), std::numeric_limits<double>::quiet_NaN());
}

/// [s] First step after a start or an event, at most `most`: where it has order one its error is
/// h^2/2 y''. The second derivative is the change of the rates a little further on.
double Run::firstStep(double most) {
  return integrator_->startsAtOrderOne() ? stepOfOrderOne(most, kFirstError, y_.size()) : most;
}

/// [s] At most `most`, and so long that its error is `error` tolerances in the first `count` unknowns.
double Run::stepOfOrderOne(double most, double error, size_t count) {
  constexpr double kLittle = 1e-4;  // of the step
  const double ahead = kLittle * most;
  if (!(ahead > 0) || t_ + ahead == t_) return most;
  std::vector<double> change = ratesAhead(ahead);
  for (size_t i = 0; i < y_.size(); ++i) change[i] = i < count ? (change[i] - yp_[i]) / ahead : 0;
  const double bend = integrator_->norm(change, y_);
  if (!std::isfinite(bend) || !(bend > 0)) return most;
  return std::min(most, std::sqrt(2 * error / bend));
}

/// Events at one place have no end. How fast they come elsewhere says nothing: a rectifier has as many.
void Run::watchChattering(bool ofTime) {
  if (t_ - lastEvent_ > kHere * (stop_ - start_)) {
    eventsHere_ = timeEventsHere_ = 0;
  } else {
    ++eventsHere_;
    if (ofTime) ++timeEventsHere_;
  }
  lastEvent_ = t_;
  if (eventsHere_ <= kMostEventsAtOnePlace) return;
  throw SolverError({.cause = timeEventsHere_ == eventsHere_ ? SolverError::Cause::TooManyTimeEvents
                                                             : SolverError::Cause::Chattering,
                     .time = t_,
                     .unknown = joined(events_.changed(), ", ")});
}

/// [s] A step of Euler's method from here. Slips are so small that their direction turns as it likes, and
/// accelerations with it: positions tell.
double Run::stepOfBridge() {
  const double patience = bridge_.patience();
  return stepOfOrderOne(kLongestOver * (stop_ - start_), kBridgeError * patience * patience,
                        static_cast<size_t>(equations_.layout().nq));
}

/// Steps of the length `step` [s] lead over what follows, for the reason `why`.
void Run::leadOver(double step, const std::string& why) {
  bridge_.begin(t_, step);
  const std::string names = namesInQuotes(events_.changed());
  events_.violations().add("bridge",
                           fmt::format("{}{}; steps of {:.3g} s, of first order, lead over that",
                                       names.empty() ? "" : names + ": ", why, step),
                           t_, step);
}

/// Touching is an event again.
void Run::leaveBridge() {
  bridge_.leave();
  equations_.state.ahead = 0;
  std::ranges::fill(equations_.state.impulses, 0.0);
  ++equations_.state.changes;
  solvePoint();
}

/// [s] No step from here is longer.
double Run::longestNow() const {
  const double planned = integrator_->nextStep();
  return planned > 0 ? std::min(planned, longest_) : longest_;
}

void Run::lookAhead() {
  equations_.evaluateAt(w_, t_, y_, yp_);
  FirstInstant next;
  next.offer(events_.nextTimeEvent(w_, t_, std::max(longestNow(), look_), nextInput_));
  if (feed_) next.offer(feed_->nextEvent(t_));
  next.offer(bridge_.end());
  nextEvent_ = grid_.meant(next.at());
  if (isSameInstant(nextInput_, nextEvent_)) nextInput_ = nextEvent_;
}

void Run::writePoint() {
  if (!sink_) return;
  const Stopwatch timer(true, report_.outputSeconds);
  ye_ = y_;
  ype_ = yp_;
  write(t_, ye_, ype_, true);
}

void Run::write(double t, std::vector<double>& y, std::vector<double>& yp, bool consistent) {
  recorder_.record(t, y, yp, completion_, row_.data(), consistent);
  rowIsOf_ = std::numeric_limits<double>::quiet_NaN();
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
  sink_->row((atStart ? start_ : t) + 0.0, row_);  // no -0
  equations_.state.contactViolation = 0;
  ++report_.rows;
  lastWritten_ = t;
}

// A member more is an error here, so that none is forgotten.
static auto keptOf(EventRecord& record) {
  auto& [time, changed] = record;
  return std::tie(time, changed);
}
static auto keptOf(RunReport& report) {
  auto& [integrator, methods, rows, events, contactViolations, eventRecords, stopTime, interrupted,
         paused, terminated, chartChanges, initialisationSeconds, integrationSeconds, outputSeconds,
         warnings,
         explanation] = report;  // the explanation is made anew where it is asked for
  return std::tie(integrator, methods, rows, events, contactViolations, eventRecords, stopTime,
                  interrupted, paused, terminated, chartChanges, initialisationSeconds,
                  integrationSeconds, outputSeconds, warnings);
}
static auto keptOf(RunState& state) {
  // What is outside of the model says itself what it is (exchangeOutside).
  auto& [modes, relations, inputs, held, changes, charts, measured, memory, pasts, outsides,
         impulses, ahead, contactViolation, redundant, regularisation, positionRegularisation,
         stabiliserWeights, multiplierReference, scales, nominals, forces] = state;
  return std::tie(modes, relations, inputs, held, changes, charts, measured, memory, pasts,
                  impulses, ahead, contactViolation, redundant, regularisation,
                  positionRegularisation, stabiliserWeights, multiplierReference, scales, nominals,
                  forces);
}

/// What is outside of the model. Throws ModelError, by its name, where it cannot tell or take its state.
void Run::exchangeOutside(StateArchive& archive) {
  const FlatModel& flat = equations_.flatModel();
  for (size_t i = 0; i < flat.outsides.size(); ++i) {
    std::string bytes;
    try {
      if (!archive.isReading()) bytes = equations_.state.outsides[i]->save();
      archive(bytes);
      if (archive.isReading()) equations_.state.outsides[i]->restore(bytes);
    } catch (const std::runtime_error& error) {
      Diagnostics diagnostics;
      diagnostics.error(flat.instances[flat.outsides[i]].at,
                        flat.typeAndName(flat.outsides[i]) + ": " + error.what());
      diagnostics.throwIfErrors();
    }
  }
}

/// Everything that the rest of the run depends on, into an archive or out of it.
void Run::exchange(StateArchive& archive) {
  archive.owner(word(choice_), system_.size());
  exchangeOutside(archive);
  const std::uint64_t changes = equations_.state.changes;
  const std::vector<double> nominals = equations_.state.nominals;
  archive(equations_.state);
  // What is known of this run is out of date, whatever the other one has counted to.
  if (archive.isReading())
    equations_.state.changes = std::max(changes, equations_.state.changes) + 1;
  archive(*this);
  archive(events_);
  archive(forcing_);
  archive(rows_);
  archive(prescribed_);
  archive(*check_);
  // Another run may write other variables.
  std::optional<Archived<Continuation>> continuation;
  Continuation* const own = recorder_.continuation();
  if (own != nullptr) continuation = valuesOf(own->kept());
  archive(continuation);
  if (own != nullptr && continuation) own->kept() = *continuation;
  long chartChanges = charts_.changes();
  archive(chartChanges);
  charts_.countedSoFar(chartChanges);
  // Its tolerances go by those of another start.
  if (equations_.state.nominals != nominals) {
    prepareIntegrator();
    integrator_->start(t_, y_, yp_, kFirstStep * (stop_ - start_));
  }
  system_.newton().resting().exchange(archive);  // by which the integrator factorises
  integrator_->exchange(archive);
  system_.newton().exchange(archive);
  completion_.exchange(archive);
}

RunSnapshot Run::save() const {
  StateArchive archive;
  const_cast<Run&>(*this).exchange(archive);  // which collects only
  return {archive.bytes()};
}

void Run::restore(const RunSnapshot& snapshot) {
  StateArchive archive(snapshot.numbers);
  exchange(archive);
  report_.interrupted = report_.paused = false;
  // That run may have written no rows, or have ended within an interval of this one's.
  for (double at = grid_.time(nextRow_);
       at < stop_ && (at <= t_ || isSameInstant(at, lastWritten_)); at = grid_.time(++nextRow_)) {
  }
  row_.resize(recorder_.columns().size());
  rowIsOf_ = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace cardan
