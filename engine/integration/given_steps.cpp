#include "engine/integration/given_steps.h"

#include <algorithm>
#include <cmath>

#include "engine/integration/state_archive.h"
#include "engine/integration/vector_operations.h"

namespace cardan {

std::vector<int> GivenSteps::statesOf(const Layout& layout) {
  std::vector<int> places;
  // The one unknown of a model in which nothing moves is none of its states.
  for (int i = 0; i < layout.size() && !layout.still; ++i) {
    if (layout.unknowns[i].differential) places.push_back(i);
  }
  return places;
}

GivenSteps::GivenSteps(MultibodySystem& system, const IntegratorOptions& options)
    : StepMethod(system, "GivenSteps"),
      system_(system),
      model_(system.equations()),
      tolerance_(options.relativeTolerance),
      leavesOut_(std::ranges::count(system.equations().state.redundant, true) > 0),
      places_(statesOf(system.equations().layout())),
      beginY_(system.size()),
      beginYp_(system.size()),
      residual_(beginY_),
      sides_(system.rootCount()) {
  x_.resize(places_.size());
  here_.g.resize(system.rootCount());
}

std::string GivenSteps::examine(double t, const std::vector<double>& y) {
  obstacle_ = model_.obstacleAt(t, y);
  return "";
}

void GivenSteps::put(std::span<const double> states) {
  isComplete_ = isComplete_ && std::ranges::equal(states, x_);
  std::ranges::copy(states, x_.begin());
}

bool GivenSteps::complete() {
  const std::uint64_t changes = system_.equations().state.changes;
  if (isComplete_ && changes == changes_) return isGood_;
  y_ = endY_;
  yp_ = endYp_;
  for (std::size_t k = 0; k < x_.size(); ++k) y_[places_[k]] = x_[k];
  ++counts_.rates;
  isGood_ = model_.project(time_, y_) && model_.rates(time_, y_, yp_) &&
            vectors::allFinite(system_.size(), y_.data()) &&
            vectors::allFinite(system_.size(), yp_.data());
  isComplete_ = true;
  changes_ = changes;
  return isGood_;
}

double GivenSteps::drift() const {
  double largest = 0;
  for (std::size_t k = 0; k < x_.size(); ++k) {
    const int i = places_[k];
    const double unit = tolerance_ * (system_.nominal(i) + std::abs(x_[k]));
    largest = std::max(largest, std::abs(y_[i] - x_[k]) / unit);
  }
  return largest;
}

bool GivenSteps::sample(RootSearch::Sample& at) {
  at.t = time_;
  if (!system_.roots(time_, y_.data(), yp_.data(), at.g.data())) return false;
  at.consistent = system_.modesFit();
  return true;
}

bool GivenSteps::margins(double* z) {
  if (here_.g.empty()) return true;
  if (!complete() || !sample(here_)) return false;
  for (std::size_t k = 0; k < here_.g.size(); ++k) *z++ = sides_.margin(k, here_.g[k]);
  *z = here_.consistent ? 1 : -1;
  return true;
}

void GivenSteps::start(double t, std::span<const double> y, std::span<const double> yp,
                       double /*h*/) {
  origin_ = t;
  restart(t, y, yp, 0);
  counts_ = {};
  methods_ = {{t, "given", ""}};
}

void GivenSteps::restart(double t, std::span<const double> y, std::span<const double> yp,
                         double /*h*/) {
  place(t, y, yp);
  for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = y_[places_[k]];
  settle();
  beginY_ = endY_;
  beginYp_ = endYp_;
  ++counts_.restarts;
  if (here_.g.empty()) return;
  if (!sample(here_)) throw failureHere(SolverError::Cause::RootNotComputable);
  sides_.begin(here_);
}

/// What y_ and yp_ are now belongs to the point.
void GivenSteps::settle() {
  endY_ = y_;
  endYp_ = yp_;
  isComplete_ = isGood_ = true;
  changes_ = system_.equations().state.changes;
}

Integrator::StepResult GivenSteps::step(double /*tStop*/) {
  if (!complete()) throw failureHere(SolverError::Cause::ResidualNotComputable);
  const bool isFarther = time_ > stepEnd_;
  if (isFarther) {
    previousTime_ = std::exchange(stepEnd_, time_);
    beginY_ = endY_;
    beginYp_ = endYp_;
  }
  endY_ = y_;
  endYp_ = yp_;
  ++counts_.steps;
  if (!here_.g.empty() && sample(here_)) sides_.pass(here_);
  // Rows that are left out are looked at there.
  if (leavesOut_) system_.residual(time_, y_.data(), yp_.data(), residual_.data());
  return isFarther ? StepResult::Stepped : StepResult::ReachedStop;
}

/// What the states given miss the constraints by stays.
void GivenSteps::mapHistory(const std::function<void(double* y)>& map) {
  for (std::size_t k = 0; k < x_.size(); ++k) x_[k] -= y_[places_[k]];
  map(y_.data());
  if (!model_.rates(time_, y_, yp_)) throw failureHere(SolverError::Cause::ResidualNotComputable);
  for (std::size_t k = 0; k < x_.size(); ++k) x_[k] += y_[places_[k]];
  settle();
}

/// Cubic by the values and rates at both ends.
void GivenSteps::polynomial(double t, double* y, double* yp) const {
  const double h = stepEnd_ - previousTime_;
  const double s = h > 0 ? std::clamp((t - previousTime_) / h, 0.0, 1.0) : 1;
  for (int i = 0; i < system_.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double a = beginY_[k], b = endY_[k];
    y[k] = a + s * (b - a);
    yp[k] = beginYp_[k] + s * (endYp_[k] - beginYp_[k]);
    if (!system_.isDifferential(i)) continue;
    y[k] += s * (1 - s) * ((1 - s) * (h * beginYp_[k] - (b - a)) - s * (h * endYp_[k] - (b - a)));
  }
}

void GivenSteps::exchange(StateArchive& archive) {
  const std::uint64_t changes = system_.equations().state.changes;
  isComplete_ = isComplete_ && changes_ == changes;
  archive(*this);
  archive(sides_);
  changes_ = changes;
}

SolverError GivenSteps::failureHere(SolverError::Cause cause) {
  // Whoever looks for the reason finds the point that could not be evaluated.
  system_.residual(time_, y_.data(), yp_.data(), residual_.data());
  return failure(cause);
}

}  // namespace cardan
