/// GivenSteps: the steps of a run that somebody outside makes, by any method: the states are his.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/dynamics/forward_dynamics.h"
#include "engine/integration/multibody_system.h"
#include "engine/integration/root_search.h"
#include "engine/integration/state_archive.h"
#include "engine/integration/step_method.h"
#include "engine/integration/vector_operations.h"

namespace cardan {

/// The point may be put anywhere, at any time; y() and yp() are what belongs to it by complete(): there
/// constraints are met, of which the states given may be off by the errors of a step. Behind a step the
/// unknowns are taken for cubic between its ends.
class GivenSteps final : public StepMethod {
 public:
  GivenSteps(MultibodySystem& system, const IntegratorOptions& options)
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

  /// Places among the unknowns of a model of those that have rates.
  static std::vector<int> statesOf(const Layout& layout) {
    std::vector<int> places;
    // The one unknown of a model in which nothing moves is none of its states.
    for (int i = 0; i < layout.size() && !layout.still; ++i) {
      if (layout.unknowns[i].differential) places.push_back(i);
    }
    return places;
  }

  /// What stands in the way is told by obstacle() alone: "", or why the model gives no rates.
  std::string examine(double t, const std::vector<double>& y) override {
    obstacle_ = model_.obstacleAt(t, y);
    return "";
  }
  const std::string& obstacle() const { return obstacle_; }

  /// Places of the states in y().
  const std::vector<int>& places() const { return places_; }
  const std::vector<double>& states() const { return x_; }
  void put(double t) {
    isComplete_ = isComplete_ && t == time_;
    time_ = t;
  }
  void put(std::span<const double> states) {
    isComplete_ = isComplete_ && std::ranges::equal(states, x_);
    std::ranges::copy(states, x_.begin());
  }
  /// False: not computable there.
  bool complete() {
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
  /// By how much the states given miss the constraints, in tolerances.
  double drift() const {
    double largest = 0;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      const int i = places_[k];
      const double unit = tolerance_ * (system_.nominal(i) + std::abs(x_[k]));
      largest = std::max(largest, std::abs(y_[i] - x_[k]) / unit);
    }
    return largest;
  }
  /// Per switching function how far it is from a change, positive before it; behind them, where there are
  /// any, 1, or -1 where a mode does not fit. False: not computable.
  bool margins(double* z) {
    if (here_.g.empty()) return true;
    if (!complete() || !sample(here_)) return false;
    for (std::size_t k = 0; k < here_.g.size(); ++k) *z++ = sides_.margin(k, here_.g[k]);
    *z = here_.consistent ? 1 : -1;
    return true;
  }
  SolverError failureHere(SolverError::Cause cause) {
    // Whoever looks for the reason finds the point that could not be evaluated.
    system_.residual(time_, y_.data(), yp_.data(), residual_.data());
    return failure(cause);
  }

  void start(double t, std::span<const double> y, std::span<const double> yp,
             double /*h*/ = 0) override {
    origin_ = t;
    restart(t, y, yp, 0);
    counts_ = {};
    methods_ = {{t, "given", ""}};
  }
  /// The same, and every switching function is on the side that it is on there.
  void restart(double t, std::span<const double> y, std::span<const double> yp,
               double /*h*/) override {
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
  bool startsAtOrderOne() const override { return false; }
  /// The point is the end of a step. ReachedStop: it is no farther than the last one was.
  StepResult step(double /*tStop*/) override {
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

  double lastStep() const override { return 0; }
  int lastOrder() const override { return 0; }
  double regularStep() const override { return 0; }
  double nextStep() const override { return 0; }
  double norm(std::span<const double> /*change*/, std::span<const double> /*y*/) const override {
    return 0;
  }
  bool isRefined() const override { return true; }
  /// What the states given miss the constraints by stays.
  void mapHistory(const std::function<void(double* y)>& map) override {
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] -= y_[places_[k]];
    map(y_.data());
    if (!model_.rates(time_, y_, yp_)) throw failureHere(SolverError::Cause::ResidualNotComputable);
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] += y_[places_[k]];
    settle();
  }
  bool regularises() const override { return false; }

  void exchange(StateArchive& archive) override {
    const std::uint64_t changes = system_.equations().state.changes;
    isComplete_ = isComplete_ && changes_ == changes;
    archive(*this);
    archive(sides_);
    changes_ = changes;
  }
  /// Own numbers; exchange() has those of the sides, too.
  auto kept() {
    return std::tie(origin_, time_, previousTime_, stepEnd_, x_, y_, yp_, beginY_, beginYp_, endY_,
                    endYp_, isComplete_, isGood_, counts_, methods_);
  }

 private:
  /// What y_ and yp_ are now belongs to the point.
  void settle() {
    endY_ = y_;
    endYp_ = yp_;
    isComplete_ = isGood_ = true;
    changes_ = system_.equations().state.changes;
  }
  bool sample(RootSearch::Sample& at) {
    at.t = time_;
    if (!system_.roots(time_, y_.data(), yp_.data(), at.g.data())) return false;
    at.consistent = system_.modesFit();
    return true;
  }
  /// Cubic by the values and rates at both ends.
  void polynomial(double t, double* y, double* yp) const override {
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

  MultibodySystem& system_;
  ForwardDynamics model_;
  double tolerance_;
  bool leavesOut_;  ///< some constraint rows are redundant
  std::string obstacle_;
  std::vector<int> places_;
  std::vector<double> x_;  ///< states, as given
  std::vector<double> beginY_,
      beginYp_;                   ///< at the beginning of the last step, which ends at endY_
  std::vector<double> residual_;  ///< work space
  bool isComplete_ = false;       ///< y() is of the point and of `changes_`
  bool isGood_ = false;           ///< and computable
  std::uint64_t changes_ = 0;     ///< RunState::changes
  RootSearch sides_;
  RootSearch::Sample here_;
};

}  // namespace cardan
