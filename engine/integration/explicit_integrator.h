/// ExplicitIntegrator: a model in time as an explicit ODE, by the method of Dormand and Prince.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "engine/dynamics/forward_dynamics.h"
#include "engine/integration/dormand_prince.h"
#include "engine/integration/multibody_system.h"
#include "engine/integration/ode_extension.h"
#include "engine/integration/step_method.h"
#include "engine/integration/step_roots.h"

namespace cardan {

/// The states are stepped; all other unknowns follow from them, exactly, at the end of every step.
/// There constraints are met to rounding, on position and velocity level.
///
/// Close to a position where constraints change their rank, what follows from the states does so no
/// longer: an explicit method may stay there for good, or leave it another way, and no error test
/// tells. So the conditioning of the equations is watched in every evaluation; where it collapses
/// other lengths of the step are tried, to pass between two evaluations, and it is given up soon.
class ExplicitIntegrator final : public StepMethod {
 public:
  static constexpr int kMostRefused = 30;

  /// A step that is refused `mostFailures` times in a row is given up; kMostRefused times by the error
  /// test where it is the first since a start. The states of `extension` are
  /// stepped as well, with their part in the error test; null: none. System and extension outlive the
  /// integrator.
  ExplicitIntegrator(MultibodySystem& system, IntegratorOptions options,
                     int mostFailures = kMostRefused, OdeExtension* extension = nullptr);

  std::string examine(double t, const std::vector<double>& y) override {
    return model_.obstacleAt(t, y);
  }
  const ForwardDynamics& model() const { return model_; }

  void start(double t, std::span<const double> y, std::span<const double> yp,
             double h = 0) override;
  void restart(double t, std::span<const double> y, std::span<const double> yp, double h) override;
  bool startsAtOrderOne() const override { return false; }

  StepResult step(double tStop) override;
  /// The same; nothing: it cannot go on from time(), which stays, as do y() and yp(); failure()
  /// says why.
  std::optional<StepResult> tryStep(double tStop);
  SolverError failure() const;
  SolverError::Cause failureCause() const { return failed_; }
  /// Stability, not accuracy, has set the length of the last steps.
  bool isStiff() const { return method_.isStiff(); }
  /// What fades within the last steps has.
  bool isFading() const { return method_.isFading(); }
  /// The internal step is done: no event lies inside what is left of it.
  bool isAtEndOfStep() const { return !(stepEnd_ > time_); }

  /// Root mean square of y'', seen over the last step, in units of the tolerance.
  double bend() const;

  /// States of the extension at t in [previousTime(), time()].
  std::span<const double> extension(double t) const;
  /// Per switching function +1, -1 or 0.
  std::span<const int> rootsFound() const { return roots_.found(); }

  int leadingError() const override;
  double lastStep() const override { return lastStep_; }
  int lastOrder() const override { return lastStep_ > 0 ? 8 : 0; }
  double regularStep() const override { return regularStep_; }
  double nextStep() const override { return h_; }

  double effectOfTime(double t) override;
  double norm(std::span<const double> change, std::span<const double> y) const override;
  bool isRefined() const override { return refined_; }
  void mapHistory(const std::function<void(double* y)>& map) override;

  bool regularises() const override { return false; }

  void exchange(StateArchive& archive) override;
  /// Own numbers; exchange() has those of the method and of the search for events, too.
  auto kept() {
    return std::tie(origin_, time_, previousTime_, lastStep_, regularStep_, h_, stepEnd_,
                    stepEndIsStop_, y_, yp_, refined_, beginY_, endY_, endYp_, counts_, methods_,
                    states_.most, nearSteps_);
  }

 private:
  /// The model as an ODE of its states, with those of the extension behind them.
  class States final : public OdeSystem {
   public:
    States(DaeSystem& system, ForwardDynamics& model, OdeExtension* extension, bool timing);
    int size() const override { return own() + (extension ? extension->size() : 0); }
    int own() const { return std::ssize(places); }
    bool rates(double t, const double* x, double* f) override;
    /// Of the model's own alone.
    bool ownRates(double t, const double* x, double* f);
    bool project(double t, double* x) override;
    void gather(const double* all, double* x) const;
    void scatter(const double* x, double* all) const;

    ForwardDynamics& model;
    OdeExtension* extension;
    std::vector<int> places;     ///< of the states in y
    std::vector<double> y, yp;   ///< of the last evaluation
    std::vector<double> before;  ///< y before the last projection, for the extension
    double at = 0;               ///< [s]  its time
    double origin = 0;           ///< [s]  the method counts time from the start of the run
    double most = 0;             ///< best conditioning at a step's end since the last start
    bool collapsed = false;      ///< the last evaluation was too close to a singular one
    bool timing;
    IntegratorStatistics* counts = nullptr;
  };

  void begin(double t, std::span<const double> y, std::span<const double> yp, double h);
  bool giveUp(SolverError::Cause cause);
  double ownNorm(const double* change, const double* x) const;
  void guessFrom(const std::vector<double>& y, const std::vector<double>& yp) const;
  bool look();
  /// Since a start: the length of the steps before says little.
  bool isFirstStep() const { return !(method_.time() > method_.previousTime()); }
  bool advance(double tStop);
  void take(double h, double tStop);
  double approachSwitch(double h);
  StepRoots::Found find();
  bool passesOver();
  bool isLoose();
  void takeBack();
  std::optional<StepResult> arrive(StepRoots::Found found);
  /// What follows from the states is interpolated between the ends of the step only.
  void polynomial(double t, double* y, double* yp) const override;
  bool solvedPoint(double t, double* y, double* yp);
  using StepMethod::failure;

  MultibodySystem& system_;
  ForwardDynamics model_;
  IntegratorOptions options_;
  int mostFailures_;
  bool leavesOut_;  ///< some constraint rows are redundant
  mutable States states_;
  mutable DormandPrince method_;
  double lastStep_ = 0, regularStep_ = 0;  ///< [s]
  double h_ = 0;                           ///< [s]  next step, 0: to be found
  int nearSteps_ = 0;    ///< the last ones in a row that ended close to a singular position
  bool refined_ = true;  ///< y_ and yp_ satisfy all equations
  double landing_ = 0;   ///< [s]  where the next step is to end at the latest; 0: nowhere
  double defect_ = 0;    ///< [1/s]  of the polynomial at the last solvedPoint(), in tolerances
  double eventAt_ = 0;   ///< [s]  of eventY_ and eventYp_, solved there
  std::vector<double> eventY_, eventYp_;
  std::vector<double> beginY_;  ///< at the beginning of the internal step
  SolverError::Cause failed_ = SolverError::Cause::StepTooSmall;  ///< what a step was given up for
  mutable std::vector<double> x_, f_;                             // work space
  std::vector<double> work_, work2_;
};

}  // namespace cardan
