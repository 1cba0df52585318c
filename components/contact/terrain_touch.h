/// TerrainTouch: the normal forces between a convex solid and ground of triangles.
#pragma once

#include "components/contact/patch.h"
#include "components/contact/solid.h"

namespace cardan::contact {

/// Laws, each that of a plane where the ground is flat:
///
///   polyhedra, cylinders,     pressure kappa times the depth in the ground (see Terrain) on their faces;
///   cones                     U = kappa integral of it over what is below
///   balls, and capsules as    a ball's own pressure on the triangles, as a function of the distance rho
///   balls along a line        from its centre: of f, the force on a plane at the depth d,
///                             p = f'(R - rho)/(2 pi rho). On a triangle, seen from the foot of the
///                             centre in its plane at the distance h under the angle theta,
///                             f_n = 1/(2 pi) int over its border of f(R - h) - f(R - rho) dtheta,
///                             U = 1/(2 pi) int of E(R - h) - h/rho E(R - rho) dtheta,  E' = f
///   ellipsoids                the same of their image as a ball of radius 1
/// The pose is that of the ground in the solid's frame.
template <class S>
double pressOnTerrain(const Solid& a, const Terrain& ground, const RelativePose<S>& pose,
                      double kappa, Pressures<S>& out);

/// [J]
double energyOnTerrain(const Solid& a, const Terrain& ground, const RelativePose<double>& pose,
                       double kappa);

/// [m]  Between the ground and the ball about a solid's origin.
double gapOfBallToTerrain(const Solid& a, const Terrain& ground, const RelativePose<double>& pose);

/// [m]  Of solids farther off than `far` that.
double gapToTerrain(const Solid& a, const Terrain& ground, const RelativePose<double>& pose,
                    double far);

}  // namespace cardan::contact
