/// ConvexHull: the triangles around points, and the faces that they make up.
#pragma once

#include <array>
#include <vector>

#include "frames/algebra.h"

namespace cardan {

/// [1]  Of the size: distance from a plane of what lies in it.
inline constexpr double kFlat = 1e-9;

struct ConvexHull {
  std::vector<Vector3d> points;               ///< [m]  in order, each once
  std::vector<std::array<int, 3>> triangles;  ///< of points; seen from outside they go to the left

  /// Corners of the faces, counterclockwise seen from outside: triangles in one plane are one face.
  std::vector<std::vector<int>> faces() const;
};

/// The triangles around points; none where all lie in one plane. What is nearer than `flat` [1] of
/// the size to a triangle's plane is inside.
/// Source  Barber, Dobkin, Huhdanpaa, The Quickhull Algorithm, ACM TOMS 22 (1996) 469
ConvexHull convexHull(std::vector<Vector3d> points, double flat = kFlat);

/// In order, each once.
void sortOut(std::vector<Vector3d>& points);

}  // namespace cardan
