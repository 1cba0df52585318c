#include "engine/picture/mesh_file.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/picture/collada_file.h"
#include "engine/text/triangle_files.h"

namespace cardan {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = size_t{256} << 20;

/// A triangle of its own vertices, with its normal.
void addTriangle(Mesh& mesh, const Triangle& t) {
  const float u[3] = {t[3] - t[0], t[4] - t[1], t[5] - t[2]},
              v[3] = {t[6] - t[0], t[7] - t[1], t[8] - t[2]};
  float n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const float l = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (!(l > 0) || !std::isfinite(l)) return;
  for (size_t corner = 0; corner < 9; corner += 3) {
    mesh.indices.push_back(static_cast<std::uint32_t>(mesh.vertices()));
    mesh.positions.insert(mesh.positions.end(), t.begin() + corner, t.begin() + corner + 3);
    mesh.normals.insert(mesh.normals.end(), {n[0] / l, n[1] / l, n[2] / l});
  }
}

/// Where "modelica://Library/rest" is below MODELICAPATH; a library's folder may have a version
/// behind its name ("Modelica 4.0.0"). "" where it is not found.
std::string findInLibraries(const std::string& uri) {
  const std::string path = uri.substr(std::string("modelica://").size());
  const size_t slash = path.find('/');
  if (slash == std::string::npos) return "";
  const std::string library = path.substr(0, slash), rest = path.substr(slash + 1);
  const char* folders = std::getenv("MODELICAPATH");
  std::istringstream in(folders ? folders : "");
  std::string folder;
  while (std::getline(in, folder, ':')) {
    std::error_code error;
    for (const fs::directory_entry& e : fs::directory_iterator(folder, error)) {
      const std::string name = e.path().filename().string();
      if (name != library && !name.starts_with(library + " ")) continue;
      if (fs::exists(e.path() / rest, error)) return (e.path() / rest).string();
    }
  }
  return "";
}

}  // namespace

std::optional<Mesh> parseMesh(const std::string& text, const std::string& ending,
                              std::string* why) {
  Mesh mesh;
  if (ending == "dae") {
    std::string reason;
    const auto triangles = readCollada(text, reason);
    if (!triangles) {
      if (why) *why = reason;
      return std::nullopt;
    }
    for (const Triangle& t : *triangles) addTriangle(mesh, t);
  }
  for (const Triangle& t : trianglesIn(text, ending)) addTriangle(mesh, t);
  if (mesh.indices.empty()) {
    if (why) *why = "no triangles in it";
    return std::nullopt;
  }
  return mesh;
}

std::optional<Mesh> readMeshFile(const std::string& shapeType, const std::string& folder,
                                 std::string& why) {
  std::string path = shapeType;
  if (shapeType.starts_with("modelica://")) {
    path = findInLibraries(shapeType);
    if (path.empty()) {
      why = "'" + shapeType + "' is not in the folders of MODELICAPATH";
      return std::nullopt;
    }
  } else if (shapeType.starts_with("file://")) {
    path = shapeType.substr(std::string("file://").size());
  } else {
    const bool isNumber = std::ranges::all_of(path, [](char c) { return c >= '0' && c <= '9'; });
    if (isNumber) path += ".dxf";
    if (!fs::path(path).is_absolute()) path = (fs::path(folder) / path).string();
  }
  std::string ending = fs::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  if (!ending.empty()) ending.erase(0, 1);
  if (ending != "stl" && ending != "obj" && ending != "dxf" && ending != "dae") {
    why = "'" + shapeType + "' is neither an elementary shape nor a .stl, .obj, .dxf or .dae file";
    return std::nullopt;
  }
  std::error_code error;
  const auto size = fs::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) {
    why = "cannot read '" + path + "'";
    return std::nullopt;
  }
  if (size > kMostBytes) {
    why = "'" + path + "' is too large";
    return std::nullopt;
  }
  std::ostringstream text;
  text << file.rdbuf();
  std::string reason;
  auto mesh = parseMesh(text.str(), ending, &reason);
  if (!mesh) why = "cannot use '" + path + "': " + reason;
  return mesh;
}

}  // namespace cardan
