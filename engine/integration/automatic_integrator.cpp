#include "engine/integration/automatic_integrator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/integration/ida_integrator.h"
#include "engine/integration/state_archive.h"

namespace cardan {
namespace {

/// A step that is refused so many times in a row is not for the explicit method.
constexpr int kPatience = 8;
/// Evaluations of an explicit step.
constexpr double kEvaluations = 12;
/// Steps of IDA in place of an explicit one whose length is set by what fades, at least.
constexpr double kStepsOfIda = 2;
/// Error of IDA's first step, in tolerances, when it takes over.
constexpr double kErrorToBeginWith = 0.05;

std::string reasonOf(SolverError::Cause cause) {
  switch (cause) {
    case SolverError::Cause::SingularPosition:
      return "the loops come close to a singular position";
    case SolverError::Cause::ErrorTest:
      return fmt::format("{} explicit steps in a row fail the error test", kPatience);
    default:
      return "explicit steps cannot be computed";
  }
}

}  // namespace

AutomaticIntegrator::AutomaticIntegrator(MultibodySystem& system, const IntegratorOptions& options)
    : AutomaticIntegrator(system, options,
                          {nullptr, std::make_unique<IdaIntegrator>(system, options), {}}) {}

AutomaticIntegrator::AutomaticIntegrator(MultibodySystem& system, const IntegratorOptions& options,
                                         Beside beside)
    : system_(system),
      explicit_(system, options, kPatience, beside.extension),
      ida_(std::move(beside.ida)),
      handOver_(std::move(beside.handOver)) {}

std::string AutomaticIntegrator::examine(double t, const std::vector<double>& y) {
  obstacle_ = explicit_.examine(t, y);
  if (obstacle_.empty()) obstacle_ = explicit_.model().iterates();
  isExplicit_ = obstacle_.empty();
  return "";
}

void AutomaticIntegrator::start(double t, std::span<const double> y, std::span<const double> yp,
                                double h) {
  isExplicit_ = obstacle_.empty();
  idaBegun_ = !isExplicit_;
  stableStep_ = 0;
  now().start(t, y, yp, h);
  methods_ = {{t, isExplicit_ ? "explicit" : "ida", obstacle_}};
}

void AutomaticIntegrator::restart(double t, std::span<const double> y, std::span<const double> yp,
                                  double h) {
  if (!isExplicit_ && obstacle_.empty() && ida_->regularStep() < stableStep_) {
    explicit_.restart(t, y, yp, stableStep_);
    isExplicit_ = true;
    methods_.push_back({t, "explicit", "after an event, IDA's steps having been shorter"});
    return;
  }
  now().restart(t, y, yp, h);
}

Integrator::StepResult AutomaticIntegrator::step(double tStop) {
  if (!isExplicit_) return ida_->step(tStop);
  if (explicit_.isAtEndOfStep()) {
    if (explicit_.isStiff())
      goToIda("stiff: stability alone has set the length of the last 15 explicit steps");
    else if (explicit_.isFading() && isDearer())
      goToIda("what fades has set the length of the last 15 explicit steps, which are dearer");
    if (!isExplicit_) return ida_->step(tStop);
  }
  if (const std::optional<StepResult> result = explicit_.tryStep(tStop)) return *result;
  const SolverError::Cause cause = explicit_.failureCause();
  if (cause == SolverError::Cause::ToleranceTooTight) throw explicit_.failure();
  goToIda(reasonOf(cause));
  return ida_->step(tStop);
}

/// By operations that are counted, than so many steps of IDA.
bool AutomaticIntegrator::isDearer() {
  if (dear_ == 0) {
    const double cj = kStepsOfIda / explicit_.regularStep();
    if (!system_.factor(explicit_.time(), cj, explicit_.y().data(), explicit_.yp().data()))
      return false;
    dear_ = kEvaluations * explicit_.model().operations() / system_.operationsOfStep();
  }
  return dear_ > kStepsOfIda;
}

void AutomaticIntegrator::goToIda(const std::string& reason) {
  const double t = explicit_.time();
  const std::vector<double> y(explicit_.y().begin(), explicit_.y().end());
  const std::vector<double> yp(explicit_.yp().begin(), explicit_.yp().end());
  stableStep_ = explicit_.regularStep();
  if (!explicit_.isStiff() && explicit_.isFading() && dear_ > 0) stableStep_ /= dear_;
  const double h = firstStepOfIda();
  // What IDA's regularisation pulls to.
  system_.equations().referToMultipliers(y);
  if (handOver_) handOver_(t, y, yp);
  beginIda(t, y, yp, h);
  isExplicit_ = false;
  methods_.push_back({t, "ida", reason});
}

void AutomaticIntegrator::beginIda(double t, std::span<const double> y, std::span<const double> yp,
                                   double h) {
  if (idaBegun_) {
    ida_->restart(t, y, yp, h);
  } else {
    ida_->start(t, y, yp, h);
  }
  idaBegun_ = true;
}

/// [s] It has order one, so that its error is h^2/2 y''; that shows in the rates of the last step.
double AutomaticIntegrator::firstStepOfIda() const {
  const double most = explicit_.regularStep(), past = explicit_.lastStep();
  if (!(past > 0) || !explicit_.isAtEndOfStep()) return 1e-3 * most;
  const double bend = explicit_.bend();
  if (!(bend > 0) || !std::isfinite(bend)) return 1e-3 * most;
  return std::min(most, std::sqrt(2 * kErrorToBeginWith / bend));
}

IntegratorStatistics AutomaticIntegrator::statistics() const {
  IntegratorStatistics total = explicit_.statistics();
  if (!idaBegun_) return total;
  return total += ida_->statistics();
}

void AutomaticIntegrator::exchange(StateArchive& archive) {
  const bool hadIda = idaBegun_;
  archive(*this);
  explicit_.exchange(archive);
  if (!idaBegun_) return;
  // IDA has to have begun, anywhere.
  if (!hadIda) ida_->start(explicit_.time(), explicit_.y(), explicit_.yp());
  ida_->exchange(archive);
}

}  // namespace cardan
