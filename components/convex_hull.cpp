#include "components/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace cardan {
namespace {

Vector3d doubleArea(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  return cross(Vector3d(b - a), Vector3d(c - a));
}

/// The hull while it grows: triangles with neighbours, each with the points that it does not hide.
class Hull {
 public:
  Hull(std::vector<Vector3d> points, double flat) : points_(std::move(points)), flat_(flat) {}

  ConvexHull make() {
    ConvexHull hull;
    if (begin()) growAll();
    for (const Side& s : sides_) {
      if (s.isThere) hull.triangles.push_back(s.corner);
    }
    hull.points = std::move(points_);
    return hull;
  }

 private:
  void growAll() {
    for (size_t f = 0; f < sides_.size(); ++f) {
      // A side that is passed has nothing outside, or is inside itself.
      while (sides_[f].isThere && !sides_[f].outside.empty()) grow(f);
    }
  }

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
    nothing_ = flat_ * extent;
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
  double flat_;                                ///< [1]
  double nothing_ = 0;                         ///< [m]
};

}  // namespace

void sortOut(std::vector<Vector3d>& points) {
  std::ranges::sort(points, [](const Vector3d& a, const Vector3d& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
  });
  points.erase(std::ranges::unique(points).begin(), points.end());
}

ConvexHull convexHull(std::vector<Vector3d> points, double flat) {
  return Hull(std::move(points), flat).make();
}

std::vector<std::vector<int>> ConvexHull::faces() const {
  double size = 0;
  for (const Vector3d& p : points) size = std::max(size, (p - points.front()).norm());
  std::vector<std::vector<int>> faces;
  std::vector<bool> taken(triangles.size(), false);
  for (size_t i = 0; i < triangles.size(); ++i) {
    if (taken[i]) continue;
    const auto normal = [&](size_t k) {
      const auto& [a, b, c] = triangles[k];
      return Vector3d(doubleArea(points[a], points[b], points[c]).normalized());
    };
    const Vector3d n = normal(i);
    const double height = n.dot(points[triangles[i][0]]);
    const auto isIn = [&](int v) {
      return std::abs(n.dot(points[v]) - height) <= 2 * kFlat * size;
    };
    std::vector<std::pair<int, int>> sides;
    for (size_t k = i; k < triangles.size(); ++k) {
      if (taken[k] || !(n.dot(normal(k)) > 0) || !std::ranges::all_of(triangles[k], isIn)) continue;
      taken[k] = true;
      for (int e = 0; e < 3; ++e) sides.emplace_back(triangles[k][e], triangles[k][(e + 1) % 3]);
    }
    std::map<int, int> next;  // the border: from corner to corner
    for (const auto& [a, b] : sides) {
      if (std::ranges::find(sides, std::pair(b, a)) == sides.end()) next[a] = b;
    }
    std::vector<int>& face = faces.emplace_back();
    for (int a = next.begin()->first; face.size() < next.size(); a = next[a]) face.push_back(a);
  }
  return faces;
}

}  // namespace cardan
