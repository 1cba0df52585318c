/// VariedParameter: derivatives by one parameter of a model, as differences of variants of it.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "engine/sensitivities/model_variant.h"

namespace cardan {

/// A parameter may stand anywhere in a model, in what components compute when they are loaded as
/// well: so the model is there again with values next to the parameter's. The differences are taken
/// where all else is held, of functions that are smooth there: over 2^-17 of the value they are good
/// to 1e-10.
struct VariedParameter {
  /// f'(p) is the sum of weight * f(variant).
  struct Point {
    ModelVariant* variant;
    double shift;   ///< of the parameter
    double weight;  ///< 1 / unit of the parameter
  };

  std::string name;
  std::string unit;  ///< SI; "": not known
  double size = 1;   ///< typical: its magnitude, or 1
  std::vector<Point> points;
  std::vector<double> held;  ///< derivatives of what changes at events alone (RunState::held)

  /// Derivative of f(variant) where modes and all else are those of `run`.
  template <class F>
  Eigen::VectorXd derivative(const RunState& run, F f) const {
    Eigen::VectorXd sum;
    for (const Point& p : points) {
      p.variant->follow(run, p.shift, held);
      const Eigen::VectorXd part = p.weight * f(*p.variant);
      sum = sum.size() > 0 ? Eigen::VectorXd(sum + part) : part;
    }
    return sum;
  }
};

}  // namespace cardan
