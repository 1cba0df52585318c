#include "engine/robots/solids.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "frames/algebra.h"

namespace cardan::robots {
namespace {

Vector3d doubleArea(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  return cross(Vector3d(b - a), Vector3d(c - a));
}

/// In order, each once.
void sortOut(std::vector<Vector3d>& points) {
  std::ranges::sort(points, [](const Vector3d& a, const Vector3d& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
  });
  points.erase(std::ranges::unique(points).begin(), points.end());
}

/// [m3], [m2]  of the pyramid on a triangle, its tip at `tip`; of a shell the triangle's.
double sizeOf(const Face& f, const Vector3d& tip, SolidKind kind) {
  const Vector3d n = doubleArea(f[0], f[1], f[2]);
  if (kind == SolidKind::shell) return n.norm() / 2;
  const double volume = n.dot(f[0] - tip) / 6;
  return kind == SolidKind::legacy ? std::abs(volume) : volume;
}

/// The hull while it grows: triangles with neighbours, each with the points that it does not hide.
class Hull {
 public:
  explicit Hull(std::vector<Vector3d> points) : points_(std::move(points)) {}

  std::vector<Face> make() {
    if (!begin()) return {};
    for (size_t f = 0; f < sides_.size(); ++f) {
      // A side that is passed has nothing outside, or is inside itself.
      while (sides_[f].isThere && !sides_[f].outside.empty()) grow(f);
    }
    std::vector<Face> faces;
    for (const Side& s : sides_) {
      if (s.isThere)
        faces.push_back({points_[s.corner[0]], points_[s.corner[1]], points_[s.corner[2]]});
    }
    return faces;
  }

 private:
  struct Side {
    std::array<int, 3> corner{};
    Vector3d normal{0, 0, 0};  ///< [1]
    std::vector<int> outside;
    bool isThere = true;
  };

  double above(const Side& s, int p) const {
    return s.normal.dot(points_[p] - points_[s.corner[0]]);
  }

  void add(int a, int b, int c) {
    Side& s = sides_.emplace_back();
    s.corner = {a, b, c};
    s.normal = doubleArea(points_[a], points_[b], points_[c]).normalized();
    const int index = std::ssize(sides_) - 1;
    for (const auto& [from, to] : {std::pair{a, b}, {b, c}, {c, a}}) sideAt_[{from, to}] = index;
  }

  /// A tetrahedron of points far apart.
  bool begin() {
    sortOut(points_);
    if (points_.size() < 4) return false;
    const auto farthest = [&](auto distance) {
      int best = 0;
      for (int p = 1; p < std::ssize(points_); ++p) {
        if (distance(points_[p]) > distance(points_[best])) best = p;
      }
      return best;
    };
    const int a = 0;
    const int b = farthest([&](const Vector3d& p) { return (p - points_[a]).norm(); });
    const int c =
        farthest([&](const Vector3d& p) { return doubleArea(points_[a], points_[b], p).norm(); });
    const Vector3d n = doubleArea(points_[a], points_[b], points_[c]);
    const int d = farthest([&](const Vector3d& p) { return std::abs(n.dot(p - points_[a])); });
    const double extent = (points_[b] - points_[a]).norm(), height = n.dot(points_[d] - points_[a]);
    // What single precision leaves of points in a plane is in it.
    nothing_ = 1e-7 * extent;
    if (!(n.norm() > nothing_ * extent) || !(std::abs(height) > nothing_ * n.norm())) return false;
    if (height < 0) {
      add(a, b, c), add(a, d, b), add(b, d, c), add(c, d, a);
    } else {
      add(a, c, b), add(a, b, d), add(b, c, d), add(c, a, d);
    }
    std::vector<int> all(points_.size());
    for (size_t p = 0; p < all.size(); ++p) all[p] = p;
    share(all, 0);
    return true;
  }

  /// Each point goes to the first side from `first` on that it is outside of.
  void share(const std::vector<int>& points, size_t first) {
    for (const int p : points) {
      for (size_t f = first; f < sides_.size(); ++f) {
        if (above(sides_[f], p) <= nothing_) continue;
        sides_[f].outside.push_back(p);
        break;
      }
    }
  }

  /// The farthest point outside of a side becomes a corner.
  void grow(size_t side) {
    const int tip = *std::ranges::max_element(sides_[side].outside, {},
                                              [&](int p) { return above(sides_[side], p); });
    // All sides that the point sees; their border is the foot of the new ones.
    std::vector<int> seen{static_cast<int>(side)}, orphans;
    std::vector<std::pair<int, int>> border;
    sides_[side].isThere = false;
    for (size_t k = 0; k < seen.size(); ++k) {
      const auto corner = sides_[seen[k]].corner;
      const auto& outside = sides_[seen[k]].outside;
      orphans.insert(orphans.end(), outside.begin(), outside.end());
      for (int i = 0; i < 3; ++i) {
        const int from = corner[i], to = corner[(i + 1) % 3];
        const int next = sideAt_[{to, from}];
        if (!sides_[next].isThere) continue;
        if (above(sides_[next], tip) > nothing_) {
          sides_[next].isThere = false;
          seen.push_back(next);
        } else {
          border.emplace_back(from, to);
        }
      }
    }
    const size_t first = sides_.size();
    for (const auto& [from, to] : border) add(from, to, tip);
    std::erase(orphans, tip);
    share(orphans, first);
    for (const int s : seen) sides_[s].outside = {};
  }

  std::vector<Vector3d> points_;
  std::vector<Side> sides_;
  std::map<std::pair<int, int>, int> sideAt_;  ///< by an edge in its own order
  double nothing_ = 0;                         ///< [m]
};

}  // namespace

std::vector<Face> convexHull(std::vector<Vector3d> points) {
  return Hull(std::move(points)).make();
}

std::vector<Vector3d> cornersOf(const std::vector<Face>& faces) {
  std::vector<Vector3d> corners;
  for (const Face& f : faces) corners.insert(corners.end(), f.begin(), f.end());
  sortOut(corners);
  return corners;
}

std::optional<Solid> solidOf(const std::vector<Face>& faces, SolidKind kind) {
  if (kind == SolidKind::convex) return solidOf(convexHull(cornersOf(faces)), SolidKind::exact);
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
