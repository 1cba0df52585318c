#include "engine/picture/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "components/world_settings.h"
#include "engine/model_file/model_source.h"
#include "engine/model_parts.h"
#include "engine/picture/displacement_modes.h"
#include "engine/picture/mesh_file.h"
#include "engine/picture/picture_recorder.h"

namespace cardan {
namespace {

constexpr double kSame = 1e-8;  // of the scene's size: no motion

Vector3d vectorAt(const float* x) { return {x[0], x[1], x[2]}; }

/// One value where all differ by less than `tolerance`.
Track folded(Track track, double tolerance) {
  const size_t w = track.width;
  for (size_t i = w; i < track.values.size(); ++i) {
    if (std::abs(double(track.values[i]) - track.values[i % w]) > tolerance) return track;
  }
  track.values.resize(w);
  return track;
}

class Maker {
 public:
  Maker(const PictureRecorder& recorder, Diagnostics& diagnostics)
      : recorder_(recorder), diagnostics_(diagnostics), rows_(recorder.rows()) {}

  Scene make(const SceneOptions& options) {
    describe();
    frames();
    for (const PictureRecorder::Item& item : recorder_.items()) {
      if (isOfContact(item)) continue;
      const size_t before = scene_.items.size();
      std::visit([&](const auto& s) { add(s); }, item.shape);
      const size_t component = componentOf(item.instance);
      for (size_t i = before; i < scene_.items.size(); ++i) {
        Scene::Item& it = scene_.items[i];
        it.component = component;
        it.frame = recorder_.place(item.place().frame) - 1;
      }
    }
    findBox();
    contactForces();
    foldAll();
    carry();
    parameters();
    curves();
    if (!options.follow.empty()) scene_.followed = recorder_.placeOf(options.follow) - 1;
    for (const std::string& t : options.trace) {
      if (const int f = recorder_.placeOf(t) - 1; f >= 0) scene_.traced.push_back(f);
    }
    return std::move(scene_);
  }

 private:
  static bool isOfContact(const PictureRecorder::Item& item) {
    const auto* arrow = std::get_if<ArrowShape>(&item.shape);
    const auto* shape = std::get_if<Shape>(&item.shape);
    return (arrow && arrow->isContactForce) || (shape && shape->isPatch);
  }
  void describe() {
    const ModelSource& m = recorder_.model().source();
    scene_.title = m.name;
    scene_.description = m.description;
    for (size_t k = 0; k < rows_; ++k) scene_.times.push_back(recorder_.time(k));
    const WorldSettings& w = recorder_.model().world();
    if (w.gravityType == GravityType::UniformGravity && !w.field) {
      const Vector3d up = -w.n.normalized();
      scene_.up = {up[0], up[1], up[2]};
    }
  }

  void frames() {
    for (size_t p = 1; p < recorder_.places(); ++p) {
      Scene::Frame f;
      f.name = recorder_.placeName(p);
      for (size_t k = 0; k < rows_; ++k) {
        const double* m = recorder_.motion(k, p);
        for (int i = 0; i < 3; ++i) f.r.values.push_back(static_cast<float>(m[i]));
        for (int i = 0; i < 4; ++i) f.q.values.push_back(static_cast<float>(m[3 + i]));
      }
      scene_.frames.push_back(std::move(f));
    }
  }

  size_t componentOf(int instance) {
    const ModelParts& all = recorder_.model();
    while (all[instance].parent >= 0) instance = all[instance].parent;
    const auto [known, first] = components_.insert({instance, scene_.components.size()});
    if (first) {
      const ModelPart i = all[instance];
      scene_.components.push_back({i.name, i.type, {}});
    }
    return known->second;
  }

  /// Where a thing is in its frame: r [m] and directions in its place.
  void put(Scene::Item& item, size_t row, const PicturePlace& place, const Vector3d& r,
           const Vector3d& x, const Vector3d& y) {
    const float* t = recorder_.value(row, place.T);
    Matrix3d T;
    for (int i = 0; i < 9; ++i) T(i / 3, i % 3) = t[i];
    const auto inFrame = frames::from_T(T, Vector3d(0, 0, 0));
    const auto R = frames::absoluteRotation(inFrame, frames::from_nxy(x, y));
    Vector4<double> guess(0, 0, 0, 1);
    if (row > 0) {
      for (int i = 0; i < 4; ++i) guess[i] = item.q.values[4 * (row - 1) + i];
    }
    const Vector4<double> Q = frames::to_Q(R, guess);
    const Vector3d at = vectorAt(recorder_.value(row, place.r)) + frames::resolve1(inFrame, r);
    for (int i = 0; i < 3; ++i) item.r.values.push_back(static_cast<float>(at[i]));
    for (int i = 0; i < 4; ++i) item.q.values.push_back(static_cast<float>(Q[i]));
  }
  void setScale(Scene::Item& item, double x, double y, double z) {
    for (const double s : {x, y, z}) item.scale.values.push_back(static_cast<float>(s));
  }
  void setLook(Scene::Item& item, const PictureValue& color, const PictureValue& specular) {
    item.color.width = color.size();
    for (size_t k = 0; k < rows_; ++k) {
      const float* c = recorder_.value(k, color);
      for (int i = 0; i < color.size(); ++i)
        item.color.values.push_back(std::clamp(c[i], 0.0F, 255.0F));
    }
    item.specular = std::clamp(*recorder_.value(0, specular), 0.0F, 1.0F);
  }

  /// The mesh of an elementary shape or of a file, made once.
  size_t mesh(const std::string& type, double extra) {
    const auto [known, first] = meshes_.insert({{type, extra, {}}, scene_.meshes.size()});
    if (!first) return known->second;
    if (isElementary(type)) {
      scene_.meshes.push_back(elementaryMesh(type, extra));
      return known->second;
    }
    const std::string file = recorder_.model().source().file;
    std::string why;
    auto mesh = readMeshFile(type, std::filesystem::path(file).parent_path().string(), why);
    if (!mesh) {
      diagnostics_.warning({}, why + ": a box is shown instead");
      mesh = elementaryMesh("box", 0);
      boxes_.insert(type);
    }
    scene_.meshes.push_back(std::move(*mesh));
    return known->second;
  }

  /// A mesh whose vertices are linear in the sizes: those that do not vary are put in.
  void shapeBySizes(Scene::Item& item, const std::string& type, double extra) {
    std::vector<Track> sizes(3);
    std::array<double, 3> fixed{};
    std::vector<size_t> varying;
    for (size_t i = 0; i < 3; ++i) {
      for (size_t k = 0; k < rows_; ++k) sizes[i].values.push_back(item.scale.values[3 * k + i]);
      sizes[i] = folded(std::move(sizes[i]), 0);
      if (sizes[i].constant()) {
        fixed[i] = sizes[i].values[0];
      } else {
        fixed[i] = std::nan("");
        varying.push_back(i);
      }
    }
    const auto key = [&](size_t i) { return std::isnan(fixed[i]) ? -1.0 : fixed[i]; };
    const auto [known, first] =
        meshes_.insert({{type, extra, {key(0), key(1), key(2)}}, scene_.meshes.size()});
    item.mesh = known->second;
    item.weights.width = std::ssize(varying);
    for (size_t k = 0; k < rows_; ++k) {
      for (const size_t i : varying) item.weights.values.push_back(sizes[i].values[k]);
    }
    item.scale.values.assign(3 * rows_, 1);
    if (!first) return;
    Mesh mesh = meshBySizes(type, extra);
    std::vector<std::vector<float>> targets;
    for (size_t i = 0; i < 3; ++i) {
      if (std::isnan(fixed[i])) {
        targets.push_back(std::move(mesh.targets[i]));
        continue;
      }
      for (size_t j = 0; j < mesh.positions.size(); ++j)
        mesh.positions[j] += static_cast<float>(fixed[i] * mesh.targets[i][j]);
    }
    mesh.targets = std::move(targets);
    scene_.meshes.push_back(std::move(mesh));
  }

  void add(const Shape& s) {
    Scene::Item item;
    item.name = s.name;
    const float extra = *recorder_.value(0, s.extra);
    const bool file = !isElementary(s.type);
    for (size_t k = 0; k < rows_; ++k) {
      const double length = *recorder_.value(k, s.length);
      Vector3d along = vectorAt(recorder_.value(k, s.lengthDirection));
      if (const double l = along.norm(); l > 0) along /= l;
      // A negative length goes the other way.
      put(item, k, s.place, vectorAt(recorder_.value(k, s.r_shape)),
          length < 0 && !file ? Vector3d(-along) : along,
          vectorAt(recorder_.value(k, s.widthDirection)));
      setScale(item, std::abs(length), std::abs(*recorder_.value(k, s.width)),
               std::abs(*recorder_.value(k, s.height)));
    }
    setLook(item, s.color, s.specular);
    if (bySizes(s.type)) {
      shapeBySizes(item, s.type, extra);
    } else {
      item.mesh = mesh(s.type, file ? 0 : extra);
      // A file's own size, unless it is to be scaled.
      if (file && extra == 0 && !boxes_.contains(s.type)) item.scale.values.assign(3 * rows_, 1);
    }
    scene_.items.push_back(std::move(item));
  }

  void add(const ArrowShape& a) {
    add(
        a, [&](size_t k) { return *recorder_.value(k, a.scale); },
        [&](size_t k) { return *recorder_.value(k, a.diameter); });
  }
  /// With its scale and its diameter at each row.
  template <class Scale, class Diameter>
  void add(const ArrowShape& a, Scale scaleAt, Diameter diameterAt) {
    const bool two = a.heads > 1;
    Scene::Item line, head, second;
    line.name = a.name;
    head.name = a.name + ".head";
    second.name = a.name + ".head2";
    Vector3d direction(1, 0, 0);
    for (size_t k = 0; k < rows_; ++k) {
      const double scale = scaleAt(k);
      Vector3d v = vectorAt(recorder_.value(k, a.r_head));
      v = scale != 0 && v.allFinite() ? Vector3d(v / scale) : Vector3d(0, 0, 0);
      const double length = v.norm(), d = std::max<double>(diameterAt(k), 0);
      if (length > 0) direction = v / length;
      Vector3d tail = vectorAt(recorder_.value(k, a.r_tail));
      if (a.headAtTail) tail -= v;
      const Vector3d across(0, 1, 0);
      const double headLength = std::min(length, d * a.headLength);
      const double lineLength = std::max(0.0, length - (two ? 1.5 : 1.0) * headLength);
      const auto part = [&](Scene::Item& item, double from, double l, double width) {
        put(item, k, a.place, tail + direction * from, direction, across);
        setScale(item, l, width, width);
      };
      part(line, 0, lineLength, d);
      part(head, lineLength, headLength, 3 * d);
      if (two) part(second, lineLength + 0.5 * headLength, headLength, 3 * d);
    }
    line.mesh = mesh("cylinder", 0);
    head.mesh = second.mesh = mesh("cone", 0);
    for (Scene::Item* item : {&line, &head, &second}) {
      if (item == &second && !two) break;
      setLook(*item, a.color, a.specular);
      scene_.items.push_back(std::move(*item));
    }
  }

  void add(const SurfaceShape& g) {
    Scene::Item item;
    item.name = g.name;
    std::vector<std::vector<float>> points;
    double largest = 0;
    const bool moves = !g.points.isConstant() &&
                       recorder_.value(0, g.points) != recorder_.value(rows_ - 1, g.points);
    for (size_t k = 0; k < rows_; ++k) {
      put(item, k, g.place, Vector3d(0, 0, 0), {1, 0, 0}, {0, 1, 0});
      if (k > 0 && !moves) continue;
      const float* p = recorder_.value(k, g.points);
      points.emplace_back(p, p + g.points.size());
      for (const float x : points.back()) largest = std::max(largest, double(std::abs(x)));
    }
    item.scale.values.assign(3 * rows_, 1);
    setLook(item, g.color, g.specular);
    item.opacity = 1 - std::clamp(*recorder_.value(0, g.transparency), 0.0F, 1.0F);
    DisplacementModes modes = DisplacementModes::of(points, 1e-6 * largest);
    Mesh mesh = gridMesh(g.nu, g.nv, modes.base, g.wireframe);
    if (!modes.modes.empty()) {
      mesh.targets = std::move(modes.modes);
      item.weights.width = std::ssize(mesh.targets);
      for (const std::vector<float>& w : modes.weights)
        item.weights.values.insert(item.weights.values.end(), w.begin(), w.end());
    }
    item.mesh = scene_.meshes.size();
    scene_.meshes.push_back(std::move(mesh));
    scene_.items.push_back(std::move(item));
  }

  bool isEver(const PictureValue& v) const {
    for (size_t k = 0; k < rows_; ++k) {
      if (*recorder_.value(k, v) != 0) return true;
    }
    return false;
  }

  /// Arrows of one scale for all: three of four forces are no longer than a sixth of the scene, and none
  /// is longer than a third of it.
  void contactForces() {
    std::vector<const ArrowShape*> arrows;
    std::vector<double> sizes;
    for (const PictureRecorder::Item& item : recorder_.items()) {
      const auto* a = std::get_if<ArrowShape>(&item.shape);
      if (!a || !a->isContactForce) continue;
      const size_t before = sizes.size();
      for (size_t k = 0; k < rows_; ++k) {
        if (const double f = vectorAt(recorder_.value(k, a->r_head)).norm(); f > 0)
          sizes.push_back(f);
      }
      if (sizes.size() > before) arrows.push_back(a);
    }
    if (arrows.empty()) return;
    const auto usual = sizes.begin() + std::ssize(sizes) * 3 / 4;
    std::ranges::nth_element(sizes, usual);
    double extent = 0;
    for (size_t i = 0; i < 3; ++i)
      extent = std::hypot(extent, scene_.highest[i] - scene_.lowest[i]);
    const double perMetre = *usual / (extent / 6);
    std::vector<Scene::Item> shown = std::exchange(scene_.items, {});
    for (const PictureRecorder::Item& item : recorder_.items()) {
      const auto* s = std::get_if<Shape>(&item.shape);
      if (!s || !s->isPatch || !isEver(s->width)) continue;
      add(*s);
      scene_.items.back().opacity = 0.6F;
    }
    for (const ArrowShape* a : arrows) {
      add(
          *a,
          [&](size_t k) {
            const double f = vectorAt(recorder_.value(k, a->r_head)).norm();
            return std::max(perMetre, f / (extent / 3));
          },
          [&](size_t) { return extent / 250; });
    }
    scene_.contactForces = std::exchange(scene_.items, std::move(shown));
  }

  /// All that is shown, at some of the times, by the corners of boxes.
  void findBox() {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    scene_.lowest.fill(kFar);
    scene_.highest.fill(-kFar);
    std::map<size_t, std::array<double, 6>> boxes;
    const size_t step = std::max<size_t>(1, rows_ / 50);
    const auto take = [&](const Vector3d& p) {
      if (!p.allFinite()) return;
      for (size_t i = 0; i < 3; ++i) {
        const double x = p[i];
        scene_.lowest[i] = std::min(scene_.lowest[i], x);
        scene_.highest[i] = std::max(scene_.highest[i], x);
      }
    };
    for (const Scene::Item& item : scene_.items) {
      const Mesh& mesh = scene_.meshes[item.mesh];
      const bool fixedBox = mesh.targets.empty();
      if (fixedBox && !boxes.contains(item.mesh)) boxes[item.mesh] = mesh.box();
      for (size_t k = 0; k < rows_; k += step) {
        std::array<double, 6> box{};
        if (fixedBox) {
          box = boxes[item.mesh];
        } else {
          const float* w = item.weights.at(k);
          box = mesh.box({w, w + item.weights.width});
        }
        const float* s = item.scale.at(k);
        if (s[0] * s[1] * s[2] == 0) continue;
        const auto R = quaternion(item.q.at(k));
        const Vector3d r = vectorAt(item.r.at(k));
        for (int corner = 0; corner < 8; ++corner) {
          Vector3d p;
          for (int i = 0; i < 3; ++i) p[i] = s[i] * box[i + (corner >> i & 1 ? 3 : 0)];
          p = r + frames::resolve1(R, p);
          if (item.frame >= 0) {
            const Scene::Frame& f = scene_.frames[item.frame];
            p = vectorAt(f.r.at(k)) + frames::resolve1(quaternion(f.q.at(k)), p);
          }
          take(p);
        }
      }
    }
    for (const Scene::Frame& f : scene_.frames) take(vectorAt(f.r.at(0)));
    if (!(scene_.lowest[0] <= scene_.highest[0])) {
      scene_.lowest.fill(-1);
      scene_.highest.fill(1);
    }
  }
  static frames::Orientation<double> quaternion(const float* q) {
    Vector4<double> Q(q[0], q[1], q[2], q[3]);
    Q.normalize();
    return frames::from_Q(Q, Vector3d(0, 0, 0));
  }

  void foldAll() {
    const double length = kSame * scene_.size();
    for (Scene::Frame& f : scene_.frames) {
      f.r = folded(std::move(f.r), length);
      f.q = folded(std::move(f.q), 1e-7);
    }
    for (auto* items : {&scene_.items, &scene_.contactForces}) {
      for (Scene::Item& i : *items) {
        i.r = folded(std::move(i.r), length);
        i.q = folded(std::move(i.q), 1e-7);
        i.scale = folded(std::move(i.scale), length);
        i.color = folded(std::move(i.color), 0.5);
      }
    }
  }

  void carry() {
    std::vector<bool> moves;
    for (const Scene::Frame& f : scene_.frames) moves.push_back(!f.r.constant() || !f.q.constant());
    const std::vector<CarriedFrame> carried = carriedFrames(recorder_, moves, scene_.size());
    for (size_t p = 0; p < carried.size(); ++p) scene_.frames[p].carried = carried[p];
  }

  /// Values of the components' parameters, as a user would write them.
  void parameters() {
    std::map<std::string, size_t, std::less<>> byName;
    for (size_t i = 0; i < scene_.components.size(); ++i) byName[scene_.components[i].name] = i;
    const auto add = [&](const std::string& name, const ExpressionValue& value) {
      // The longest component name that it begins with.
      for (size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0;
           dot = name.rfind('.', dot - 1)) {
        const auto c = byName.find(name.substr(0, dot));
        if (c == byName.end()) continue;
        auto& list = scene_.components[c->second].parameters;
        if (value.elements().size() <= 16) list.emplace_back(name.substr(dot + 1), text(value));
        break;
      }
    };
    for (const auto& [name, value] : recorder_.model().parameters()) add(name, value);
  }
  static std::string text(const ExpressionValue& v) {
    if (v.isString()) return v.string();
    const auto one = [&](double x) {
      if (v.type() == ValueType::boolean) return std::string(x != 0 ? "true" : "false");
      return fmt::format("{:.6g}", x);
    };
    if (v.shape().isScalar()) return one(v.elements()[0]);
    std::string list;
    for (const double x : v.elements()) list += (list.empty() ? "[" : ", ") + one(x);
    return (list.empty() ? "[" : list) + "]";
  }

  void curves() {
    const auto& columns = recorder_.columns();
    for (size_t c = 0; c < columns.size(); ++c) {
      Scene::Curve curve{.name = columns[c].name,
                         .unit = columns[c].unit,
                         .description = columns[c].description,
                         .values = {}};
      for (size_t k = 0; k < rows_; ++k) curve.values.push_back(recorder_.curve(k, c));
      scene_.curves.push_back(std::move(curve));
    }
    for (size_t k = 1; k < rows_; ++k) {
      const double t = scene_.times[k];
      if (t == scene_.times[k - 1] && (scene_.events.empty() || scene_.events.back() != t))
        scene_.events.push_back(t);
    }
  }

  const PictureRecorder& recorder_;
  Diagnostics& diagnostics_;
  size_t rows_;
  Scene scene_;
  std::map<int, size_t> components_;  ///< by instance
  std::map<std::tuple<std::string, double, std::array<double, 3>>, size_t> meshes_;
  std::set<std::string> boxes_;  ///< files that are not there
};

}  // namespace

double Scene::size() const {
  double s = 0;
  for (size_t i = 0; i < 3; ++i)
    s = std::max({s, highest[i] - lowest[i], std::abs(highest[i]), std::abs(lowest[i])});
  return s;
}

Scene makeScene(const PictureRecorder& recorder, const SceneOptions& options,
                Diagnostics& diagnostics) {
  return Maker(recorder, diagnostics).make(options);
}

}  // namespace cardan
