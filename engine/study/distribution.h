/// Distributions of the parameters that a study samples.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "engine/text/diagnostics.h"

namespace cardan {

/// A value is the quantile of a number in the unit interval, so that every way of filling that
/// interval (random, Latin hypercube, Sobol) serves all distributions.
struct Distribution {
  enum class Kind {
    uniform,     ///< from a to b
    normal,      ///< mean a, standard deviation b
    lognormal,   ///< its logarithm is normal, with mean a and standard deviation b
    triangular,  ///< from a to c, most often b
  };
  Kind kind = Kind::uniform;
  std::array<double, 3> parameters{};

  /// The value below which the share u of all values is. Pre: 0 <= u < 1, > 0 if hasNoBound()
  double quantile(double u) const;
  /// No value belongs to u = 0.
  bool hasNoBound() const { return kind == Kind::normal || kind == Kind::lognormal; }

  /// Reads "normal(1, 0.05)". Wrong ones are reported, `at` being the place of the first character.
  static std::optional<Distribution> read(const std::string& text, const SourceMark& at,
                                          Diagnostics& diagnostics);
};

/// The x below which a normally distributed number (mean 0, standard deviation 1) stays with
/// probability p, to the last digits. Pre: 0 < p < 1
double normalQuantile(double p);

}  // namespace cardan
