/// Solid: what triangles enclose, and how it resists being turned.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "frames/algebra.h"

namespace cardan::robots {

using Face = std::array<Vector3d, 3>;  ///< [m]  seen from outside its corners go round to the left

/// Which solid triangles stand for: the pyramids on them whose tip is in the middle, all counted
/// positive (legacy) or as they are turned (exact); their convex hull; or they themselves.
enum class SolidKind { legacy, exact, convex, shell };

struct Solid {
  double size = 0;                ///< [m3]  volume; of a shell [m2]  area
  Vector3d centre{0, 0, 0};       ///< [m]
  Matrix3d I = Matrix3d::Zero();  ///< [m5], [m4]  about the centre, of density 1
};

/// Nothing where there is none: its size is not positive, as of flat or misoriented triangles.
/// Source  moments of a simplex: sums over its corners
std::optional<Solid> solidOf(const std::vector<Face>& faces, SolidKind kind);

/// Each once.
std::vector<Vector3d> cornersOf(const std::vector<Face>& faces);

/// The hull of points of a mesh file, which is of single precision; none where all lie in one plane.
std::vector<Face> facesAround(std::vector<Vector3d> points);

}  // namespace cardan::robots
