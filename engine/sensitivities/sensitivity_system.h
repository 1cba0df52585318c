/// SensitivitySystem: a model and its derivatives by parameters as one DAE.
#pragma once

#include <string>
#include <vector>

#include "engine/dynamics/evaluation_point.h"
#include "engine/integration/dae_system.h"
#include "engine/integration/multibody_system.h"
#include "engine/sensitivities/varied_parameter.h"

namespace cardan {

/// Unknowns: y of the model, then s = dy/dp for one parameter after the other, with
///
///   F(t, y, y', p) = 0,    F_y s + F_y' s' + F_p = 0.
///
/// The derivatives by y and y' are those of duals, F_p is a difference of variants. A Newton step is
/// staggered: y first; then s, which is linear, where y has got to. All of them are solved by the
/// factors of the model's own Newton matrix, and all have their part in the error test.
class SensitivitySystem final : public DaeSystem {
 public:
  /// All outlive it.
  SensitivitySystem(MultibodySystem& system, std::vector<VariedParameter>& parameters);

  int size() const override { return n_ * (1 + std::ssize(parameters_)); }
  bool residual(double t, const double* y, const double* yp, double* r) override;
  bool factor(double t, double cj, const double* y, const double* yp) override;
  void solve(const double* b, double* x) override;
  bool isDifferential(int i) const override { return system_.isDifferential(i % n_); }
  /// Of a derivative: what the unknown changes by where the parameter changes by its size.
  double nominal(int i) const override;
  std::string unknownName(int i) const override;

  int rootCount() const override { return system_.rootCount(); }
  bool roots(double t, const double* y, const double* yp, double* g) override {
    return system_.roots(t, y, yp, g);
  }
  bool modesFit() override { return system_.modesFit(); }
  bool refines() const override { return system_.refines(); }
  bool refine(double t, double* y, double* yp, bool again) override {
    return system_.refine(t, y, yp, again);
  }

  /// The variants take what the run has changed: modes, memories.
  void follow();

 private:
  void solveScaled(double* row, double* x);
  void tangentRows(const double* s, const double* sp);
  bool knownByParameters() const;
  void findByParameters();

  MultibodySystem& system_;
  std::vector<VariedParameter>& parameters_;
  const int n_;
  double t_ = 0, cj_ = 0;
  std::vector<double> y_, yp_;        ///< of the last residual(), with the derivatives
  std::vector<double> newY_, newYp_;  ///< of the model, after its Newton step
  std::vector<double> rows_;          ///< of the derivatives
  std::vector<double> byParameters_;  ///< F_p, and where it is known
  std::vector<double> knownY_;
  double knownAt_ = 0, knownCj_ = 0;
  EvaluationPoint at_;
};

}  // namespace cardan
