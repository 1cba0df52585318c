/// LinearFeedback: gains by which inputs hold a linear model at its point, or an observer follows it.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "engine/analysis/linear_model.h"
#include "engine/control/riccati.h"

namespace cardan {

struct LinearFeedback {
  Eigen::MatrixXd K;     ///< inputs x states: u = -K x
  Eigen::MatrixXd cost;  ///< x' cost x is what it costs from x on
  Eigen::VectorXcd
      poles;  ///< [1/s]  of x' = (A - B K) x; of a sampled one the factors of a sample [1]
};

/// The least integral of x' Q x + u' R u; `sample` > 0 [s]: of all inputs that are held so long. Throws
/// AnalysisError, which names the mode, where one that does not settle is not reached by the inputs, or
/// neither grows nor settles and is not seen by Q, and where samples are so long beside what grows that
/// rounding leaves no solution; std::invalid_argument where the weights have another size, are not symmetric
/// or are none, or `sample` is none. Pre: model.sample == 0
LinearFeedback quadraticFeedback(const LinearModel& model, const QuadraticCost& cost,
                                 double sample = 0);

/// Gain of the steady Kalman filter, x' = A x + B u + L (y - C x - D u): K is L' (outputs x states), `cost`
/// the covariance of what it does not know. Q: intensity of what drives the states (n x n), R: of the noise
/// of the outputs. `sample` > 0 [s]: of outputs that are read at samples alone, with A and B of HeldInputs
/// x[k+1] = A x[k] + B u[k] + L (y[k] - C x[k] - D u[k]); a reading has the noise of the mean over a
/// sample, R / sample. Errors as above, with the places of inputs and outputs changed.
LinearFeedback kalmanGain(const LinearModel& model, const QuadraticCost& noise, double sample = 0);

/// How a mode is reached by the inputs and seen in the outputs.
struct ModeReach {
  std::complex<double> eigenvalue;  ///< [1/s]
  std::string name;                 ///< "0.32 Hz of 'j1.phi'"
  /// Per input and per output: of the mode that it reaches or shows best, in the states' typical sizes [1].
  std::vector<double> inputs, outputs;
};
std::vector<ModeReach> modesReached(const LinearModel& model);

}  // namespace cardan
