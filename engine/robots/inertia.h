/// Inertia: whether a body can have the inertia tensor that a file gives a link.
#pragma once

#include "engine/robots/import_report.h"
#include "engine/robots/robot.h"

namespace cardan::robots {

struct PrincipalAxes {
  Vector3d moments{0, 0, 0};             ///< of a tensor: about its columns
  Matrix3d axes = Matrix3d::Identity();  ///< [1]  right-handed

  Matrix3d tensor() const;
};
/// Of a symmetric tensor, by Jacobi's rotations.
PrincipalAxes principalAxes(const Matrix3d& I);

/// Warns of every link whose mass and inertia belong to no body; where `refused`, these are errors.
/// A tensor with a negative principal moment becomes the nearest one without (Frobenius norm). One
/// that only violates the triangle inequality stays: the equations of motion are sound with it.
void checkInertias(std::vector<Body>& bodies, bool refused, ImportReport& report,
                   Diagnostics& diagnostics);

}  // namespace cardan::robots
