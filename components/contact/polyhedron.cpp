#include "components/contact/polyhedron.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace cardan::contact {

namespace {

constexpr double kParallel = 1e-9;  ///< [1]  sine of directions that are one

/// With planes and edges of the faces whose corners are there.
Polyhedron finished(Polyhedron p) {
  std::map<std::pair<int, int>, bool> seen;
  for (Polyhedron::Face& f : p.faces) {
    Vector3d area = Vector3d::Zero(), middle = Vector3d::Zero();
    const int size = std::ssize(f.corners);
    for (int i = 0; i < size; ++i) {
      const int a = f.corners[i], b = f.corners[(i + 1) % size];
      area += (p.vertices[a] - p.vertices[f.corners[0]])
                  .cross(p.vertices[b] - p.vertices[f.corners[0]]);
      middle += p.vertices[a] / size;
      if (!seen.emplace(std::minmax(a, b), true).second) continue;
      p.edges.emplace_back(a, b);
      const Vector3d d = (p.vertices[b] - p.vertices[a]).normalized();
      const bool known = std::ranges::any_of(
          p.directions, [&](const Vector3d& e) { return e.cross(d).norm() < kParallel; });
      if (!known) p.directions.push_back(d);
    }
    f.n = area.normalized();
    f.c = f.n.dot(middle);
    f.o = p.vertices[f.corners[0]];
    f.e1 = (p.vertices[f.corners[1]] - f.o).normalized();
    f.e2 = f.n.cross(f.e1);
    for (int v : f.corners)
      f.places.emplace_back(f.e1.dot(p.vertices[v] - f.o), f.e2.dot(p.vertices[v] - f.o));
  }
  return p;
}

/// Triangles of a hull that grows point by point.
class GrowingHull {
 public:
  explicit GrowingHull(const std::vector<Vector3d>& points) : x_(points) {
    for (const Vector3d& p : x_) size_ = std::max(size_, (p - x_[0]).norm());
  }
  /// False where the points lie in a plane.
  bool grow() {
    if (!begin()) return false;
    for (int i = 0; i < std::ssize(x_); ++i) add(i);
    return true;
  }
  /// Triangles in one plane are one face.
  Polyhedron merged() const {
    Polyhedron p;
    std::map<int, int> index;
    std::vector<bool> taken(t_.size(), false);
    for (size_t i = 0; i < t_.size(); ++i) {
      if (taken[i]) continue;
      std::map<int, int> next;  // the border: from corner to corner
      std::vector<std::pair<int, int>> sides;
      for (size_t k = i; k < t_.size(); ++k) {
        if (taken[k] || !inPlane(t_[i], t_[k])) continue;
        taken[k] = true;
        for (int e = 0; e < 3; ++e) sides.emplace_back(t_[k].v[e], t_[k].v[(e + 1) % 3]);
      }
      for (const auto& [a, b] : sides) {
        if (std::ranges::find(sides, std::pair(b, a)) == sides.end()) next[a] = b;
      }
      Polyhedron::Face f;
      for (int a = next.begin()->first; std::ssize(f.corners) < std::ssize(next); a = next[a]) {
        const auto [at, isNew] = index.emplace(a, std::ssize(p.vertices));
        if (isNew) p.vertices.push_back(x_[a]);
        f.corners.push_back(at->second);
      }
      p.faces.push_back(std::move(f));
    }
    return finished(std::move(p));
  }

 private:
  static constexpr double kFlat = 1e-9;  ///< [1]  of the size: distance of what lies in a plane
  struct Triangle {
    int v[3];
    Vector3d n;
    double c;
  };

  Triangle triangle(int a, int b, int c) const {
    const Vector3d n = (x_[b] - x_[a]).cross(x_[c] - x_[a]).normalized();
    return {{a, b, c}, n, n.dot(x_[a])};
  }
  bool inPlane(const Triangle& a, const Triangle& b) const {
    return a.n.dot(b.n) > 0 && std::ranges::all_of(b.v, [&](int v) {
             return std::abs(a.n.dot(x_[v]) - a.c) <= 2 * kFlat * size_;
           });
  }
  /// A tetrahedron of points far from each other.
  bool begin() {
    const auto farthest = [&](auto distance) {
      int best = 0;
      for (int i = 1; i < std::ssize(x_); ++i) {
        if (distance(x_[i]) > distance(x_[best])) best = i;
      }
      return distance(x_[best]) > kFlat * size_ ? best : -1;
    };
    const int a = farthest([&](const Vector3d& p) { return (p - x_[0]).norm(); });
    if (a < 0) return false;
    const int b = farthest([&](const Vector3d& p) { return (p - x_[a]).norm(); });
    const Vector3d u = (x_[b] - x_[a]).normalized();
    const int c = farthest([&](const Vector3d& p) { return (p - x_[a]).cross(u).norm(); });
    if (c < 0) return false;
    const Vector3d n = u.cross(x_[c] - x_[a]).normalized();
    const int d = farthest([&](const Vector3d& p) { return std::abs(n.dot(p - x_[a])); });
    if (d < 0) return false;
    const Vector3d centre = (x_[a] + x_[b] + x_[c] + x_[d]) / 4;
    t_ = {triangle(a, b, c), triangle(a, b, d), triangle(a, c, d), triangle(b, c, d)};
    for (Triangle& t : t_) {
      if (t.n.dot(centre) > t.c) t = triangle(t.v[0], t.v[2], t.v[1]);
    }
    return true;
  }
  void add(int i) {
    std::vector<std::pair<int, int>> sides;
    std::vector<Triangle> left;
    for (const Triangle& t : t_) {
      if (t.n.dot(x_[i]) - t.c <= kFlat * size_) {
        left.push_back(t);
      } else {
        for (int e = 0; e < 3; ++e) sides.emplace_back(t.v[e], t.v[(e + 1) % 3]);
      }
    }
    if (sides.empty()) return;
    for (const auto& [a, b] : sides) {
      if (std::ranges::find(sides, std::pair(b, a)) == sides.end())
        left.push_back(triangle(a, b, i));
    }
    t_ = std::move(left);
  }

  const std::vector<Vector3d>& x_;
  double size_ = 0;
  std::vector<Triangle> t_;
};

}  // namespace

Polyhedron Polyhedron::halfSpace(const Vector3d& n) {
  Polyhedron p;
  p.faces.push_back({n.normalized(), 0, {}});
  return p;
}

Polyhedron Polyhedron::box(const Vector3d& size) {
  Polyhedron p;
  for (int i = 0; i < 8; ++i) {
    p.vertices.push_back(0.5 * Vector3d((i & 1) ? size[0] : -size[0], (i & 2) ? size[1] : -size[1],
                                        (i & 4) ? size[2] : -size[2]));
  }
  for (const auto& corners : {std::vector{0, 4, 6, 2},
                              {1, 3, 7, 5},
                              {0, 1, 5, 4},
                              {2, 6, 7, 3},
                              {0, 2, 3, 1},
                              {4, 5, 7, 6}}) {
    p.faces.push_back({{}, 0, corners});
  }
  return finished(std::move(p));
}

Polyhedron Polyhedron::frustum(double radius, double radiusAbove, double length, int sides) {
  std::vector<Vector3d> points;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * std::numbers::pi * i / sides;
    const Vector3d e(std::cos(angle), std::sin(angle), 0), z(0, 0, length / 2);
    points.push_back(radius * e - z);
    if (radiusAbove > 0) points.push_back(radiusAbove * e + z);
  }
  if (radiusAbove <= 0) points.emplace_back(0, 0, length / 2);
  return hull(points);
}

Polyhedron Polyhedron::hull(const std::vector<Vector3d>& points) {
  if (points.size() < 4) return {};
  GrowingHull h(points);
  return h.grow() ? h.merged() : Polyhedron{};
}

}  // namespace cardan::contact
