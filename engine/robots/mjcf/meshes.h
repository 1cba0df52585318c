/// Meshes: what <asset> says of them, and the solids that they enclose.
#pragma once

#include <string>
#include <vector>

#include "engine/robots/mjcf/values.h"
#include "engine/robots/solids.h"

namespace cardan::robots::mjcf {

/// A point p of the file lies at scale (R_ref' (p - r_ref)) in the mesh's frame.
struct MeshAsset {
  std::string name, file;  ///< the file, from the folder of the robot on; "": none
  std::string builtin;     ///< the shape that the simulator makes by itself; "": none
  Pose ref;
  Vector3d scale{1, 1, 1};
  std::vector<double> vertices;  ///< in place of a file: 3 a vertex
  std::vector<double> corners;   ///< 3 a triangle; none: the hull of the vertices
  SolidKind kind = SolidKind::legacy;
  const XmlElement* element = nullptr;
};

/// Reads a <mesh> that has all attributes.
MeshAsset readMesh(const XmlElement& full, const XmlElement& element,
                   const Conventions& conventions, Diagnostics& diagnostics);

/// Its triangles in the mesh's frame [m]; none, and `why` says so, where they cannot be had. `robot`: the
/// robot's file.
std::vector<Face> facesOf(const MeshAsset& mesh, const std::string& robot, std::string& why);

}  // namespace cardan::robots::mjcf
