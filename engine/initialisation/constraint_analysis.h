/// ConstraintAnalysis: how many freedoms the constraints leave, which of them say nothing new,
/// which joint moves no mass.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "engine/dynamics/completion.h"

namespace cardan {

struct ConstraintAnalysis {
  int degreesOfFreedom = 0;
  std::vector<int> redundant;       ///< multipliers whose rows the others imply, ascending
  std::vector<std::string> states;  ///< independent coordinates, then their velocities
  bool singularPosition =
      false;  ///< near this position the constraints leave fewer freedoms than in it
};

/// At positions and velocities that satisfy the constraints. `tiers` per unknown: better known
/// coordinates are preferred as states.
ConstraintAnalysis analyseConstraints(EvaluationPoint& at, double time,
                                      const std::vector<double>& y, const std::vector<double>& yp,
                                      const std::vector<int>& tiers);

/// Columns of the equations of a completion (der(v), then x) that its null space reaches. Empty:
/// everything is determined.
std::vector<int> undeterminedColumns(const Completion& completion);

/// Velocities (indices into v) that nothing accelerates in a definite way: those in the null space
/// of the equations of motion. Empty: none.
std::vector<int> velocitiesWithoutMass(const Completion& completion, const Layout& layout);

/// Unknowns of components and potentials that the equations leave open, in the same sense: currents
/// of sources that short each other, the temperature of a port without path.
struct OpenParts {
  std::vector<int> unknowns;  ///< indices into x
  int combinations = 0;       ///< of them that nothing determines, independent of each other
};
OpenParts undeterminedParts(const Completion& completion, const Layout& layout);

/// Rows of the equations of a completion of which a combination says nothing.
std::vector<int> dependentRows(const Completion& completion);

}  // namespace cardan
