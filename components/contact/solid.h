/// Solid: the convex body of a shape, or the ground, in its own frame.
#pragma once

#include <limits>
#include <memory>

#include "components/contact/polyhedron.h"
#include "frames/frames.h"

namespace cardan::contact {

struct Terrain;

/// A half-space below z = 0; ground of triangles; bodies about the origin, those of revolution about z.
struct Solid {
  enum class Kind { Plane, Sphere, Capsule, Cylinder, Cone, Ellipsoid, Polyhedron, Terrain };

  Kind kind = Kind::Polyhedron;
  double radius = 0;  ///< [m]  of sphere, capsule and cylinder, of a cone's base
  double length = 0;  ///< [m]  of cylinder and cone; of a capsule between its centres
  Vector3d radii = Vector3d::Zero();   ///< [m]  of an ellipsoid
  Polyhedron faces;                    ///< of plane and polyhedron; near cylinder and cone
  Vector3d extent = Vector3d::Zero();  ///< [m]  sizes of the bounding box; a plane has none
  Vector3d middle = Vector3d::Zero();  ///< [m]  of the bounding box
  std::shared_ptr<const contact::Terrain> terrain{};
  double reach = std::numeric_limits<double>::infinity();  ///< [m]  farthest point from the origin

  bool isPlane() const { return kind == Kind::Plane; }
  bool isTerrain() const { return kind == Kind::Terrain; }
  /// What others lie on: without end downwards, and rigid.
  bool isGround() const { return isPlane() || isTerrain(); }
  /// A point or a line with a radius around it.
  bool isRounded() const { return kind == Kind::Sphere || kind == Kind::Capsule; }
  /// [m]  Half of the rounded one's line.
  double half() const { return kind == Kind::Capsule ? length / 2 : 0; }
  /// [m]  Of the ball about the mean of its corners that touches the nearest face; infinite for ground.
  double inRadius() const;
  /// [m2]  of the largest side of its bounding box, on which it may rest
  double restArea() const { return extent.prod() / extent.minCoeff(); }
};

/// Where a solid is nearest to a point: [m] its distance from there, negative inside, and the unit
/// normal of the solid, in its frame.
template <class S>
struct Nearest {
  S distance;
  Vector3<S> n;
};

/// `p` in the frame of `b`, any solid but an ellipsoid or a terrain.
template <class S>
Nearest<S> nearest(const Solid& b, const Vector3<S>& p);

}  // namespace cardan::contact
