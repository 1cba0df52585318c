/// RigidBody: the inertia of a component that is nothing else, so that bodies which move together can
/// be added up.
#pragma once

#include "components/ids.h"
#include "frames/frames.h"

namespace cardan {

/// A rigid body that uniform gravity pulls at its centre of mass.
struct RigidBody {
  FrameId frame;  ///< it is fixed in
  double m = 0;   ///< [kg]
  Vector3d r_CM;  ///< [m]      origin of `frame` to centre of mass, resolved in `frame`
  Matrix3d I;     ///< [kg.m2]  about the centre of mass, resolved in `frame`
};

}  // namespace cardan
