/// Terrain: ground of triangles, of any form.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "frames/algebra.h"

namespace cardan::contact {

/// Seen from where it is free, corners go round counterclockwise.
struct Terrain {
  struct Plane {
    Vector3d n;    ///< [1]
    double c = 0;  ///< [m]  inside where n.x <= c
  };
  /// Below a triangle lies ground whose depth is that below the triangle's plane: between planes that
  /// bisect the angles to its neighbours, so that the depth is steady across edges, and down to half of
  /// the ground's thickness.
  struct Triangle {
    std::array<Vector3d, 3> corner;  ///< [m]
    Plane plane;
    std::array<Plane, 3> side;  ///< through the edge from the corner of the same index on
    double deepest = 0;         ///< [m]
  };
  std::vector<Triangle> triangles;
  Vector3d low{0, 0, 0}, high{0, 0, 0};  ///< [m]  of the bounding box

  /// Those without area are left out.
  explicit Terrain(std::vector<std::array<Vector3d, 3>> corners);

  /// Calls f(triangle) for all in bounding boxes of which meets(low, high).
  template <class Meets, class F>
  void forEachIn(Meets meets, F f) const {
    for (int i = 0; i < std::ssize(boxes_);) {
      const Box& box = boxes_[i];
      if (!meets(box.low, box.high)) {
        i = box.next;
        continue;
      }
      for (int k = box.first; k < box.end; ++k) f(triangles[k]);
      ++i;
    }
  }
  /// For all whose bounding boxes may overlap this one.
  template <class F>
  void forEachNear(const Vector3d& least, const Vector3d& most, F f) const {
    forEachIn(
        [&](const Vector3d& a, const Vector3d& b) {
          return (a.array() <= most.array()).all() && (b.array() >= least.array()).all();
        },
        f);
  }
  /// [m]  The least of distance(triangle), each from x; of those that may be the nearest alone.
  template <class F>
  double leastFrom(const Vector3d& x, F distance) const {
    double least = std::numeric_limits<double>::infinity();
    if (!boxes_.empty()) approach(x, 0, distance, least);
    return least;
  }

 private:
  /// Of a part of the triangles; the boxes of its halves follow.
  struct Box {
    Vector3d low, high;
    int next = 0;            ///< after all that is inside of this one
    int first = 0, end = 0;  ///< triangles, where it has no halves

    double distance(const Vector3d& x) const { return (x - x.cwiseMin(high).cwiseMax(low)).norm(); }
  };
  template <class F>
  void approach(const Vector3d& x, int i, F& distance, double& least) const {
    const Box& box = boxes_[i];
    if (box.distance(x) >= least) return;
    for (int k = box.first; k < box.end; ++k) least = std::min(least, distance(triangles[k]));
    if (box.end > box.first) return;
    int near = i + 1, far = boxes_[near].next;
    if (boxes_[far].distance(x) < boxes_[near].distance(x)) std::swap(near, far);
    approach(x, near, distance, least);
    approach(x, far, distance, least);
  }
  void addBoxes(int first, int end);
  void findSides();
  void findThickness();

  std::vector<Box> boxes_;
};

}  // namespace cardan::contact
