/// FrequencyResponse: what outputs of a linear model do where its inputs swing.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "engine/analysis/linear_model.h"

namespace cardan {

/// x of x z = A x + B, z = j w, or exp(j w h) of `sample` h > 0: states where inputs swing. Not finite at an
/// eigenvalue of A.
Eigen::MatrixXcd statesAt(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, double sample,
                          double w);

/// G(z) = C (z - A)^-1 B + D (outputs x inputs), z as above. Not finite at a pole. `w` [rad/s]
Eigen::MatrixXcd transfer(const LinearModel& model, double w);

/// Frequencies [rad/s] at which curves show all that the model does: `count` along a logarithmic axis, from
/// a tenth of its slowest mode to ten times its fastest (a sampled one: to pi/h), farther where one of
/// `marked` [rad/s] lies beyond, and more about each resonance, as narrow as that is.
std::vector<double> frequencies(const LinearModel& model, int count = 400,
                                const std::vector<double>& marked = {});

/// The response of one output to one input.
struct FrequencyResponse {
  std::vector<double> w;  ///< [rad/s]
  std::vector<std::complex<double>> G;
  std::vector<double> phase;  ///< [rad]  without jumps along w, the first in (-pi, pi]

  static FrequencyResponse of(const LinearModel& model, int output, int input,
                              const std::vector<double>& w);
};

}  // namespace cardan
