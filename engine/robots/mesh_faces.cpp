#include "engine/robots/mesh_faces.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>

#include "engine/robots/attributes.h"
#include "engine/text/triangle_files.h"

namespace cardan::robots {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = size_t{256} << 20;

/// Four sizes, then vertices, normals, places in textures, corners: MuJoCo's own format.
std::vector<Face> facesInMsh(const std::string& text) {
  std::array<std::int32_t, 4> n{};  // vertices, normals, places in textures, triangles
  if (text.size() < sizeof n) return {};
  std::memcpy(n.data(), text.data(), sizeof n);
  std::uint64_t words = 4;
  const std::array<std::uint64_t, 4> width{3, 3, 2, 3};
  for (size_t i = 0; i < 4; ++i) {
    if (n[i] < 0) return {};
    words += width[i] * static_cast<std::uint64_t>(n[i]);
  }
  if (text.size() != 4 * words) return {};
  std::vector<Vector3d> points;
  for (std::int32_t i = 0; i < n[0]; ++i) {
    float p[3];
    std::memcpy(p, text.data() + 16 + sizeof p * i, sizeof p);
    points.emplace_back(p[0], p[1], p[2]);
  }
  std::vector<double> corners;
  for (std::uint64_t w = words - 3 * n[3]; w < words; ++w) {
    std::int32_t corner = 0;
    std::memcpy(&corner, text.data() + 4 * w, sizeof corner);
    corners.push_back(corner);
  }
  return facesFrom(points, corners);
}

std::vector<Vector3d> pointsInObj(const std::string& text) {
  std::vector<Vector3d> points;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    if (!line.starts_with("v ")) continue;
    const auto p = numbersIn(line.substr(2));
    if (p && p->size() >= 3) points.push_back(Vector3d(p->data()).cast<float>().cast<double>());
  }
  return points;
}

}  // namespace

std::vector<Face> facesFrom(const std::vector<Vector3d>& points,
                            const std::vector<double>& corners) {
  if (corners.empty()) return facesAround(points);
  std::vector<Face> faces;
  for (size_t i = 0; i + 2 < corners.size(); i += 3) {
    Face& f = faces.emplace_back();
    for (size_t k = 0; k < 3; ++k) {
      const double index = corners[i + k];
      if (!(index >= 0 && index < static_cast<double>(points.size()))) return {};
      f[k] = points[static_cast<size_t>(index)];
    }
  }
  return faces;
}

std::vector<Face> facesInFile(const fs::path& path, std::string& why) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  why = "of '" + path.string() + "'";
  if (ending != ".stl" && ending != ".obj" && ending != ".msh") {
    why += " nothing is known: .stl, .obj and .msh files are read";
    return {};
  }
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kMostBytes || !file) {
    why += " nothing can be read";
    return {};
  }
  std::ostringstream text;
  text << file.rdbuf();
  why += " no triangles can be read";
  if (ending == ".msh") return facesInMsh(text.str());
  std::vector<Face> faces;
  for (const Triangle& t : trianglesIn(text.str(), ending.substr(1)))
    faces.push_back(
        {Vector3d(t[0], t[1], t[2]), Vector3d(t[3], t[4], t[5]), Vector3d(t[6], t[7], t[8])});
  // Without triangles the vertices of an OBJ file stand for their hull.
  return faces.empty() && ending == ".obj" ? facesAround(pointsInObj(text.str())) : faces;
}

}  // namespace cardan::robots
