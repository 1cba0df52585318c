/// Mesh: triangles of the shapes that a picture is made of.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cardan {

/// A surface of triangles, or lines. Lengths are in metres, or in sizes of the shape (see
/// elementaryMesh).
struct Mesh {
  std::vector<float> positions;         ///< 3 a vertex
  std::vector<float> normals;           ///< 3 a vertex; none for lines
  std::vector<std::uint32_t> indices;   ///< 3 a triangle, 2 a line
  std::vector<unsigned char> colors{};  ///< RGB 0..255, 3 a vertex; none: white
  /// Displacements of all vertices by one unit of a weight, 3 a vertex.
  std::vector<std::vector<float>> targets{};
  bool lines = false;
  bool closed = false;  ///< has an inside that nobody sees

  size_t vertices() const { return positions.size() / 3; }
  /// {x_min, y_min, z_min, x_max, y_max, z_max} with the targets at `weights`.
  std::array<double, 6> box(const std::vector<double>& weights = {}) const;
};

/// Names of MSL's elementary shapes; all others are files.
bool isElementary(const std::string& shapeType);

/// A shape of length, width and height 1 along x, y and z, to be scaled by its sizes: it begins at
/// x = 0 and is centred in y and z. `extra` as in MSL. Pre: isElementary and not bySizes
Mesh elementaryMesh(const std::string& shapeType, double extra);

/// Shapes that scaling would spoil (the round ends of a beam, the wire of a spring): their vertices
/// are linear in the sizes instead.
bool bySizes(const std::string& shapeType);
/// Nothing at the origin, and a target each for length, width and height. Pre: bySizes
Mesh meshBySizes(const std::string& shapeType, double extra);

/// A grid of nu lines of nv points; `points`: 3 nu nv. `wireframe`: its lines alone.
Mesh gridMesh(int nu, int nv, const std::vector<float>& points, bool wireframe);

}  // namespace cardan
