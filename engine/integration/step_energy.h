/// StepEnergy: what a step has made of the energy of a model in which things touch.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/equations/equations.h"
#include "engine/structure/variable_table.h"

namespace cardan {

/// Euler's implicit method takes energy where forces grow along the motion, and makes some where they
/// fall: E_1 - E_0 - h dE/dt_1, with the rate that springs, dampers, drives and gravity have at the end,
/// is its error. In contact that is much more than elsewhere: a corner that turns away from under its
/// load loses its force within one step, and the law of a pair that has passed its middle has no
/// meaning. What drives give a step by their power at its end is no such error.
class StepEnergy {
 public:
  StepEnergy(Equations& equations, const VariableTable& variables);

  /// Something stores energy that has modes: what touches and parts.
  bool any() const { return touching_ > 0; }

  /// A point at whose rates yp a step has gone for `length` [s].
  struct Stage {
    double length, t;
    const std::vector<double>*y, *yp;
  };
  /// Energies at the beginning of a step, with which made() compares.
  void begin(double t, const std::vector<double>& y, const std::vector<double>& yp);
  /// [J]  Energy that the step to the last of its `stages` has made, if it is more than is taken for
  /// nothing; else 0. All stages together are as long as the step.
  double made(std::span<const Stage> stages);

 private:
  struct Energies {
    double total = 0, kinetic = 0, sizes = 0;  ///< [J]  sizes: of all terms, without signs
    std::vector<double> touching;              ///< [J]  of each that touches
  };
  void look(double t, const std::vector<double>& y, const std::vector<double>& yp, double ahead,
            Energies& to);

  Equations& equations_;
  Workspace<double> w_;
  std::vector<const VariableFunction*> parts_;  ///< those that touch come first
  size_t touching_ = 0;
  Energies begin_, end_, after_, before_;
  std::vector<double> given_;  ///< [J]  what those that touch took, by the rates of the stages
};

}  // namespace cardan
