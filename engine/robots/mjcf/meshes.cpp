#include "engine/robots/mjcf/meshes.h"

#include <filesystem>

#include "engine/robots/mesh_faces.h"

namespace cardan::robots::mjcf {

MeshAsset readMesh(const XmlElement& full, const XmlElement& element,
                   const Conventions& conventions, Diagnostics& diagnostics) {
  constexpr size_t kMost = 1'000'000;
  MeshAsset m;
  m.element = &element;
  m.builtin = textOf(full, "builtin");
  if (m.builtin == "none") m.builtin = "";
  m.name = assetName(full);
  m.file = conventions.pathOf(textOf(full, "file"));
  const std::string owner = "mesh '" + m.name + "'";
  m.scale = vector(full, "scale", m.scale, owner, diagnostics);
  m.ref.r = vector(full, "refpos", m.ref.r, owner, diagnostics);
  m.ref.R = quaternion(full, "refquat", owner, diagnostics);
  m.vertices = numbers(full, "vertex", 3, kMost, owner, diagnostics).value_or(m.vertices);
  m.corners = numbers(full, "face", 3, kMost, owner, diagnostics).value_or(m.corners);
  constexpr const char* kKinds[] = {"legacy", "exact", "convex", "shell"};
  m.kind = conventions.meshKind;
  if (const auto k = choice(full, "inertia", kKinds, diagnostics))
    m.kind = static_cast<SolidKind>(*k);
  return m;
}

std::vector<Face> facesOf(const MeshAsset& mesh, const std::string& robot, std::string& why) {
  std::vector<Face> faces;
  if (!mesh.builtin.empty()) {
    why = "the shape '" + mesh.builtin + "' is not made";
  } else if (!mesh.file.empty()) {
    if (mesh.file.find('\0') == std::string::npos)
      faces = facesInFile(std::filesystem::path(robot).parent_path() / mesh.file, why);
  } else {
    why = "mesh '" + mesh.name + "' has no triangles";
    std::vector<Vector3d> points;
    for (size_t i = 0; i + 2 < mesh.vertices.size(); i += 3)
      points.push_back(Vector3d(mesh.vertices.data() + i).cast<float>().cast<double>());
    faces = facesFrom(points, mesh.corners);
  }
  const bool isMirrored = mesh.scale.prod() < 0;
  for (Face& f : faces) {
    for (Vector3d& p : f)
      p = mesh.scale.cwiseProduct(Vector3d(mesh.ref.R.transpose() * (p - mesh.ref.r)));
    if (isMirrored) std::swap(f[1], f[2]);
  }
  return faces;
}

}  // namespace cardan::robots::mjcf
