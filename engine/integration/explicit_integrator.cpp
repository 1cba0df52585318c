#include "engine/integration/explicit_integrator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/integration/state_archive.h"
#include "engine/integration/stopwatch.h"
#include "engine/integration/time_resolution.h"
#include "engine/integration/vector_operations.h"

namespace cardan {
namespace {

constexpr double kRounding = std::numeric_limits<double>::epsilon();
/// Conditioning, relative to the best since the last start, at which the equations count as
/// singular: it goes with the square of the distance to such a position.
constexpr double kCollapse = 1e-6;
/// The same where the equations could not be solved.
constexpr double kDoubtful = 1e-3;
/// A step of which an evaluation was too close is tried so much shorter, so many times: it may pass
/// such a position between two evaluations.
constexpr double kAside = 0.8;
constexpr int kMostSingular = 5;
/// Two ends of steps in a row with less than this: it does not pass, but goes there.
constexpr double kNear = 1e-4;
constexpr int kMostNear = 2;
/// A step that would leave less than this part of itself up to the stop goes there.
constexpr double kRest = 0.01;
/// Tolerances that the polynomial may have left at an event: its own error is a part of that, about an eighth.
constexpr double kPolynomial = 8;
/// Of the step: an event closer to its end is not stepped to again.
constexpr double kAtEnd = 0.01;
/// Tolerances that a step has passed over: its polynomial leaves ten at most, a hard surface 1e4 and more.
/// And the next one beside the way that it was passed over in.
constexpr double kPassed = 100, kNearer = 0.1;

/// Per state of the model, then of the extension: `ofModel(i)`, `ofExtension(i)`.
template <class F, class G>
std::vector<double> perState(const DaeSystem& system, const OdeExtension* extension, F ofModel,
                             G ofExtension) {
  std::vector<double> result;
  for (int i = 0; i < system.size(); ++i) {
    if (system.isDifferential(i)) result.push_back(ofModel(i));
  }
  for (int i = 0; extension && i < extension->size(); ++i) result.push_back(ofExtension(i));
  return result;
}

std::vector<double> relativeTolerances(const DaeSystem& system, const OdeExtension* extension,
                                       double relative) {
  return perState(
      system, extension, [&](int) { return relative; },
      [&](int) { return extension->relativeTolerance(relative); });
}

std::vector<double> absoluteTolerances(const DaeSystem& system, const OdeExtension* extension,
                                       double relative) {
  for (int i = 0; i < system.size(); ++i) usableNominal(system, i);
  return perState(
      system, extension, [&](int i) { return relative * usableNominal(system, i); },
      [&](int i) { return extension->relativeTolerance(relative) * extension->nominal(i); });
}

}  // namespace

ExplicitIntegrator::States::States(DaeSystem& system, ForwardDynamics& forward,
                                   OdeExtension* beside, bool timed)
    : model(forward), extension(beside), y(system.size()), yp(y.size()), timing(timed) {
  for (int i = 0; i < system.size(); ++i) {
    if (system.isDifferential(i)) places.push_back(i);
  }
}

void ExplicitIntegrator::States::gather(const double* all, double* x) const {
  for (const int i : places) *x++ = all[i];
}

void ExplicitIntegrator::States::scatter(const double* x, double* all) const {
  for (const int i : places) all[i] = *x++;
}

bool ExplicitIntegrator::States::rates(double t, const double* x, double* f) {
  if (!ownRates(t, x, f)) return false;
  return !extension || extension->rates(at, y, yp, x + own(), f + own());
}

bool ExplicitIntegrator::States::ownRates(double t, const double* x, double* f) {
  scatter(x, y.data());
  at = origin + t;
  ++counts->rates;
  bool good = false;
  {
    const Stopwatch watch(timing, counts->ratesSeconds);
    good = model.rates(at, y, yp);
  }
  const double conditioning = model.conditioning();
  collapsed = conditioning < (good ? kCollapse : kDoubtful) * most;
  if (!good || collapsed) return false;
  gather(yp.data(), f);
  return vectors::allFinite(own(), f);
}

bool ExplicitIntegrator::States::project(double t, double* x) {
  scatter(x, y.data());
  if (extension) before = y;
  if (!model.project(origin + t, y)) return false;
  gather(y.data(), x);
  return !extension || extension->project(origin + t, before, x + own());
}

ExplicitIntegrator::ExplicitIntegrator(MultibodySystem& system, IntegratorOptions options,
                                       int mostFailures, OdeExtension* extension)
    : StepMethod(system, "ExplicitIntegrator"),
      system_(system),
      model_(system.equations()),
      options_(options),
      mostFailures_(mostFailures),
      leavesOut_(std::ranges::count(system.equations().state.redundant, true) > 0),
      states_(system, model_, extension, options.timing),
      method_(states_, relativeTolerances(system, extension, options.relativeTolerance),
              absoluteTolerances(system, extension, options.relativeTolerance)) {
  states_.counts = &counts_;
  for (auto* v : {&beginY_, &work_, &work2_, &eventY_, &eventYp_}) v->resize(system.size());
  x_.resize(states_.size());
  f_.resize(x_.size());
}

void ExplicitIntegrator::start(double t, std::span<const double> y, std::span<const double> yp,
                               double h) {
  const double before = std::exchange(origin_, t);
  try {
    begin(t, y, yp, h > 0 ? h : options_.initialStep);
  } catch (...) {
    origin_ = before;
    throw;
  }
  counts_ = {};
  methods_ = {{t, "explicit", ""}};
  if (!(h_ > 0) || !look()) return;
  h_ = method_.firstStep(h_);
}

void ExplicitIntegrator::restart(double t, std::span<const double> y, std::span<const double> yp,
                                 double h) {
  begin(t, y, yp, h);
  ++counts_.restarts;
}

void ExplicitIntegrator::begin(double t, std::span<const double> y, std::span<const double> yp,
                               double h) {
  place(t, y, yp);
  regularStep_ = h_ = h > timeRoundoff(t - origin_) ? h : 0;
  landing_ = 0;
  roots_.forget();
  states_.origin = origin_;
  states_.most = 0;
  nearSteps_ = 0;
  refined_ = true;
  states_.gather(y_.data(), x_.data());
  states_.gather(yp_.data(), f_.data());
  if (states_.extension)
    states_.extension->begin(x_.data() + states_.own(), f_.data() + states_.own());
  method_.start(t - origin_, x_.data(), f_.data());
}

Integrator::StepResult ExplicitIntegrator::step(double tStop) {
  const std::optional<StepResult> result = tryStep(tStop);
  if (!result) throw failure();
  return *result;
}

std::optional<Integrator::StepResult> ExplicitIntegrator::tryStep(double tStop) {
  const bool isEmpty = isThere(tStop);
  roots_.clearFound();
  eventAt_ = std::numeric_limits<double>::quiet_NaN();
  if (isEmpty) return StepResult::ReachedStop;
  if (stepEnd_ > time_) return arrive(find());  // the rest of a step with an event inside
  const bool isFirst = isFirstStep();
  StepRoots::Found found;
  do {
    if (!roots_.begin(time_, y_.data(), yp_.data())) {
      giveUp(SolverError::Cause::RootNotComputable);
      return std::nullopt;
    }
    roots_.newStep();
    if (!advance(tStop)) return std::nullopt;
    if (time_ == stepEnd_) return StepResult::Root;  // a switch that the step could not go beyond
    found = find();
  } while (found == StepRoots::Found::Root && ((isFirst && passesOver()) || isLoose()));
  return arrive(found);
}

bool ExplicitIntegrator::giveUp(SolverError::Cause cause) {
  failed_ = cause;
  return false;
}

/// What the next evaluation begins with: its last digits depend on it, so that nothing but the step
/// itself may decide on it.
void ExplicitIntegrator::guessFrom(const std::vector<double>& y,
                                   const std::vector<double>& yp) const {
  states_.y = y;
  states_.yp = yp;
}

/// How well the equations determine the rates here, to compare with later. False: they do not.
bool ExplicitIntegrator::look() {
  guessFrom(y_, yp_);
  states_.gather(y_.data(), x_.data());
  if (!states_.ownRates(time_ - origin_, x_.data(), f_.data())) {
    return giveUp(SolverError::Cause::SingularMatrix);
  }
  states_.most = states_.model.conditioning();
  return true;
}

/// An internal step towards tStop, from time() to stepEnd_. False: it is given up.
bool ExplicitIntegrator::advance(double tStop) {
  const double longest =
      options_.maximumStep > 0 ? std::min(options_.maximumStep, tStop - time_) : tStop - time_;
  if (10 * kRounding * method_.norm(method_.y().data(), method_.y().data()) > 1) {
    return giveUp(SolverError::Cause::ToleranceTooTight);
  }
  if (!(states_.most > 0) && !look()) return false;
  if (nearSteps_ >= kMostNear) return giveUp(SolverError::Cause::SingularPosition);
  if (!(h_ > 0)) h_ = method_.firstStep(longest);
  const double planned = h_;
  const bool isFirst = isFirstStep();
  int failures = 0, singular = 0;
  for (double h = h_;;) {
    if (landing_ > time_) h = std::min(h, landing_ - time_);
    h = std::min(h, options_.maximumStep > 0 ? options_.maximumStep : h);
    const double left = tStop - time_;
    stepEndIsStop_ = h * (1 + kRest) >= left;
    if (stepEndIsStop_) h = left;
    guessFrom(y_, yp_);
    const DormandPrince::Trial trial = method_.attempt(h);
    if (trial == DormandPrince::Trial::Accepted) {
      h_ = method_.proposal();
      if (stepEndIsStop_ && failures == 0) h_ = std::max(h_, planned);
      take(h, tStop);
      return true;
    }
    ++failures;
    const double tried = std::exchange(h, method_.proposal());
    SolverError::Cause cause = SolverError::Cause::ErrorTest;
    if (trial == DormandPrince::Trial::TooLarge) {
      ++counts_.errorTestFailures;
    } else {
      ++counts_.newtonFailures;
      const bool jumped = trial == DormandPrince::Trial::NotProjected;
      cause = jumped || states_.collapsed ? SolverError::Cause::SingularPosition
                                          : SolverError::Cause::ResidualNotComputable;
      if (cause == SolverError::Cause::SingularPosition && ++singular > kMostSingular) {
        return giveUp(cause);
      }
      if (states_.collapsed && !jumped) h = kAside * tried;
    }
    if (cause == SolverError::Cause::ResidualNotComputable) {
      h = approachSwitch(h);
      if (stepEnd_ > time_) {
        previousTime_ = std::exchange(time_, stepEnd_);
        refined_ = false;
        return true;
      }
    }
    const int most =
        isFirst && cause == SolverError::Cause::ErrorTest ? kMostRefused : mostFailures_;
    if (failures >= most || h <= 4 * kRounding * std::abs(time_ - origin_)) {
      // Whoever looks for the reason finds the point that could not be evaluated.
      if (cause == SolverError::Cause::ResidualNotComputable) {
        system_.residual(states_.at, states_.y.data(), states_.yp.data(), work_.data());
      }
      return giveUp(cause);
    }
  }
}

/// The step of length h that was accepted.
void ExplicitIntegrator::take(double h, double tStop) {
  lastStep_ = h;
  const double conditioning = states_.model.conditioning();
  states_.most = std::max(states_.most, conditioning);
  nearSteps_ = conditioning < kNear * states_.most ? nearSteps_ + 1 : 0;
  ++counts_.steps;
  const bool isCut = stepEndIsStop_ || landing_ > 0;
  regularStep_ = isCut ? std::max(regularStep_, lastStep_) : lastStep_;
  landing_ = 0;
  stepEnd_ = stepEndIsStop_ ? tStop : origin_ + method_.time();
  beginY_ = y_;
  endY_ = states_.y;  // the end was evaluated last
  endYp_ = states_.yp;
}

/// A step that cannot be evaluated: perhaps a switch is due just ahead, where the branch that is
/// still in force ends (the root of a number about to be negative). Shorter steps lead up to it,
/// until the rest is so short that continuing by the present rates errs by less than the tolerance:
/// then stepEnd_ is there. Else the length of the next trial.
double ExplicitIntegrator::approachSwitch(double h) {
  const double distance = roots_.ahead(time_, y_, yp_, 3 * h);
  if (!std::isfinite(distance)) return h;
  states_.gather(yp_.data(), f_.data());
  const double past = method_.time() - method_.previousTime();
  for (int i = 0; i < states_.own(); ++i) {
    const double bend = past > 0 ? (f_[i] - method_.previousRates()[i]) / past : f_[i] / distance;
    f_[i] = 0.5 * distance * distance * bend;
  }
  if (ownNorm(f_.data(), method_.y().data()) > 1) return std::min(h, 0.5 * distance);
  for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += distance * yp_[i];
  stepEnd_ = time_ + distance;
  return h;
}

/// The first event from time() to the end of the internal step.
StepRoots::Found ExplicitIntegrator::find() {
  // Over a step of this length only the states are a polynomial.
  const double resolution = eventResolution(stepEnd_, origin_, lastStep_);
  if (!system_.refines()) return search(resolution, options_, lastStep_);
  return search(resolution, options_, lastStep_,
                [this](double t, double* y, double* yp) { return solvedPoint(t, y, yp); });
}

/// What an event has brought, as the force of a surface that is touched now, may act between all evaluations
/// of the step behind it, where that is much too long: the next event, where it ends again, tells. True:
/// rates up to there are not those of the polynomial; the step is taken back, the next one shorter.
bool ExplicitIntegrator::passesOver() {
  const double way = roots_.time() - time_;
  double missed = 0;
  for (const double part : {0.5, 1.0}) {
    const double t = time_ + part * way;
    polynomial(t, work_.data(), work2_.data());
    states_.gather(work_.data(), x_.data());
    if (!states_.ownRates(t - origin_, x_.data(), f_.data())) continue;
    for (int i = 0; i < states_.own(); ++i) f_[i] -= work2_[states_.places[i]];
    missed = std::max(missed, way * ownNorm(f_.data(), x_.data()));
  }
  if (missed < kPassed) return false;
  takeBack();
  h_ = kNearer * way;
  return true;
}

/// The step is good to the tolerance at its end; in it the polynomial may be far less so, as where it damps what is
/// stiff. By the rates at the event it tells, and the step is made again to there. True: it was taken back.
bool ExplicitIntegrator::isLoose() {
  const double t = roots_.time(), way = t - time_;
  if (!(way < (1 - kAtEnd) * lastStep_) || !solvedPoint(t, eventY_.data(), eventYp_.data()))
    return false;
  if (way * defect_ > kPolynomial) {
    takeBack();
    landing_ = t;
    return true;
  }
  eventAt_ = t;
  return false;
}

/// The last step, with the event that it has led to, is as if it had not been made.
void ExplicitIntegrator::takeBack() {
  --counts_.steps;
  ++counts_.errorTestFailures;
  method_.takeBack();
  roots_.forget();
  stepEnd_ = time_;
}

/// Goes on from time() to the end of the internal step, or to the first event before it.
std::optional<Integrator::StepResult> ExplicitIntegrator::arrive(StepRoots::Found found) {
  if (found == StepRoots::Found::NotComputable) {
    giveUp(SolverError::Cause::RootNotComputable);
    return std::nullopt;
  }
  refined_ = true;
  if (found == StepRoots::Found::Nothing) {
    goTo(stepEnd_, false);
    // Rows that are left out are looked at there.
    if (leavesOut_) system_.residual(time_, y_.data(), yp_.data(), work_.data());
    return resultAtEnd();
  }
  const double t = roots_.time();
  const bool isEnd = !(t < stepEnd_);
  goTo(t, !isEnd && roots_.isRefinedAt(t));
  if (!isEnd && !roots_.isRefinedAt(t)) {
    if (eventAt_ == t) {
      y_ = eventY_;
      yp_ = eventYp_;
    } else {
      refined_ = solvedPoint(t, y_.data(), yp_.data());
    }
  }
  return StepResult::Root;
}

/// States of the polynomial on their constraints, and all that follows from them; how far its rates are off.
bool ExplicitIntegrator::solvedPoint(double t, double* y, double* yp) {
  polynomial(t, work_.data(), work2_.data());
  ++counts_.rates;
  if (!states_.model.project(t, work_) || !states_.model.rates(t, work_, work2_)) return false;
  for (int i = 0; i < states_.own(); ++i) f_[i] -= work2_[states_.places[i]];
  defect_ = ownNorm(f_.data(), x_.data());
  std::copy(work_.begin(), work_.end(), y);
  std::copy(work2_.begin(), work2_.end(), yp);
  return true;
}

/// The polynomial of the last internal step; what follows from the states lies on the chord.
void ExplicitIntegrator::polynomial(double t, double* y, double* yp) const {
  const double begin = method_.previousTime(), end = method_.time();
  const double tau = std::clamp(t - origin_, begin, end);
  const double part = end > begin ? (tau - begin) / (end - begin) : 1;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    y[i] = beginY_[i] + part * (endY_[i] - beginY_[i]);
    yp[i] = 0;
  }
  guessFrom(beginY_, endYp_);
  method_.interpolate(tau, x_.data(), f_.data());
  states_.scatter(x_.data(), y);
  states_.scatter(f_.data(), yp);
}

int ExplicitIntegrator::leadingError() const {
  const int i = method_.leadingError();
  return i < 0 ? -1 : states_.places[i % states_.own()];
}

double ExplicitIntegrator::norm(std::span<const double> change, std::span<const double> y) const {
  states_.gather(change.data(), f_.data());
  states_.gather(y.data(), x_.data());
  return ownNorm(f_.data(), x_.data());
}

/// As if the extension were not there; what stands in f_ for it is lost.
double ExplicitIntegrator::ownNorm(const double* change, const double* x) const {
  const double all = states_.size(), own = states_.own();
  if (all == own) return method_.norm(change, x);
  std::fill(f_.begin() + states_.own(), f_.end(), 0.0);
  return method_.norm(change, x) * std::sqrt(all / own);
}

/// Inside a step it is a polynomial; up to a switch that the step could not go beyond it goes on by
/// its rates.
std::span<const double> ExplicitIntegrator::extension(double t) const {
  const double tau = t - origin_, end = method_.time();
  const bool beyond = tau > end || !(end > method_.previousTime());
  if (beyond) {
    x_ = method_.y();
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += (tau - end) * method_.rates()[i];
  } else {
    method_.interpolate(std::max(tau, method_.previousTime()), x_.data(), f_.data());
  }
  return std::span<const double>(x_).subspan(states_.own());
}

double ExplicitIntegrator::bend() const {
  const double past = method_.time() - method_.previousTime();
  if (!(past > 0)) return 0;
  for (std::size_t i = 0; i < f_.size(); ++i) {
    f_[i] = (method_.rates()[i] - method_.previousRates()[i]) / past;
  }
  return method_.norm(f_.data(), method_.y().data());
}

/// What the rates change by at that time, over the way there: of velocities, and by these of
/// coordinates.
double ExplicitIntegrator::effectOfTime(double t) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double h = t - time_;
  guessFrom(y_, yp_);
  states_.gather(y_.data(), x_.data());
  std::vector<double>& now = work_;
  std::vector<double>& moved = work2_;
  states_.gather(yp_.data(), now.data());
  const std::size_t own = states_.places.size();
  for (int k = 0; k < 2; ++k) {
    for (std::size_t i = 0; k > 0 && i < own; ++i) moved[i] = x_[i] + h * (f_[i] - now[i]);
    const double* there = k > 0 ? moved.data() : x_.data();
    if (!states_.ownRates(t - origin_, there, f_.data())) return kInfinity;
  }
  for (std::size_t i = 0; i < own; ++i) f_[i] = h * (f_[i] - now[i]);
  const double size = ownNorm(f_.data(), x_.data());
  return std::isfinite(size) ? size : kInfinity;
}

void ExplicitIntegrator::mapHistory(const std::function<void(double* y)>& map) {
  requireHistory(counts_.steps > 0);
  map(y_.data());
  guessFrom(y_, yp_);
  states_.gather(y_.data(), x_.data());
  if (states_.extension)
    states_.extension->begin(x_.data() + states_.own(), f_.data() + states_.own());
  if (!states_.rates(time_ - origin_, x_.data(), f_.data())) {
    throw failure(SolverError::Cause::ResidualNotComputable);
  }
  y_ = states_.y;
  yp_ = states_.yp;
  // What they are in: other coordinates, or other rows of the loops, of another conditioning.
  states_.most = states_.model.conditioning();
  nearSteps_ = 0;
  method_.replace(x_.data(), f_.data());
}

void ExplicitIntegrator::exchange(StateArchive& archive) {
  archive(*this);
  archive(method_);
  archive(roots_);
  states_.origin = origin_;
}

SolverError ExplicitIntegrator::failure() const {
  // The unknown that changes fastest, in tolerances.
  int fastest = -1;
  double most = -1;
  for (const int i : states_.places) {
    const size_t k = i;
    const double speed = std::abs(yp_[k]) / (std::abs(y_[k]) + system_.nominal(i));
    if (!(speed > most)) continue;
    most = speed;
    fastest = i;
  }
  return failure(failed_, fastest, fastest < 0 ? 0 : y_[fastest]);
}

}  // namespace cardan
