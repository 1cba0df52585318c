/// GivenSteps: the steps of a run that somebody outside makes, by any method: the states are his.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/dynamics/forward_dynamics.h"
#include "engine/integration/multibody_system.h"
#include "engine/integration/root_search.h"
#include "engine/integration/step_method.h"

namespace cardan {

/// The point may be put anywhere, at any time; y() and yp() are what belongs to it by complete(): there
/// constraints are met, of which the states given may be off by the errors of a step. Behind a step the
/// unknowns are taken for cubic between its ends.
class GivenSteps final : public StepMethod {
 public:
  GivenSteps(MultibodySystem& system, const IntegratorOptions& options);

  /// Places among the unknowns of a model of those that have rates.
  static std::vector<int> statesOf(const Layout& layout);

  /// What stands in the way is told by obstacle() alone: "", or why the model gives no rates.
  std::string examine(double t, const std::vector<double>& y) override;
  const std::string& obstacle() const { return obstacle_; }

  /// Places of the states in y().
  const std::vector<int>& places() const { return places_; }
  const std::vector<double>& states() const { return x_; }
  void put(double t) {
    isComplete_ = isComplete_ && t == time_;
    time_ = t;
  }
  void put(std::span<const double> states);
  /// False: not computable there.
  bool complete();
  /// By how much the states given miss the constraints, in tolerances.
  double drift() const;
  /// Per switching function how far it is from a change, positive before it; behind them, where there are
  /// any, 1, or -1 where a mode does not fit. False: not computable.
  bool margins(double* z);
  SolverError failureHere(SolverError::Cause cause);

  void start(double t, std::span<const double> y, std::span<const double> yp,
             double h = 0) override;
  /// The same, and every switching function is on the side that it is on there.
  void restart(double t, std::span<const double> y, std::span<const double> yp, double h) override;
  bool startsAtOrderOne() const override { return false; }
  /// The point is the end of a step. ReachedStop: it is no farther than the last one was.
  StepResult step(double tStop) override;

  double lastStep() const override { return 0; }
  int lastOrder() const override { return 0; }
  double regularStep() const override { return 0; }
  double nextStep() const override { return 0; }
  double norm(std::span<const double> /*change*/, std::span<const double> /*y*/) const override {
    return 0;
  }
  bool isRefined() const override { return true; }
  void mapHistory(const std::function<void(double* y)>& map) override;
  bool regularises() const override { return false; }

  void exchange(StateArchive& archive) override;
  /// Own numbers; exchange() has those of the sides, too.
  auto kept() {
    return std::tie(origin_, time_, previousTime_, stepEnd_, x_, y_, yp_, beginY_, beginYp_, endY_,
                    endYp_, isComplete_, isGood_, counts_, methods_);
  }

 private:
  void settle();
  bool sample(RootSearch::Sample& at);
  void polynomial(double t, double* y, double* yp) const override;

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
