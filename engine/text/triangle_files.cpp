#include "engine/text/triangle_files.h"
#include "engine/text/joined.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string_view>

namespace cardan {
namespace {

using Triangles = std::vector<Triangle>;

struct Corner {
  float x = 0, y = 0, z = 0;
};

void add(Triangles& found, const Corner& a, const Corner& b, const Corner& c) {
  found.push_back({a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z});
}

float numberIn(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '+')) text.remove_prefix(1);
  float x = 0;
  std::from_chars(text.data(), text.data() + text.size(), x);
  return x;
}

Triangles parseBinaryStl(const std::string& text) {
  Triangles found;
  std::uint32_t count = 0;
  std::memcpy(&count, text.data() + 80, 4);
  for (size_t i = 0; i < count; ++i) {
    float f[12];
    std::memcpy(f, text.data() + 84 + 50 * i, sizeof f);
    found.push_back({f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11]});
  }
  return found;
}

Triangles parseTextStl(const std::string& text) {
  Triangles found;
  std::istringstream in(text);
  std::string word;
  std::vector<Corner> corners;
  while (in >> word) {
    if (word != "vertex") continue;
    std::string x, y, z;
    in >> x >> y >> z;
    corners.push_back({numberIn(x), numberIn(y), numberIn(z)});
    if (corners.size() < 3) continue;
    add(found, corners[0], corners[1], corners[2]);
    corners.clear();
  }
  return found;
}

Triangles parseStl(const std::string& text) {
  if (text.size() >= 84) {
    std::uint32_t count = 0;
    std::memcpy(&count, text.data() + 80, 4);
    if (text.size() == 84 + 50ULL * count) return parseBinaryStl(text);
  }
  return parseTextStl(text);
}

Triangles parseObj(const std::string& text) {
  Triangles found;
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
      vertices.push_back({numberIn(x), numberIn(y), numberIn(z)});
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
      for (size_t k = 2; k < face.size(); ++k) add(found, face[0], face[k - 1], face[k]);
    }
  }
  return found;
}

/// Pairs of lines: a group code and its value. A 3DFACE has its corners at 10, 20, 30 ... 13, 23, 33.
Triangles parseDxf(const std::string& text) {
  Triangles found;
  bool face = false;
  Corner c[4];
  bool has[4] = {};
  const auto flush = [&] {
    if (face && has[0] && has[1] && has[2]) {
      add(found, c[0], c[1], c[2]);
      if (has[3]) add(found, c[0], c[2], c[3]);
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
      (k < 20 ? corner.x : k < 30 ? corner.y : corner.z) = numberIn(v);
    }
  }
  flush();
  return found;
}

}  // namespace

std::vector<Triangle> trianglesIn(const std::string& text, const std::string& ending) {
  if (ending == "stl") return parseStl(text);
  if (ending == "obj") return parseObj(text);
  if (ending == "dxf") return parseDxf(text);
  return {};
}

}  // namespace cardan
