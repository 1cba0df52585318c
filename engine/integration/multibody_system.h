/// MultibodySystem: the assembled equations as the DaeSystem that the integrator steps.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/dynamics/newton_matrix.h"
#include "engine/equations/equations.h"
#include "engine/integration/dae_system.h"

namespace cardan {
class Completion;
class EventSystem;
}  // namespace cardan

namespace cardan {

class MultibodySystem final : public DaeSystem {
 public:
  explicit MultibodySystem(Equations& equations)
      : equations_(equations), w_(equations.makeWorkspace<double>()), newton_(equations) {
    size_t most = 0;
    for (const Layout::TreeJoint& s : equations.layout().tree)
      most = std::max(most, static_cast<size_t>(s.nq));
    kinematicRows_.resize(most);
    for (int i = 0; i < equations.layout().size(); ++i) {
      if (unknown(i).differential && unknown(i).unit == "rad/s") turning_.push_back(i);
    }
  }

  int size() const override { return equations_.layout().size(); }
  bool residual(double t, const double* y, const double* yp, double* r) override;
  bool factor(double t, double cj, const double* y, const double* yp) override {
    return newton_.factor(t, cj, y, yp, isEvaluatedAt(t, y, yp) ? &w_ : nullptr);
  }
  bool isMatrixDear() const override {
    const int evaluations = newton_.evaluations();
    const bool dear = evaluations > kManyEvaluations || (newton_.sparse() && evaluations > 1);
    // One that reads past values could not be made again where a saved run goes on.
    return dear && !newton_.overTree() && equations_.flatModel().pasts.empty();
  }
  /// Operations of a step by Newton's method with the last matrix, about (operations.h).
  double operationsOfStep() const;
  bool carryTo(double cj) override { return newton_.carryTo(cj); }
  /// Velocities are the rates of positions, and mu is 0: what kinematic rows do to all others would
  /// else cost an evaluation with directions in a solution.
  void correctRates(double cj, const double* y, const double* yp, double* e) const override;
  /// Velocities in y become those that positions have by their rates in yp, where no loop has a say:
  /// kinematic rows hold, and cost nothing in a solution (NewtonMatrix::solve).
  void alignVelocities(double* y, const double* yp);
  void solve(const double* b, double* x) override { newton_.solve(b, x); }
  bool isDifferential(int i) const override { return unknown(i).differential; }
  double nominal(int i) const override { return equations_.state.nominals[i]; }
  std::string unknownName(int i) const override { return unknown(i).name; }

  bool bendsUnseen() const override { return equations_.bendsUnseen; }
  int rootCount() const override;
  bool roots(double t, const double* y, const double* yp, double* g) override;
  void searched(std::span<const long> evaluations) override;
  bool modesFit() override;
  double turning(const double* y) const override;
  bool refines() const override;
  bool refine(double t, double* y, double* yp, bool again) override;
  /// An accepted step went to there: EventSystem::follow().
  void follow(double t, double* y, double* yp);
  /// Switching functions of `events` are watched from now on, refined by `completion`; null: none.
  void watch(EventSystem* events, Completion* completion = nullptr);

  const EventSystem* events() const { return events_; }
  EventSystem* events() { return events_; }
  Equations& equations() { return equations_; }
  const Equations& equations() const { return equations_; }
  /// What the last call of residual() or roots() has computed.
  const Workspace<double>& lastEvaluated() const { return w_; }
  NewtonMatrix& newton() { return newton_; }

 private:
  /// Two iterations with a matrix of before cost up to two evaluations with directions more than one
  /// with a fresh one; of sparse matrices the factors are dear, too.
  static constexpr int kManyEvaluations = 2;

  const Layout::Unknown& unknown(int i) const { return equations_.layout().unknowns[i]; }

  void evaluate(double t, const double* y, const double* yp, Purpose purpose = {});
  bool isEvaluatedAt(double t, const double* y, const double* yp) const {
    return evaluated_ && w_.tables.time == t && std::equal(w_.y.begin(), w_.y.end(), y) &&
           std::equal(w_.yp.begin(), w_.yp.end(), yp);
  }

  Equations& equations_;
  bool evaluated_ = false;  ///< residual() has evaluated w_, at its y and yp
  Workspace<double> w_;
  NewtonMatrix newton_;
  std::vector<double> kinematicRows_;  ///< of one joint
  EventSystem* events_ = nullptr;
  Completion* completion_ = nullptr;
  std::vector<double> refinedY_, refinedYp_;
  std::vector<int> turning_;  ///< angular velocities
};

}  // namespace cardan
