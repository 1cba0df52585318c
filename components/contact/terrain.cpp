#include "components/contact/terrain.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace cardan::contact {

namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

/// [m]  Along a ray, of unit direction, to a triangle's inside or back; infinite where it misses it.
double distanceAlong(const Vector3d& from, const Vector3d& along, const Terrain::Triangle& t) {
  const double rate = t.plane.n.dot(along);
  if (!(rate > 0)) return kEndless;
  const double s = (t.plane.c - t.plane.n.dot(from)) / rate;
  if (!(s > 0)) return kEndless;
  const Vector3d p = from + s * along;
  for (int k = 0; k < 3; ++k) {
    const Vector3d &a = t.corner[k], &b = t.corner[(k + 1) % 3];
    if ((b - a).cross(p - a).dot(t.plane.n) < 0) return kEndless;
  }
  return s;
}

}  // namespace

Terrain::Terrain(std::vector<std::array<Vector3d, 3>> corners) {
  for (const auto& c : corners) {
    const Vector3d area = (c[1] - c[0]).cross(c[2] - c[0]);
    if (!(area.norm() > 0)) continue;
    Triangle t;
    t.corner = c;
    t.plane.n = area.normalized();
    t.plane.c = t.plane.n.dot(c[0] + c[1] + c[2]) / 3;
    triangles.push_back(t);
  }
  if (triangles.empty()) return;
  addBoxes(0, std::ssize(triangles));
  low = boxes_[0].low;
  high = boxes_[0].high;
  findSides();
  findThickness();
}

void Terrain::addBoxes(int first, int end) {
  constexpr int kFew = 4;
  const int own = std::ssize(boxes_);
  Box box{Vector3d::Constant(kEndless), Vector3d::Constant(-kEndless)};
  for (int i = first; i < end; ++i) {
    for (const Vector3d& p : triangles[i].corner) {
      box.low = box.low.cwiseMin(p);
      box.high = box.high.cwiseMax(p);
    }
  }
  if (end - first <= kFew) {
    box.first = first;
    box.end = end;
  }
  boxes_.push_back(box);
  if (end - first > kFew) {
    Eigen::Index axis = 0;
    (box.high - box.low).maxCoeff(&axis);
    const auto place = [axis](const Triangle& t) {
      return t.corner[0][axis] + t.corner[1][axis] + t.corner[2][axis];
    };
    const int middle = (first + end) / 2;
    std::ranges::nth_element(triangles.begin() + first, triangles.begin() + middle,
                             triangles.begin() + end, {}, place);
    addBoxes(first, middle);
    addBoxes(middle, end);
  }
  boxes_[own].next = std::ssize(boxes_);
}

/// A neighbour has the same edge the other way round; at a rim, or where several would be, the plane is
/// upright.
void Terrain::findSides() {
  using Point = std::array<double, 3>;
  const auto key = [](const Vector3d& p) { return Point{p[0] + 0.0, p[1] + 0.0, p[2] + 0.0}; };
  std::map<std::pair<Point, Point>, int> byEdge;
  for (int i = 0; i < std::ssize(triangles); ++i) {
    for (int k = 0; k < 3; ++k) {
      const auto& c = triangles[i].corner;
      const auto [at, isNew] = byEdge.try_emplace({key(c[k]), key(c[(k + 1) % 3])}, i);
      if (!isNew) at->second = -1;
    }
  }
  for (Triangle& t : triangles) {
    for (int k = 0; k < 3; ++k) {
      const Vector3d &a = t.corner[k], &b = t.corner[(k + 1) % 3];
      const auto other = byEdge.find({key(b), key(a)});
      Vector3d up = t.plane.n;
      if (other != byEdge.end() && other->second >= 0) up += triangles[other->second].plane.n;
      if (!(up.norm() > 1e-6)) up = t.plane.n;
      t.side[k].n = (b - a).cross(up).normalized();
      t.side[k].c = t.side[k].n.dot(a);
    }
  }
}

/// As it is below the middle and near the corners.
void Terrain::findThickness() {
  constexpr double kInside = 0.05;  // of the way from a corner to the middle
  for (Triangle& t : triangles) {
    const Vector3d middle = (t.corner[0] + t.corner[1] + t.corner[2]) / 3;
    double least = kEndless;
    const auto look = [&](const Vector3d& from) {
      const auto meets = [&](const Vector3d& a, const Vector3d& b) {
        double begin = 0, end = least;
        for (int i = 0; i < 3; ++i) {
          const double rate = -t.plane.n[i];
          if (rate == 0 && (from[i] < a[i] || from[i] > b[i])) return false;
          if (rate == 0) continue;
          const double u = (a[i] - from[i]) / rate, v = (b[i] - from[i]) / rate;
          begin = std::max(begin, std::min(u, v));
          end = std::min(end, std::max(u, v));
        }
        return begin <= end;
      };
      forEachIn(meets, [&](const Triangle& other) {
        if (&other != &t) least = std::min(least, distanceAlong(from, -t.plane.n, other));
      });
    };
    look(middle);
    for (const Vector3d& c : t.corner) look(c + kInside * (middle - c));
    t.deepest = least / 2;
  }
}

}  // namespace cardan::contact
