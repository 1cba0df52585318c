/// CurvedOnPlane: the part of a cylinder, a cone or an ellipsoid below a plane.
#pragma once

#include "components/contact/patch.h"
#include "components/contact/solid.h"

namespace cardan::contact {

/// Equations  pressure kappa times the depth below the plane: force kappa V, at the centroid of V,
///            the volume below; energy kappa int depth dV
///            A cylinder's V in closed form along its axis, by Gauss' quadrature over its chords; a
///            cone's by that over its slices, segments of discs; an ellipsoid's as the affine image
///            of a ball's cap.
/// Damping resists no rolling: of an ellipsoid nothing that turns it, of a cylinder or a cone on its side
/// or its rim only along its axis, on its base all.
template <class S>
class CurvedOnPlane {
 public:
  /// `pose` of the plane, whose normal is its z axis, in the frame of `body`.
  CurvedOnPlane(const Solid& body, const RelativePose<S>& pose);

  /// Appends a piece; returns the depth.
  double press(double kappa, Pressures<S>& out) const;
  double energy() const { return energy_; }
  double gap() const { return gap_; }

 private:
  /// Of a cylinder, along the axis' direction that points up.
  struct Column {
    double side;  ///< [1]  1: that is z, -1: -z
    S c;          ///< [1]  rise by length
  };

  /// Of a cone: integrals over its slices, x up the plane's slope and t along the axis.
  struct Slices {
    S lean;  ///< [1]  > 0: sine of the angle between axis and normal
    S V{0}, x{0}, t{0}, xx{0}, yy{0}, tt{0}, xt{0};
  };

  void cylinder(const Solid& body);
  void cone(const Solid& body);
  void ellipsoid(const Vector3d& radii);
  void addColumns(const Solid& body, const Column& column, const Vector3d& e, double from,
                  double to, bool full);
  void addSlices(const Solid& body, double from, double to, bool full, Slices& sums);
  void settleDamping(double R);

  Vector3<S> n_;  ///< [1]  normal of the plane, up
  S h_;           ///< [m]  height of the body's centre above it
  double gap_ = 1;
  S volume_{0};
  Vector3<S> first_ = Vector3<S>::Zero();  ///< [m4]  of the volume
  Symmetric<S> second_;                    ///< [m5]  about the origin, or the centroid
  Symmetric<S> damped_;                    ///< [m5]  about the centroid: what damping feels
  S spread_{0};                            ///< [m5]  what it does not feel
  double energy_ = 0;                      ///< [m4]  by kappa
  double area_ = 0;                        ///< [m2]

  /// [rad]  A cylinder that leans less from lying, or a cone from standing, is taken to lean as much;
  /// what is odd in the lean, in proportion.
  static constexpr double kUpright = 1e-8;
};

}  // namespace cardan::contact
