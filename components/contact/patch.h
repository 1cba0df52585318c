/// Patch: the pressure of two convex polyhedra on each other.
#pragma once

#include "components/contact/polyhedron.h"
#include "components/contact/pressure.h"

namespace cardan::contact {

/// Where B is, in A's frame.
template <class S>
struct RelativePose {
  Matrix3<S> R;  ///< [1]  v_A = R v_B
  Vector3<S> t;  ///< [m]  from A's origin to B's

  RelativePose inverse() const { return {R.transpose(), -(R.transpose() * t)}; }
};

/// Without derivatives.
inline Matrix3d valuesOf(const Matrix3d& R) { return R; }
inline Vector3d valuesOf(const Vector3d& v) { return v; }
inline Matrix3d valuesOf(const Matrix3<Dual>& R) {
  return R.unaryExpr([](const Dual& x) { return x.v; });
}
inline Vector3d valuesOf(const Vector3<Dual>& v) { return {v[0].v, v[1].v, v[2].v}; }
template <class S>
RelativePose<double> valuesOf(const RelativePose<S>& p) {
  return {valuesOf(p.R), valuesOf(p.t)};
}

/// Every body has a field of pressure kappa d, d the depth below its nearest face, and is a soft
/// medium to the other's rigid surface, half of each; against a half-space the pressure is all of
/// that one's.
///
/// Equations  U = 1/2 integral over A and B of (p_A + p_B) dV;  f_A = -dU/dr_A:
///            f_A = -1/2 sum over faces i of A of n_i int p_B dA
///                  + 1/2 sum over faces j of B of n_j int p_A dA;  torques alike
///            The integrand is 0 wherever polygons may appear, vanish or double, so that the force
///            is Lipschitz in every pose, and derivatives by the pose need none of the clipping.
/// Source     Elandt et al., A pressure field model for fast, robust approximation of net contact
///            force and moment between nominally rigid objects (IROS 2019), for the potential
///
/// `kappa` [Pa/m]. Appends pieces to `out`; returns the greatest depth [m] that one body's
/// surface has below the other's, 0 where they are apart.
template <class S>
double pressBetween(const Polyhedron& a, const Polyhedron& b, const RelativePose<S>& pose,
                    double kappa, Pressures<S>& out);

/// [J]  U of the same.
double energyBetween(const Polyhedron& a, const Polyhedron& b, const RelativePose<double>& pose,
                     double kappa);

/// [m]  The widest slab between the two over normals of faces and, where none lies between them,
/// pairs of edges: > 0 where they are apart, and no more than their distance.
double separation(const Polyhedron& a, const Polyhedron& b, const RelativePose<double>& pose);

}  // namespace cardan::contact
