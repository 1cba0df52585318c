#include "components/contact/polyhedron.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "components/convex_hull.h"

namespace cardan::contact {

namespace {

constexpr double kParallel = 1e-9;  ///< [1]  sine of directions that are one

/// With planes and edges of the faces whose corners are there.
Polyhedron finished(Polyhedron p) {
  std::map<std::pair<int, int>, size_t> known;
  for (int i_f = 0; i_f < std::ssize(p.faces); ++i_f) {
    Polyhedron::Face& f = p.faces[i_f];
    Vector3d area = Vector3d::Zero(), middle = Vector3d::Zero();
    const int size = std::ssize(f.corners);
    for (int i = 0; i < size; ++i) {
      const int a = f.corners[i], b = f.corners[(i + 1) % size];
      area += (p.vertices[a] - p.vertices[f.corners[0]])
                  .cross(p.vertices[b] - p.vertices[f.corners[0]]);
      middle += p.vertices[a] / size;
      const auto [edge, isNew] = known.emplace(std::minmax(a, b), p.edges.size());
      if (!isNew) {
        p.edges[edge->second].right = i_f;
        continue;
      }
      const Vector3d along = p.vertices[b] - p.vertices[a], d = along.normalized();
      p.edges.push_back({p.vertices[a], d, along.norm(), i_f});
      const bool isKnown = std::ranges::any_of(
          p.directions, [&](const Vector3d& e) { return e.cross(d).norm() < kParallel; });
      if (!isKnown) p.directions.push_back(d);
    }
    f.n = area.normalized();
    f.c = f.n.dot(middle);
    f.o = p.vertices[f.corners[0]];
    f.e1 = (p.vertices[f.corners[1]] - f.o).normalized();
    f.e2 = f.n.cross(f.e1);
    for (int i = 0; i < size; ++i) {
      const Vector3d &v = p.vertices[f.corners[i]], &next = p.vertices[f.corners[(i + 1) % size]];
      f.places.emplace_back(f.e1.dot(v - f.o), f.e2.dot(v - f.o));
      f.m.push_back((next - v).cross(f.n).normalized());
      f.d.push_back(f.m.back().dot(v));
    }
  }
  return p;
}

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
  const ConvexHull hull = convexHull(points);
  Polyhedron p;
  std::map<int, int> index;
  for (const std::vector<int>& corners : hull.faces()) {
    Face& f = p.faces.emplace_back();
    for (const int v : corners) {
      const auto [at, isNew] = index.emplace(v, std::ssize(p.vertices));
      if (isNew) p.vertices.push_back(hull.points[v]);
      f.corners.push_back(at->second);
    }
  }
  return finished(std::move(p));
}

}  // namespace cardan::contact
