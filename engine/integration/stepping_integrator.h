/// SteppingIntegrator: steps of a fixed length, for piles and whatever else has events without end.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "engine/integration/implicit_step.h"
#include "engine/integration/step_contacts.h"
#include "engine/integration/step_energy.h"
#include "engine/integration/step_method.h"
#include "engine/integration/step_roots.h"
#include "engine/integration/warning_tally.h"

namespace cardan {

/// Euler's implicit method, of first order: each step is as long as it is told to be, shorter only up to
/// a stop. All constraints hold at its end.
///
/// Surfaces that touch make no event (RunState::ahead): elastic ones are forces of the equations, rigid
/// ones StepContacts. Other events are looked for on the straight line through a step; where so many
/// come within its length that they would hold up the run, at its end.
///
/// A step whose equations are not solved, or solved by a speed or an energy that come from nowhere, is
/// halved, some times over; then what came nearest is taken, and told. What is not a number alone ends a
/// run. Parts are made in two stages, of second order and damping as Euler's is (Alexander 1977),
///
///   Y = y_0 + g h Y',  y_1 = y_0 + h ((1 - g) Y' + g y_1'),  g = 1 - 1/sqrt(2)
///
/// as halves of Euler's would lose but half of the energy that they make.
class SteppingIntegrator final : public StepMethod {
 public:
  /// The system outlives the integrator. Pre: options.step > 0
  SteppingIntegrator(MultibodySystem& system, IntegratorOptions options);

  /// From the next start or restart on steps are `step` [s] long.
  void setStep(double step) { options_.step = step; }

  void start(double t, std::span<const double> y, std::span<const double> yp,
             double h = 0) override;
  void restart(double t, std::span<const double> y, std::span<const double> yp, double h) override;
  bool startsAtOrderOne() const override { return false; }
  bool hasFixedStep() const override { return true; }
  StepResult step(double tStop) override;

  int troublesomeUnknown() const override { return trouble_; }
  double lastStep() const override { return lastStep_; }
  int lastOrder() const override { return 1; }
  double regularStep() const override { return options_.step; }
  double nextStep() const override { return options_.step; }
  double norm(std::span<const double> change, std::span<const double> y) const override {
    return solver_.norm(change, y, nullptr);
  }
  bool isRefined() const override { return !(stepEnd_ > time_) || roots_.isRefinedAt(time_); }
  void mapHistory(const std::function<void(double* y)>& map) override;
  bool regularises() const override { return true; }

  std::vector<std::string> warnings() const override { return warnings_.texts(); }

  void exchange(StateArchive& archive) override;
  /// Own numbers; exchange() has those of its parts, too.
  auto kept() {
    return std::tie(options_.step, origin_, time_, previousTime_, lastStep_, stepEnd_,
                    stepEndIsStop_, begin_, y_, yp_, beginY_, endY_, endYp_, counts_, methods_,
                    eventsFrom_, events_, trouble_, warnings_);
  }

 private:
  /// What became of a step, or of a part of one.
  enum class Result {
    solved,
    nearest,   ///< ImplicitStep::Outcome::nearest
    leaps,     ///< solved, by a speed that comes from nowhere
    rises,     ///< solved, with energy that comes from nowhere
    restless,  ///< forces of rigid surfaces do not settle
    noForces,  ///< they are not known
    notComputable
  };

  void begin(double t, std::span<const double> y, std::span<const double> yp);
  void cover(double h, int halvings);
  static Result resultOf(ImplicitStep::Outcome outcome);
  bool mayHalve(Result result, int halvings);
  Result attempt(double h, bool isPart);
  bool solveInTwoStages(double h);
  Result judge(double h, bool inStages);
  Result push(double h);
  double leap(double h) const;
  void tell(Result result, double h);
  void violate(const std::string& what, double size, double h);
  StepResult arrive();
  void polynomial(double t, double* y, double* yp) const override;

  MultibodySystem& system_;
  IntegratorOptions options_;
  ImplicitStep solver_;
  StepContacts contacts_;
  std::unique_ptr<StepEnergy> energy_;  ///< null: nothing touches
  double lastStep_ = 0;                 ///< [s]
  double begin_ = 0;                    ///< [s]  of the internal step
  double eventsFrom_ = 0;               ///< [s]  since when events are counted
  int events_ = 0;
  int trouble_ = -1;  ///< unknown at which Newton's method failed last
  WarningTally warnings_;
  std::vector<int> speeds_, turns_;  ///< velocities [m/s], [rad/s]
  double nominalSpeed_ = 0;          ///< of speeds_, or where there are none of turns_
  std::vector<double> beginY_;       ///< at the beginning of the internal step
  /// [s] While a step is made: so far, as are endY_ and endYp_.
  double reached_ = 0;
  int parts_ = 0;    ///< of the step, by halving for its energy
  double made_ = 0;  ///< [J]  by the last attempt
  std::vector<double> stageY_, stageYp_, between_;
};

}  // namespace cardan
