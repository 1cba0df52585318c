/// FrequencyResponse: what outputs of a linear model do where its inputs swing.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "engine/analysis/linear_model.h"

namespace cardan {

/// G(z) = C (z - A)^-1 B + D (outputs x inputs), with z = j w, or exp(j w h) of a sampled model. Not finite
/// at a pole. `w` [rad/s]
Eigen::MatrixXcd transfer(const LinearModel& model, double w);

/// Frequencies [rad/s] at which curves show all that the model does: `count` along a logarithmic axis, from
/// a tenth of its slowest mode to ten times its fastest (a sampled one: to pi/h), and more about each
/// resonance, as narrow as that is.
std::vector<double> frequencies(const LinearModel& model, int count = 400);

/// The response of one output to one input, and what a loop that is closed over both (u = -y) says of it.
struct FrequencyResponse {
  std::vector<double> w;  ///< [rad/s]
  std::vector<std::complex<double>> G;
  std::vector<double> phase;  ///< [rad]  without jumps along w, the first in (-pi, pi]

  static FrequencyResponse of(const LinearModel& model, int output, int input,
                              const std::vector<double>& w);
};

/// A crossing and the distance to instability there.
struct Margin {
  double w = 0;     ///< [rad/s]
  double size = 0;  ///< of gain: the factor; of phase: [rad]
};
struct Margins {
  std::vector<Margin> gain;   ///< where G is real and negative
  std::vector<Margin> phase;  ///< where |G| = 1
  double rest = 0;            ///< |G| towards w = 0; infinity: it has no bound
  double bandwidth = 0;  ///< [rad/s]  where |G| is 3 dB below that of rest for good; 0: nowhere

  /// Crossings between neighbours of `response` are refined to rounding.
  static Margins of(const LinearModel& model, int output, int input,
                    const FrequencyResponse& response);
};

}  // namespace cardan
