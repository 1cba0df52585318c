#include "engine/picture/mesh_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "engine/picture/collada_file.h"

namespace cardan {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = size_t{256} << 20;

struct Corner {
  float x = 0, y = 0, z = 0;
};

/// A triangle of its own vertices, with its normal.
void addTriangle(Mesh& mesh, const Corner& a, const Corner& b, const Corner& c) {
  const float u[3] = {b.x - a.x, b.y - a.y, b.z - a.z}, v[3] = {c.x - a.x, c.y - a.y, c.z - a.z};
  float n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const float l = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (!(l > 0) || !std::isfinite(l)) return;
  for (const Corner& p : {a, b, c}) {
    mesh.indices.push_back(static_cast<std::uint32_t>(mesh.vertices()));
    mesh.positions.insert(mesh.positions.end(), {p.x, p.y, p.z});
    mesh.normals.insert(mesh.normals.end(), {n[0] / l, n[1] / l, n[2] / l});
  }
}

float number(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '+')) text.remove_prefix(1);
  float x = 0;
  std::from_chars(text.data(), text.data() + text.size(), x);
  return x;
}

Mesh parseBinaryStl(const std::string& text) {
  Mesh mesh;
  std::uint32_t count = 0;
  std::memcpy(&count, text.data() + 80, 4);
  for (size_t i = 0; i < count; ++i) {
    float f[12];
    std::memcpy(f, text.data() + 84 + 50 * i, sizeof f);
    addTriangle(mesh, {f[3], f[4], f[5]}, {f[6], f[7], f[8]}, {f[9], f[10], f[11]});
  }
  return mesh;
}

Mesh parseTextStl(const std::string& text) {
  Mesh mesh;
  std::istringstream in(text);
  std::string word;
  std::vector<Corner> corners;
  while (in >> word) {
    if (word != "vertex") continue;
    std::string x, y, z;
    in >> x >> y >> z;
    corners.push_back({number(x), number(y), number(z)});
    if (corners.size() < 3) continue;
    addTriangle(mesh, corners[0], corners[1], corners[2]);
    corners.clear();
  }
  return mesh;
}

Mesh parseStl(const std::string& text) {
  if (text.size() >= 84) {
    std::uint32_t count = 0;
    std::memcpy(&count, text.data() + 80, 4);
    if (text.size() == 84 + 50ULL * count) return parseBinaryStl(text);
  }
  return parseTextStl(text);
}

Mesh parseObj(const std::string& text) {
  Mesh mesh;
  std::vector<Corner> vertices;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream in(line);
    std::string key;
    in >> key;
    if (key == "v") {
      std::string x, y, z;
      in >> x >> y >> z;
      vertices.push_back({number(x), number(y), number(z)});
    } else if (key == "f") {
      std::vector<Corner> face;
      std::string word;
      while (in >> word) {
        long i = 0;
        std::from_chars(word.data(), word.data() + word.size(), i);
        if (i < 0) i += std::ssize(vertices) + 1;
        if (i < 1 || i > std::ssize(vertices)) continue;
        face.push_back(vertices[i - 1]);
      }
      for (size_t k = 2; k < face.size(); ++k) addTriangle(mesh, face[0], face[k - 1], face[k]);
    }
  }
  return mesh;
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r'))
    s.remove_suffix(1);
  return s;
}

/// Pairs of lines: a group code and its value. A 3DFACE has its corners at 10, 20, 30 ... 13, 23, 33.
Mesh parseDxf(const std::string& text) {
  Mesh mesh;
  bool face = false;
  Corner c[4];
  bool has[4] = {};
  const auto flush = [&] {
    if (face && has[0] && has[1] && has[2]) {
      addTriangle(mesh, c[0], c[1], c[2]);
      if (has[3]) addTriangle(mesh, c[0], c[2], c[3]);
    }
    face = false;
    std::fill(std::begin(has), std::end(has), false);
  };
  std::istringstream in(text);
  std::string codeLine, value;
  while (std::getline(in, codeLine) && std::getline(in, value)) {
    const std::string_view code = trimmed(codeLine), v = trimmed(value);
    int k = -1;
    std::from_chars(code.data(), code.data() + code.size(), k);
    if (k == 0) {
      flush();
      face = v == "3DFACE";
    } else if (face && k >= 10 && k < 40 && k % 10 < 4) {
      Corner& corner = c[k % 10];
      has[k % 10] = true;
      (k < 20 ? corner.x : k < 30 ? corner.y : corner.z) = number(v);
    }
  }
  flush();
  return mesh;
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
    for (const auto& t : *triangles)
      addTriangle(mesh, {t[0], t[1], t[2]}, {t[3], t[4], t[5]}, {t[6], t[7], t[8]});
  }
  if (ending == "stl") mesh = parseStl(text);
  if (ending == "obj") mesh = parseObj(text);
  if (ending == "dxf") mesh = parseDxf(text);
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
