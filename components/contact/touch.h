/// Touch: the normal forces between two solids of any kinds.
#pragma once

#include <string>

#include "components/contact/patch.h"
#include "components/contact/solid.h"

namespace cardan::contact {

/// Laws, all of them minus the gradient of a potential, with the foundation's modulus kappa [Pa/m]:
///
///   polyhedra            pressure on polygons, see pressBetween
///   cylinder, cone,
///   ellipsoid            on a plane: kappa V, V the volume below it
///   sphere, capsule      against all but ellipsoids: for a point of the line with depth d below the
///                        other's surface, 4/3 sqrt(2 R) d^1.5 kappa a length, and at each end half
///                        of a sphere's kappa pi d^2 (R - d/3); R of two rounded ones
///                        R_a R_b/(R_a + R_b); two capsules: mean of both lines
///   any on terrain       see terrain_touch.h
///   cylinders, cones     against others than planes as prisms and pyramids of 48 sides
///
/// False, and why: there is no law for this pair.
bool hasLaw(const Solid& a, const Solid& b, std::string& why);

/// Appends the pieces to `out`; returns the depth [m] of the overlap, 0 apart.
template <class S>
double press(const Solid& a, const Solid& b, const RelativePose<S>& pose, double kappa,
             Pressures<S>& out);

/// [J]  The potential.
double energy(const Solid& a, const Solid& b, const RelativePose<double>& pose, double kappa);

/// [m]  > 0 where they are apart, then no more than their distance; minus the depth where they
/// overlap.
double gap(const Solid& a, const Solid& b, const RelativePose<double>& pose);

}  // namespace cardan::contact
