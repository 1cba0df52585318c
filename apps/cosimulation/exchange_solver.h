/// ExchangeSolver: integrates the states of an FMU for model exchange, which brings no solver of its own, from
/// one instant to the next.
#pragma once

#include <Eigen/LU>
#include <limits>

#include "apps/cosimulation/fmi_calls.h"

namespace cardan::cosimulation {

/// A Rosenbrock method of order 3 with four stages, stiffly accurate, so that stiff FMUs are no harder than
/// others, and of one step, as inputs jump at every instant; derivatives of the right side by differences.
/// An event lies where an indicator changes its sign within a step, and where the FMU says.
///
/// Source  RODAS3: A. Sandu et al., Benchmarking stiff ODE solvers for atmospheric chemistry problems II,
///         Atmospheric Environment 31 (1997)
class ExchangeSolver {
 public:
  explicit ExchangeSolver(FmiCalls& fmu);

  /// The instance has left its initialisation, at `time` [s].
  void begin(double time) { goOn(time); }

  /// In between the FMU takes new inputs; afterwards it is at `time + length` [s], its outputs are those of then.
  /// Throws FmuFailure where a call fails, or steps come to nothing.
  /// setInputs(): tells them.
  template <class SetInputs>
  void step(double time, double length, SetInputs setInputs) {
    fmu_.enterEvent();
    setInputs();
    goOn(time);
    integrate(time, time + length);
  }

  /// [s]  that the last error suggests: all that it knows besides the FMU; 0: nothing yet.
  double nextStep() const { return h_; }
  void setNextStep(double h) { h_ = h; }

 private:
  void goOn(double time);
  void integrate(double time, double end);
  double advance(double time, double h, double way);
  void differentiate(double time);
  const Eigen::VectorXd& rates(double time, const Eigen::VectorXd& x);
  double trial(double time, double h);
  bool crosses(double time);
  double untilCrossing(double time, double h);

  FmiCalls& fmu_;
  Eigen::VectorXd x_, next_, rates_, atStart_, byTime_, nominals_;
  Eigen::VectorXd indicators_, crossed_;
  Eigen::VectorXd stages_[4];
  Eigen::MatrixXd J_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  double eventTime_ = std::numeric_limits<double>::infinity();  ///< [s]  that it has named
  double h_ = 0;                                                ///< nextStep()
};

}  // namespace cardan::cosimulation
