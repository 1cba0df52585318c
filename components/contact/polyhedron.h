/// Polyhedron: a convex body with flat faces, or a half-space.
#pragma once

#include <vector>

#include "components/surface.h"
#include "frames/algebra.h"

namespace cardan::contact {

/// Inside where n.x <= c for all faces. A half-space is one face without corners.
struct Polyhedron {
  struct Face {
    Vector3d n;                                     ///< [1]  unit normal, outward
    double c = 0;                                   ///< [m]
    std::vector<int> corners;                       ///< counterclockwise, seen from outside
    Vector3d o{0, 0, 0}, e1{1, 0, 0}, e2{0, 1, 0};  ///< origin [m] and axes [1] in the face
    std::vector<Eigen::Vector2d> places{};          ///< [m]  of the corners by these axes
    /// Within the sides where m.x <= d for all of them; [1] and [m], from corner to corner.
    std::vector<Vector3d> m{};
    std::vector<double> d{};
  };
  struct Edge {
    Vector3d a;                 ///< [m]  where it begins
    Vector3d e;                 ///< [1]  its direction
    double length = 0;          ///< [m]
    int left = -1, right = -1;  ///< faces
  };
  std::vector<Vector3d> vertices;  ///< [m]
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<Vector3d> directions;  ///< [1]  of the edges, each once

  bool isHalfSpace() const { return vertices.empty(); }

  static Polyhedron halfSpace(const Vector3d& n);
  static Polyhedron box(const Vector3d& size);
  /// About the z axis, with regular polygons of `sides` corners at z = -length/2 and length/2, of
  /// which the upper one may be a point.
  static Polyhedron frustum(double radius, double radiusAbove, double length, int sides);
  /// The least that contains the points; empty where these lie in a plane.
  static Polyhedron hull(const std::vector<Vector3d>& points);
};

/// What clipping may make of a face, of fewer corners than its body has faces, by all planes of
/// another body.
inline constexpr int kMostCorners = 2 * kMostFaces;

}  // namespace cardan::contact
