/// VariedParameter: derivatives by one parameter of a model, as differences of variants of it.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/sensitivities/model_variant.h"

namespace cardan {

/// Of typical sizes: over this a difference along a derivative is taken.
inline constexpr double kDifferenceReach = 0x1p-17;
/// Relative, of derivatives by such differences: what their rounding leaves.
inline constexpr double kTangentRounding = 1e-10;
/// Of a one-sided difference over h, relative: h/2 of the second derivative is left of it.
inline constexpr double kRoughDerivative = 1e-4;
/// Up to so far, in typical sizes, unknowns are moved in one with the parameter: what the third
/// derivative leaves of a difference over h is h^2/6 of it.
inline double togetherUpTo(double relativeTolerance) {
  constexpr double kSafety = 0.25;
  return kSafety * std::sqrt(6 * relativeTolerance);
}

/// A parameter may stand anywhere in a model, in what components compute when they are loaded as
/// well: so the model is there again with values next to the parameter's. The differences are taken
/// where all else is held, of functions that are smooth there: over 2^-17 of the value they are good
/// to 1e-10, rough ones of one side over 2^-22 to 1e-6.
struct VariedParameter {
  /// f'(p) is the sum of weight * f(variant).
  struct Point {
    ModelVariant* variant;  ///< the model itself where the shift is 0
    double shift;           ///< of the parameter
    double weight;          ///< 1 / unit of the parameter
  };

  std::string name;
  std::string unit;  ///< SI; "": not known
  double size = 1;   ///< typical: its magnitude, or 1
  std::vector<Point> points;
  /// Derivatives of what changes at events alone (ModelVariant::heldNow).
  std::vector<double> held;

  /// All variants take what the run has changed: modes, memories.
  void follow(const RunState& run) const {
    for (const Point& p : points) p.variant->follow(run, p.shift, held);
  }

  /// Derivative of f(variant) where modes and all else are those of `run`.
  template <class F>
  Eigen::VectorXd derivative(const RunState& run, F f) const {
    follow(run);
    Eigen::VectorXd sum;
    for (const Point& p : points) {
      const Eigen::VectorXd part = p.weight * f(*p.variant);
      sum = sum.size() > 0 ? Eigen::VectorXd(sum + part) : part;
    }
    return sum;
  }

  /// Where the unknowns go along with the parameter, their derivatives being up to `reach` of their
  /// typical sizes: visit(variant, shift, along, weight) of points whose sum of weight * f is the
  /// derivative of f to `relativeTolerance`, each that far `along` these derivatives. `self`: the
  /// model itself.
  template <class Visit>
  void eachPoint(ModelVariant& self, double reach, double relativeTolerance, Visit visit) const {
    double longest = 0;
    for (const Point& p : points) longest = std::max(longest, std::abs(p.shift));
    const bool oneSided = std::ssize(points) == 2 && points[0].shift == 0;
    const bool together =
        longest * reach <= (oneSided ? 2 * kRoughDerivative : togetherUpTo(relativeTolerance));
    for (const Point& p : points) visit(*p.variant, p.shift, together ? p.shift : 0, p.weight);
    if (together) return;
    const double h = kDifferenceReach / reach;
    visit(self, 0.0, h, 0.5 / h);
    visit(self, 0.0, -h, -0.5 / h);
  }
};

}  // namespace cardan
