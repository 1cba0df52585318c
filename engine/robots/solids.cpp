#include "engine/robots/solids.h"

#include <cmath>
#include <utility>

#include "components/convex_hull.h"

namespace cardan::robots {
namespace {

Vector3d doubleArea(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  return cross(Vector3d(b - a), Vector3d(c - a));
}

/// [m3], [m2]  of the pyramid on a triangle, its tip at `tip`; of a shell the triangle's.
double sizeOf(const Face& f, const Vector3d& tip, SolidKind kind) {
  const Vector3d n = doubleArea(f[0], f[1], f[2]);
  if (kind == SolidKind::shell) return n.norm() / 2;
  const double volume = n.dot(f[0] - tip) / 6;
  return kind == SolidKind::legacy ? std::abs(volume) : volume;
}

}  // namespace

std::vector<Face> facesAround(std::vector<Vector3d> points) {
  constexpr double kSinglePrecision = 1e-7;
  const ConvexHull hull = convexHull(std::move(points), kSinglePrecision);
  std::vector<Face> faces;
  for (const auto& [a, b, c] : hull.triangles)
    faces.push_back({hull.points[a], hull.points[b], hull.points[c]});
  return faces;
}

std::vector<Vector3d> cornersOf(const std::vector<Face>& faces) {
  std::vector<Vector3d> corners;
  for (const Face& f : faces) corners.insert(corners.end(), f.begin(), f.end());
  sortOut(corners);
  return corners;
}

std::optional<Solid> solidOf(const std::vector<Face>& faces, SolidKind kind) {
  if (kind == SolidKind::convex) return solidOf(facesAround(cornersOf(faces)), SolidKind::exact);
  // The middle of the surface is where the pyramids have their tips.
  Vector3d middle{0, 0, 0};
  double area = 0;
  for (const Face& f : faces) {
    const double a = sizeOf(f, middle, SolidKind::shell);
    area += a;
    middle += a / 3 * (f[0] + f[1] + f[2]);
  }
  if (!(area > 0) || !std::isfinite(area)) return std::nullopt;
  middle /= area;
  Solid solid;
  for (const Face& f : faces) {
    const double size = sizeOf(f, middle, kind);
    const Vector3d sum = f[0] + f[1] + f[2];
    solid.size += size;
    solid.centre +=
        size * (kind == SolidKind::shell ? Vector3d(sum / 3) : Vector3d((sum + middle) / 4));
  }
  if (!(solid.size > 0)) return std::nullopt;
  solid.centre /= solid.size;
  // Of all pyramids with their tips in the centre, or of the triangles.
  Matrix3d P = Matrix3d::Zero();
  solid.size = 0;
  for (const Face& f : faces) {
    const double size = sizeOf(f, solid.centre, kind);
    Vector3d sum{0, 0, 0};
    Matrix3d squares = Matrix3d::Zero();
    for (const Vector3d& corner : f) {
      const Vector3d x = corner - solid.centre;
      sum += x;
      squares += x * x.transpose();
    }
    solid.size += size;
    P += size / (kind == SolidKind::shell ? 12 : 20) * (squares + sum * sum.transpose());
  }
  if (!(solid.size > 0) || !P.allFinite()) return std::nullopt;
  solid.I = P.trace() * Matrix3d::Identity() - P;
  return solid;
}

}  // namespace cardan::robots
