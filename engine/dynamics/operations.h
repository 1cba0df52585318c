/// Counted operations, by which ways to step a model are compared: no clock may decide between them.
#pragma once

#include "engine/equations/equations.h"

namespace cardan::operations {

/// Of one evaluation, about: for each cluster, cut joint and constraint.
inline double evaluation(const Equations& equations) {
  constexpr double kEach = 75;
  return kEach * static_cast<double>(equations.clusters().clusters().size() +
                                     equations.layout().cutJoints.size() +
                                     equations.flatModel().constraints.size());
}

inline constexpr double kWithDirections = 2.5;  ///< evaluations: one with a register of directions

/// Factors of a dense matrix of n rows, several operations of which are made at once.
inline double denseFactors(double n) { return n * n * n / 8; }
/// Of a sparse one, by its elements.
inline double sparseFactors(double elements) { return 20 * elements; }

}  // namespace cardan::operations
