/// Modes: how a linearised model swings and settles.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <utility>
#include <vector>

#include "engine/analysis/linear_model.h"

namespace cardan {

/// One eigenvalue; of a pair that with the positive imaginary part.
struct EigenMode {
  std::complex<double> eigenvalue;  ///< [1/s]
  double condition = 1;             ///< how much a change of A changes it, at most: 1 is best
  Eigen::VectorXcd shape;           ///< of the states
  /// Shares of the coordinates in it, the largest first, as names and fractions of 1: products of
  /// right and left eigenvector, so independent of units.
  std::vector<std::pair<std::string, double>> participation;

  bool isPair() const { return eigenvalue.imag() > 0; }
  double frequency() const;     ///< [Hz]  of the oscillation; 0: none
  double dampingRatio() const;  ///< -Re/|eigenvalue|
  double timeConstant() const;  ///< [s]  1/|Re|; infinite: neither grows nor decays
};

/// Modes by rising magnitude. Eigenvalues of zero are split off first: free translations and
/// rotations, which are multiple and would otherwise spoil what is near them.
struct ModalAnalysis {
  std::vector<EigenMode> modes;
  int zeros = 0;                           ///< eigenvalues of zero
  std::vector<std::string> freeMovements;  ///< coordinates that move with them
  int unstable = 0;                        ///< eigenvalues with a positive real part
  bool conservative = false;  ///< of second order and symmetric: frequencies are exact square roots
};

ModalAnalysis findModes(const LinearModel& model);

}  // namespace cardan
