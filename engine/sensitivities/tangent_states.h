/// TangentStates: derivatives of a model's states by parameters, as an explicit method steps them.
#pragma once

#include <functional>
#include <vector>

#include "engine/integration/ode_extension.h"
#include "engine/sensitivities/varied_parameter.h"

namespace cardan {

/// The derivatives at a start or restart, one parameter after the other, each as long as y.
struct Tangents {
  std::vector<double> s, sp;  ///< of y, of y'
};

/// Per parameter the states x of the model, one parameter after the other: of x' = f(t, x, p)
///
///   s' = f_x s + f_p,
///
/// a difference over variants of the model that are moved along s. What follows from the states
/// follows in each of them again.
class TangentStates final : public OdeExtension {
 public:
  /// `tangents`: what the next start begins with. `self`: the model's variant of its own parameters,
  /// asked for at run time. All outlive it.
  TangentStates(const Equations& run, std::vector<VariedParameter>& parameters,
                const Tangents& tangents, std::function<ModelVariant&()> self,
                double relativeTolerance);

  int size() const override { return n() * static_cast<int>(std::ssize(parameters_)); }
  /// No error test sees less than the rounding of differences, of which loops leave more.
  double relativeTolerance(double ofModel) const override {
    return std::max(ofModel, run_.layout().nlambda > 0 ? 1e-8 : 1e-10);
  }
  double nominal(int i) const override {
    return run_.state.nominals[places_[i % n()]] / parameters_[i / n()].size;
  }
  void begin(double* x, double* f) override;
  bool rates(double t, const std::vector<double>& y, const std::vector<double>& yp, const double* x,
             double* f) override;
  bool project(double t, const std::vector<double>& before, double* x) override;

  /// The variants take what the run has changed: modes, memories.
  void follow();
  /// Derivatives of all unknowns, laid out as Tangents::s; those of other unknowns than states are 0.
  void spread(const double* x, std::vector<double>& s) const;

 private:
  int n() const { return std::ssize(places_); }
  template <class F>
  bool differentiate(const std::vector<double>& y, const double* x, double* out, F f);

  const Equations& run_;
  std::vector<VariedParameter>& parameters_;
  const Tangents& tangents_;
  std::function<ModelVariant&()> self_;
  double tolerance_;
  std::vector<int> places_;                             ///< of the states in y
  std::vector<double> there_, ratesThere_, projected_;  ///< work space
};

}  // namespace cardan
