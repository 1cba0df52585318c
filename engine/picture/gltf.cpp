#include "engine/picture/gltf.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/version.h"

namespace cardan {
namespace {

using GltfJson = nlohmann::ordered_json;

enum ComponentType { kUnsignedByte = 5121, kUnsignedInt = 5125, kFloat = 5126 };
enum Target { kNone = 0, kVertices = 34962, kIndices = 34963 };

float linear(float c) {  // from sRGB 0..255
  const float x = c / 255;
  return x <= 0.04045F ? x / 12.92F : std::pow((x + 0.055F) / 1.055F, 2.4F);
}

class GltfWriter {
 public:
  explicit GltfWriter(const Scene& scene) : scene_(scene) {}

  std::string write() {
    const std::string generator = std::string("Cardan ") + version;
    json_["asset"] = {{"version", "2.0"}, {"generator", generator}};
    json_["scene"] = 0;
    times();
    GltfJson root{{"name", unique(scene_.title.empty() ? "model" : scene_.title)},
                  {"extras", {{"name", scene_.title}, {"startTime", scene_.times.front()}}}};
    const auto turn = rootRotation();
    if (turn != std::array<double, 4>{0, 0, 0, 1}) root["rotation"] = turn;
    nodes_.push_back(std::move(root));
    std::vector<int> children;
    std::vector<int> frameNodes;
    std::map<int, std::vector<int>> below;
    for (const Scene::Frame& f : scene_.frames) {
      const int node = addNode(f.name);
      frameNodes.push_back(node);
      if (f.carried.base < 0) {
        place(node, f.r, f.q);
        children.push_back(node);
      } else {
        placeOn(node, f.carried);
        below[frameNodes[f.carried.base]].push_back(node);
      }
    }
    for (const Scene::Item& i : scene_.items) {
      const std::string component = scene_.components[i.component].name;
      const int node = addNode(component + "." + i.name);
      nodes_[node]["extras"]["component"] = component;
      place(node, i.r, i.q);
      size(node, i);
      nodes_[node]["mesh"] = mesh(i);
      if (i.frame < 0) {
        children.push_back(node);
      } else {
        below[frameNodes[i.frame]].push_back(node);
      }
    }
    if (!children.empty()) nodes_[0]["children"] = children;
    for (const auto& [parent, nodes] : below) nodes_[parent]["children"] = nodes;
    json_["scenes"] = GltfJson::array({{{"nodes", {0}}}});
    json_["nodes"] = std::move(nodes_);
    if (!meshes_.empty()) json_["meshes"] = std::move(meshes_);
    if (!materials_.empty()) json_["materials"] = std::move(materials_);
    if (!channels_.empty()) {
      json_["animations"] = GltfJson::array({{{"name", "run"},
                                              {"channels", std::move(channels_)},
                                              {"samplers", std::move(samplers_)}}});
    }
    if (!accessors_.empty()) {
      json_["accessors"] = std::move(accessors_);
      json_["bufferViews"] = std::move(views_);
      json_["buffers"] = GltfJson::array({{{"byteLength", bytes_.size()}}});
    }
    return pack();
  }

 private:
  /// Turns `up` to y.
  std::array<double, 4> rootRotation() const {
    const auto& u = scene_.up;
    const double w = 1 + u[1];
    if (w > 2 - 1e-9) return {0, 0, 0, 1};
    if (w < 1e-9) return {1, 0, 0, 0};
    // The axis u x y and half the angle between them.
    const double l = std::sqrt(u[2] * u[2] + u[0] * u[0] + w * w);
    return {-u[2] / l, 0, u[0] / l, w / l};
  }

  void times() {
    std::vector<float> t;
    for (const double x : scene_.times) {
      auto s = static_cast<float>(x - scene_.times.front());
      if (!t.empty() && s <= t.back()) s = std::nextafter(t.back(), 1e30F);
      t.push_back(s);
    }
    seconds_ = std::move(t);
  }

  /// Without dots, brackets and whatever else loaders take away; unlike all others.
  std::string unique(const std::string& name) {
    std::string plain;
    for (const char c : name) {
      const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '_' || c == '-' ||
                        static_cast<unsigned char>(c) >= 128;
      plain += kept ? c : '_';
    }
    std::string result = plain;
    for (int i = 2; !names_.insert(result).second; ++i) result = plain + "_" + std::to_string(i);
    return result;
  }
  int addNode(const std::string& name) {
    nodes_.push_back({{"name", unique(name)}, {"extras", {{"name", name}}}});
    return std::ssize(nodes_) - 1;
  }

  int view(const void* data, size_t size, int target, int stride = 0) {
    while (bytes_.size() % 4 != 0) bytes_.push_back('\0');
    GltfJson v{{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", size}};
    if (stride) v["byteStride"] = stride;
    if (target != kNone) v["target"] = target;
    bytes_.append(static_cast<const char*>(data), size);
    views_.push_back(std::move(v));
    return std::ssize(views_) - 1;
  }
  int accessor(GltfJson a) {
    accessors_.push_back(std::move(a));
    return std::ssize(accessors_) - 1;
  }
  /// `bounds`: with the smallest and largest value.
  int floats(const std::vector<float>& x, const char* type, int width, int target, bool bounds) {
    const int v = view(x.data(), x.size() * sizeof(float), target);
    GltfJson a{
        {"bufferView", v}, {"componentType", kFloat}, {"count", x.size() / width}, {"type", type}};
    if (bounds) {
      std::vector<float> low(width, INFINITY), high(low.size(), -INFINITY);
      for (size_t i = 0; i < x.size(); ++i) {
        const size_t k = i % low.size();
        low[k] = std::min(low[k], x[i]);
        high[k] = std::max(high[k], x[i]);
      }
      a["min"] = low;
      a["max"] = high;
    }
    return accessor(std::move(a));
  }

  void animate(int node, const char* path, const std::vector<float>& values, const char* type,
               int width) {
    if (input_ < 0) input_ = floats(seconds_, "SCALAR", 1, kNone, true);
    samplers_.push_back({{"input", input_},
                         {"interpolation", "LINEAR"},
                         {"output", floats(values, type, width, kNone, false)}});
    channels_.push_back(
        {{"sampler", samplers_.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  }
  void place(int node, const Track& r, const Track& q) {
    GltfJson& n = nodes_[node];
    if (!r.constant()) {
      animate(node, "translation", r.values, "VEC3", 3);
    } else if (r.values != std::vector<float>{0, 0, 0}) {
      n["translation"] = r.values;
    }
    std::vector<float> unit = q.values;
    for (size_t i = 0; i < unit.size(); i += 4) {
      double l = 0;
      for (size_t k = 0; k < 4; ++k) l += double(unit[i + k]) * unit[i + k];
      for (size_t k = 0; k < 4; ++k) unit[i + k] = static_cast<float>(unit[i + k] / std::sqrt(l));
    }
    if (!q.constant()) {
      animate(node, "rotation", unit, "VEC4", 4);
    } else if (unit != std::vector<float>{0, 0, 0, 1}) {
      n["rotation"] = unit;
    }
  }
  /// Of a frame below the one that carries it.
  void placeOn(int node, const CarriedFrame& f) {
    GltfJson& n = nodes_[node];
    if (f.r_rel != std::array<double, 3>{0, 0, 0}) n["translation"] = f.r_rel;
    if (f.q_rel != std::array<double, 4>{0, 0, 0, 1}) n["rotation"] = f.q_rel;
  }
  void size(int node, const Scene::Item& item) {
    if (!item.scale.constant()) {
      animate(node, "scale", item.scale.values, "VEC3", 3);
    } else if (item.scale.values != std::vector<float>{1, 1, 1}) {
      nodes_[node]["scale"] = item.scale.values;
    }
    const Mesh& m = scene_.meshes[item.mesh];
    if (m.targets.empty()) return;
    const float* first = item.weights.at(0);
    nodes_[node]["weights"] = std::vector<float>(first, first + m.targets.size());
    animate(node, "weights", item.weights.values, "SCALAR", 1);
  }

  int material(const Scene::Item& item, bool twoSided, bool white) {
    std::array<float, 3> c{255, 255, 255};
    if (!white) std::copy_n(item.color.values.begin(), 3, c.begin());
    const auto key = std::make_tuple(c, item.opacity, item.specular, twoSided);
    const auto [known, first] = materialOf_.try_emplace(key, materials_.size());
    if (!first) return known->second;
    GltfJson m{{"pbrMetallicRoughness",
                {{"baseColorFactor", {linear(c[0]), linear(c[1]), linear(c[2]), item.opacity}},
                 {"metallicFactor", 0},
                 {"roughnessFactor", 1 - 0.6F * item.specular}}}};
    if (twoSided) m["doubleSided"] = true;
    if (item.opacity < 1) m["alphaMode"] = "BLEND";
    materials_.push_back(std::move(m));
    return known->second;
  }

  /// Accessors of a mesh's vertices, made once.
  const GltfJson& geometry(size_t index) {
    const auto known = geometryOf_.find(index);
    if (known != geometryOf_.end()) return known->second;
    const Mesh& m = scene_.meshes[index];
    GltfJson p{{"attributes", {{"POSITION", floats(m.positions, "VEC3", 3, kVertices, true)}}}};
    if (!m.normals.empty())
      p["attributes"]["NORMAL"] = floats(m.normals, "VEC3", 3, kVertices, false);
    if (!m.colors.empty()) p["attributes"]["COLOR_0"] = colors(m.colors);
    const int v = view(m.indices.data(), m.indices.size() * 4, kIndices);
    p["indices"] = accessor({{"bufferView", v},
                             {"componentType", kUnsignedInt},
                             {"count", m.indices.size()},
                             {"type", "SCALAR"}});
    for (const std::vector<float>& t : m.targets)
      p["targets"].push_back({{"POSITION", floats(t, "VEC3", 3, kVertices, true)}});
    if (m.lines) p["mode"] = 1;
    return geometryOf_.emplace(index, std::move(p)).first->second;
  }
  int colors(const std::vector<unsigned char>& rgb) {
    std::vector<unsigned char> rgba;
    for (size_t i = 0; i < rgb.size(); i += 3) {
      for (size_t k = 0; k < 3; ++k)
        rgba.push_back(static_cast<unsigned char>(std::lround(255 * linear(rgb[i + k]))));
      rgba.push_back(255);
    }
    const int v = view(rgba.data(), rgba.size(), kVertices, 4);
    return accessor({{"bufferView", v},
                     {"componentType", kUnsignedByte},
                     {"normalized", true},
                     {"count", rgba.size() / 4},
                     {"type", "VEC4"}});
  }

  int mesh(const Scene::Item& item) {
    const Mesh& m = scene_.meshes[item.mesh];
    GltfJson p = geometry(item.mesh);
    const bool ofPoints = item.color.width > 3;
    if (ofPoints) {
      const size_t each = 3 * m.vertices() / item.color.width;
      std::vector<unsigned char> rgb;
      for (size_t v = 0; v < m.vertices(); ++v) {
        for (size_t k = 0; k < 3; ++k)
          rgb.push_back(static_cast<unsigned char>(item.color.values[3 * (v / each) + k]));
      }
      p["attributes"]["COLOR_0"] = colors(rgb);
    }
    const int look = material(item, !isClosed(m), ofPoints);
    const auto key = std::make_pair(item.mesh, look);
    if (!ofPoints) {
      if (const auto known = meshOf_.find(key); known != meshOf_.end()) return known->second;
    }
    p["material"] = look;
    meshes_.push_back({{"primitives", GltfJson::array({std::move(p)})}});
    const int index = std::ssize(meshes_) - 1;
    if (!ofPoints) meshOf_[key] = index;
    return index;
  }
  /// Elementary shapes have an outside; grids and files are seen from both sides.
  static bool isClosed(const Mesh& m) { return m.closed; }

  std::string pack() {
    std::string json = json_.dump(-1, ' ', false, GltfJson::error_handler_t::replace);
    while (json.size() % 4 != 0) json += ' ';
    while (bytes_.size() % 4 != 0) bytes_.push_back('\0');
    std::string file;
    const auto word = [&file](size_t x) {
      const auto w = static_cast<std::uint32_t>(x);
      for (int i = 0; i < 4; ++i) file.push_back(static_cast<char>(w >> (8 * i) & 255));
    };
    const size_t binary = bytes_.empty() ? 0 : 8 + bytes_.size();
    file += "glTF";
    word(2);
    word(12 + 8 + json.size() + binary);
    word(json.size());
    file += "JSON";
    file += json;
    if (binary == 0) return file;
    word(bytes_.size());
    file.append("BIN\0", 4);
    file += bytes_;
    return file;
  }

  const Scene& scene_;
  GltfJson json_;
  GltfJson nodes_ = GltfJson::array(), meshes_ = GltfJson::array(), materials_ = GltfJson::array(),
           accessors_ = GltfJson::array(), views_ = GltfJson::array(),
           samplers_ = GltfJson::array(), channels_ = GltfJson::array();
  std::string bytes_;
  std::vector<float> seconds_;
  int input_ = -1;
  std::set<std::string> names_;
  std::map<std::tuple<std::array<float, 3>, float, float, bool>, int> materialOf_;
  std::map<size_t, GltfJson> geometryOf_;
  std::map<std::pair<size_t, int>, int> meshOf_;
};

}  // namespace

std::string formatGlb(const Scene& scene) { return GltfWriter(scene).write(); }

}  // namespace cardan
