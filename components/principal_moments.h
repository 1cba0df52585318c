/// The principal moments of an inertia tensor.
#pragma once

#include "frames/algebra.h"

namespace cardan {

/// Eigenvalues of a symmetric tensor, ascending, in its unit; the lower half is read.
Vector3d principalMoments(const Matrix3d& I);

}  // namespace cardan
