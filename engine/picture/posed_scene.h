/// PosedScene: all triangles and lines of a scene at one time, where they are in the world.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/picture/scene.h"
#include "frames/algebra.h"

namespace cardan {

/// An item's surface, or its lines, resolved in world.
struct PosedItem {
  std::vector<Vector3d> positions;  ///< [m]
  std::vector<Vector3d> normals;    ///< one a vertex, of length 1; none for lines
  std::vector<Vector3d> colors;     ///< RGB 0..1; one, or one a vertex
  const std::vector<std::uint32_t>* indices = nullptr;  ///< 3 a triangle, 2 a line
  double specular = 0, opacity = 1;
  bool lines = false;
  bool closed = false;  ///< has an inside that nobody sees

  const Vector3d& color(size_t vertex) const { return colors[colors.size() > 1 ? vertex : 0]; }
};

struct PosedScene {
  std::vector<PosedItem> items;                ///< those with an extent
  Vector3d lowest{0, 0, 0}, highest{0, 0, 0};  ///< [m]  box around all of them
};

/// Between two times of the scene positions are linear and rotations turn evenly, as in a page; at
/// an event the row after it counts. `time` [s] is taken into the scene's range.
/// Pre: the scene has times
PosedScene poseAt(const Scene& scene, double time);

/// [m]  Where a frame of the scene is at a row, resolved in world.
Vector3d framePosition(const Scene& scene, int frame, size_t row);

}  // namespace cardan
