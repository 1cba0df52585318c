/// Movements: the coordinates of a model by names, each with the velocities that belong to it.
#pragma once

#include <string>
#include <vector>

#include "engine/motion_point.h"

namespace cardan {

/// Coordinates that are chosen together: a scalar one, or all of a free orientation.
struct Movement {
  std::vector<int> positions, velocities;  ///< indices into y
  bool chosen = false;
};

/// Of all edges of the tree and of one-dimensional parts, in the order of y.
std::vector<Movement> movementsOf(const PointEquations& equations);

/// Marks those of which a position has a name that matches one of `globs`. What matches none is an
/// error at `option`.
void chooseMovements(const PointEquations& equations, const std::vector<std::string>& globs,
                     const std::string& option, std::vector<Movement>& movements,
                     Diagnostics& diagnostics);

/// Velocities (indices into y) whose names match one of `globs`; what matches none is an error at
/// `option`.
std::vector<int> velocitiesNamed(const PointEquations& equations,
                                 const std::vector<std::string>& globs, const std::string& option,
                                 Diagnostics& diagnostics);

/// A force along a velocity: "drive(joint.phi)" [N.m], "drive(slider.s)" [N]; of an orientation by
/// the name of its angular velocity.
struct DriveName {
  std::string name, unit;
};
DriveName driveName(const Unknowns& unknowns, const Movement& movement, int velocity);

}  // namespace cardan
