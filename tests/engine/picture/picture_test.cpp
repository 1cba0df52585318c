// Pictures of runs: what a scene, a page and a .glb file say is what the result says.
#include "engine/model_file/model_source.h"
#include "engine/picture/picture_recorder.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "components/catalogue.h"
#include "engine/equations/model.h"
#include "engine/picture/gltf.h"
#include "engine/picture/page.h"
#include "engine/picture/replay.h"
#include "engine/picture/scene.h"
#include "engine/simulation.h"

namespace cardan {
namespace {

using Json = nlohmann::json;

/// A run with its picture.
struct Pictured {
  Trajectory result;
  Scene scene;
  std::string warnings;

  explicit Pictured(const std::string& text, PictureOptions options = {},
                    const SceneOptions& shown = {}) {
    Simulation s = Simulation::fromText(catalogue(), text);
    options.start = s.source().simulation.start;
    options.stop = s.source().simulation.stop;
    Diagnostics diagnostics;
    PictureRecorder recorder(s, options, diagnostics);
    diagnostics.throwIfErrors();
    TwoSinks both(result, recorder);
    RunOptions run;
    run.watch = &recorder;
    s.run(both, run);
    recorder.finish();
    scene = makeScene(recorder, shown, diagnostics);
    warnings = diagnostics.format();
  }
  size_t row(double t) const {
    size_t k = 0;
    while (result.time()[k] < t - 1e-12) ++k;
    return k;
  }
  Vector3d of(const std::string& name, double t) const {
    Vector3d v;
    for (int i = 0; i < 3; ++i) v[i] = result[name + "[" + std::to_string(i + 1) + "]"][row(t)];
    return v;
  }
};

const Scene::Item& itemOf(const Scene& s, const std::string& component, const std::string& name) {
  for (const Scene::Item& i : s.items) {
    if (s.components[i.component].name == component && i.name == name) return i;
  }
  FAIL("no shape " << component << "." << name);
  return s.items.front();
}

const char* const kPendulum = R"(
model: Double
world: {n: [0, 0, -1]}
components:
  j1: {type: Revolute, n: [0, 1, 0], phi: {start: 1, fixed: true}, w: {fixed: true}}
  b1: {type: BodyBox, r: [0.5, 0, 0], width: 0.06}
  j2: {type: Revolute, n: [0, 1, 0], phi: {fixed: true}, w: {start: 3, fixed: true}}
  b2: {type: BodyCylinder, r: [0.4, 0.1, 0], diameter: 0.05}
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, b1.frame_a]
  - [b1.frame_b, j2.frame_a]
  - [j2.frame_b, b2.frame_a]
simulation: {stop: 2, interval: 0.01}
outputs: ["*.frame_*.r_0", "*.frame_*.R.T", j1.phi]
)";
const double kTimes[] = {0, 0.33, 1, 1.57, 2};

Matrix3d matrix(const float* q) {
  Vector4<double> Q(q[0], q[1], q[2], q[3]);
  Q.normalize();
  return frames::to_T(frames::from_Q(Q, Vector3d(0, 0, 0)));
}
Matrix3d T(const Pictured& p, const std::string& frame, double t) {
  Matrix3d m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      m(i, j) = p.result[frame + ".R.T[" + std::to_string(i + 1) + "," + std::to_string(j + 1) +
                         "]"][p.row(t)];
    }
  }
  return m;
}

/// JSON and bytes of a .glb file.
struct Glb {
  Json json;
  std::string bytes;
  explicit Glb(const std::string& file) {
    const auto word = [&](size_t at) {
      std::uint32_t w = 0;
      std::memcpy(&w, file.data() + at, 4);
      return w;
    };
    REQUIRE(file.substr(0, 4) == "glTF");
    REQUIRE(word(8) == file.size());
    json = Json::parse(file.substr(20, word(12)));
    bytes = file.substr(20 + word(12) + 8);
  }
  /// Floats of an accessor.
  std::vector<float> floats(size_t accessor) const {
    const Json& a = json["accessors"][accessor];
    const Json& v = json["bufferViews"][a["bufferView"].get<size_t>()];
    const std::map<std::string, size_t> widths{{"SCALAR", 1}, {"VEC3", 3}, {"VEC4", 4}};
    std::vector<float> x(a["count"].get<size_t>() * widths.at(a["type"]));
    std::memcpy(x.data(), bytes.data() + v["byteOffset"].get<size_t>(), 4 * x.size());
    return x;
  }
  /// A track of the node with this true name.
  std::vector<float> track(const std::string& name, const std::string& path) const {
    for (const Json& c : json["animations"][0]["channels"]) {
      const Json& node = json["nodes"][c["target"]["node"].get<size_t>()];
      if (node["extras"]["name"] == name && c["target"]["path"] == path)
        return floats(json["animations"][0]["samplers"][c["sampler"].get<size_t>()]["output"]);
    }
    FAIL("no track " << name << " " << path);
    return {};
  }
  const Json& node(const std::string& name) const {
    const auto found = std::ranges::find_if(
        json["nodes"], [&](const Json& n) { return n["extras"]["name"] == name; });
    REQUIRE(found != json["nodes"].end());
    return *found;
  }
  /// The true name of the node above a node.
  std::string parent(const std::string& name) const {
    for (const Json& n : json["nodes"]) {
      for (const Json& c : n.value("children", Json::array())) {
        if (json["nodes"][c.get<size_t>()]["extras"]["name"] == name) return n["extras"]["name"];
      }
    }
    return "";
  }
};

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const size_t i = text.find(from) + from.size();
  return text.substr(i, text.find(to, i) - i);
}
std::string fromBase64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned word = 0;
  int bits = 0;
  for (const char c : text) {
    const size_t d = digits.find(c);
    if (d == std::string::npos) continue;
    word = word << 6 | static_cast<unsigned>(d);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(word >> bits & 255);
  }
  return bytes;
}

}  // namespace

TEST_CASE("Scene: every frame is where the result says, and turned so") {
  const Pictured p(kPendulum);
  for (const std::string name : {"b1.frame_a", "b2.frame_a", "j2.frame_a"}) {
    const auto f = std::ranges::find(p.scene.frames, name, &Scene::Frame::name);
    REQUIRE(f != p.scene.frames.end());
    for (const double t : kTimes) {
      const float* r = f->r.at(p.row(t));
      CHECK((p.of(name + ".r_0", t) - Vector3d(r[0], r[1], r[2])).norm() < 1e-6 * p.scene.size());
      if (name == "j2.frame_a") continue;
      CHECK((T(p, name, t) - matrix(f->q.at(p.row(t)))).norm() < 2e-6);
    }
  }
  CHECK(p.scene.up == std::array<double, 3>{0, 0, 1});
}

TEST_CASE("Scene: a box lies where its body is, and what does not move has no track") {
  const Pictured p(kPendulum);
  const Scene::Item& box = itemOf(p.scene, "b1", "shape");
  CHECK(box.r.constant());
  CHECK(box.q.constant());
  CHECK(box.scale.values == std::vector<float>{0.5F, 0.06F, 0.06F});
  CHECK(box.color.values == std::vector<float>{0, 128, 255});
  REQUIRE(box.frame >= 0);
  const Scene::Frame& f = p.scene.frames[static_cast<size_t>(box.frame)];
  CHECK(!f.q.constant());
  CHECK(f.r.constant());  // it turns about its own origin
  for (const Scene::Item& i : p.scene.items) {
    CHECK_MESSAGE((i.r.constant() && i.q.constant() && i.scale.constant()), i.name);
  }
  // The gravity arrow points down.
  const Scene::Item& arrow = itemOf(p.scene, "world", "gravityArrow");
  CHECK((matrix(arrow.q.at(0)).transpose() * Vector3d(1, 0, 0) - Vector3d(0, 0, -1)).norm() < 1e-6);
}

TEST_CASE("Scene: the letters of world's axes stand upright behind the arrows, wherever up is") {
  for (const Vector3d& n : {Vector3d(0, -1, 0), Vector3d(0, 0, -1), Vector3d(0.2, 0, -1),
                            Vector3d(0, 1, 0), Vector3d(1, 0, 0)}) {
    CAPTURE(n.transpose());
    const Pictured p(fmt::format(
        "world: {{n: [{}, {}, {}], axisLength: 2}}\ncomponents:\n  body: {{type: Body}}\n"
        "connections:\n  - [world.frame_b, body.frame_a]\nsimulation: {{stop: 1}}\n",
        n[0], n[1], n[2]));
    Vector3d up = Vector3d::Zero();
    for (int i = 0; i < 3; ++i) up[i] = std::abs(n[i]) == 1 ? -n[i] : 0;
    const auto along = [&](const std::string& stroke) -> Vector3d {
      return matrix(itemOf(p.scene, "world", stroke).q.at(0)).transpose() * Vector3d(1, 0, 0);
    };
    // The strokes of z at its foot and top are level, the long ones of x and y rise.
    CHECK(std::abs(along("z_label1").dot(up)) < 1e-6);
    CHECK(std::abs(along("z_label2").dot(up)) < 1e-6);
    CHECK(along("z_label3").dot(up) > 0.5);
    CHECK(along("x_label1").dot(up) > 0.5);
    CHECK(along("y_label1").dot(up) > 0.5);
    for (int i = 0; i < 3; ++i) {
      for (const char* stroke : {"_label1", "_label2"}) {
        const Scene::Item& item = itemOf(p.scene, "world", "xyz"[i] + std::string(stroke));
        const double begin = item.r.at(0)[i];
        const double end = begin + item.scale.at(0)[0] * along("xyz"[i] + std::string(stroke))[i];
        CHECK(std::min(begin, end) > 2);
      }
    }
  }
}

TEST_CASE("Scene: frames of one body have one track, and are where the result says") {
  const Pictured p(kPendulum);
  const double tolerance = 1e-6 * p.scene.size();
  int carried = 0, own = 0;
  for (const Scene::Frame& f : p.scene.frames) {
    CAPTURE(f.name);
    own += f.carried.base < 0 && !(f.r.constant() && f.q.constant());
    if (f.carried.base < 0) continue;
    ++carried;
    const Scene::Frame& base = p.scene.frames[static_cast<size_t>(f.carried.base)];
    CHECK(base.carried.base < 0);
    for (const double t : kTimes) {
      const size_t row = p.row(t);
      const float* r = base.r.at(row);
      const std::array<float, 4> q{float(f.carried.q_rel[0]), float(f.carried.q_rel[1]),
                                   float(f.carried.q_rel[2]), float(f.carried.q_rel[3])};
      // T takes vectors into the frame.
      const Matrix3d T_base = matrix(base.q.at(row));
      const Vector3d at =
          Vector3d(r[0], r[1], r[2]) +
          T_base.transpose() * Vector3d(f.carried.r_rel[0], f.carried.r_rel[1], f.carried.r_rel[2]);
      CHECK((p.of(f.name + ".r_0", t) - at).norm() < tolerance);
      CHECK((matrix(f.q.at(row)) - matrix(q.data()) * T_base).norm() < 2e-6);
    }
  }
  CHECK(own == 2);  // two rods
  CHECK(carried >= 1);
}

TEST_CASE("formatGlb: tracks are those of the result, with continuous quaternions") {
  const Pictured p(kPendulum);
  const Glb glb(formatGlb(p.scene));
  // j2.frame_a is the end of the first rod, at whose begin b1.frame_a turns about a point at rest.
  const Json at = glb.node("j2.frame_a")["translation"];
  const std::string rod = glb.parent("j2.frame_a");
  const std::vector<float> turn = glb.track(rod, "rotation");
  const Json& base = glb.node(rod);
  const std::vector<float> r0 = base.value("translation", std::vector<float>{0, 0, 0});
  const std::string second =
      glb.parent("b2.frame_a") == p.scene.title ? "b2.frame_a" : glb.parent("b2.frame_a");
  const std::vector<float> q = glb.track(second, "rotation");
  CHECK(q.size() == 4 * p.result.time().size());
  for (const double t : kTimes) {
    const size_t k = p.row(t);
    // T takes vectors into the frame.
    const Vector3d r = Vector3d(r0[0], r0[1], r0[2]) +
                       matrix(&turn[4 * k]).transpose() * Vector3d(at[0], at[1], at[2]);
    CHECK((p.of("j2.frame_a.r_0", t) - r).norm() < 1e-6 * p.scene.size());
    CHECK((T(p, second, t) - matrix(&q[4 * k])).norm() < 2e-6);
  }
  for (size_t k = 4; k < q.size(); k += 4) {
    double dot = 0;
    for (size_t i = 0; i < 4; ++i) dot += q[k + i] * q[k - 4 + i];
    CHECK(dot > 0.9);
  }
  // Names survive loaders that strip dots, and are unlike each other.
  std::set<std::string> names;
  for (const Json& n : glb.json["nodes"]) {
    const std::string name = n["name"];
    CHECK(name.find_first_of(".[]:/ ") == std::string::npos);
    CHECK(names.insert(name).second);
  }
  CHECK(glb.json["animations"].size() == 1);
  const std::vector<float> t = glb.floats(glb.json["animations"][0]["samplers"][0]["input"]);
  for (size_t k = 1; k < t.size(); ++k) CHECK(t[k] > t[k - 1]);
}

TEST_CASE("formatPage: the page's own numbers are those of the result, and it needs nothing else") {
  if (!canDrawPages()) {
    MESSAGE("TEST SKIPPED: built without three.js");
    return;
  }
  const Pictured p(kPendulum);
  const std::string page = formatPage(p.scene, {"j1.phi"});
  const Json data =
      Json::parse(between(page, "<script id=\"data\" type=\"application/json\">", "</script>"));
  const std::string bytes =
      fromBase64(between(page, "<script id=\"blob\" type=\"text/plain\">", "</script>"));
  const auto floats = [&](const Json& x) {
    if (x.is_array()) return x.get<std::vector<float>>();
    std::vector<float> v(x["count"].get<size_t>());
    std::memcpy(v.data(), bytes.data() + x["at"].get<size_t>(), 4 * v.size());
    return v;
  };
  bool found = false;
  for (const Json& f : data["frames"]) {
    if (f["name"] != "b2.frame_a" && f["name"] != "j2.frame_b") continue;
    if (!f.contains("r")) continue;
    found = true;
    const std::string name = f["name"];
    const std::vector<float> r = floats(f["r"]);
    for (const double t : kTimes) {
      const size_t k = p.row(t);
      CHECK(data["times"][k].get<double>() == p.result.time()[k]);
      CHECK((p.of(name + ".r_0", t) - Vector3d(r[3 * k], r[3 * k + 1], r[3 * k + 2])).norm() <
            1e-6 * p.scene.size());
    }
  }
  CHECK(found);
  for (const Json& c : data["curves"]) {
    if (c["name"] == "j1.phi") CHECK(c["shown"] == true);
  }
  for (const char* link : {"<script src", "<img", "rel=\"stylesheet\"", "href=\"http", "@import"})
    CHECK_MESSAGE(page.find(link) == std::string::npos, link);
  CHECK(page.find("Permission is hereby granted") != std::string::npos);
}

TEST_CASE("formatPage: text of a model cannot leave its place") {
  if (!canDrawPages()) return;
  std::string text = kPendulum;
  text.insert(1, "description: \"</script><script>alert(1)</script> <b>\"\n");
  const std::string page = formatPage(Pictured(text).scene, {});
  CHECK(page.find("</script><script>alert") == std::string::npos);
}

TEST_CASE("PictureRecorder: of many rows it keeps those asked for, and those at events") {
  const std::string text = R"(
model: Clock
components:
  j: {type: Revolute, useAxisFlange: true}
  m: {type: Rotational.Torque, tau: "if time < 0.3333 then 1 else -2"}
  b: {type: BodyBox, r: [0.5, 0, 0], width: 0.06}
world: {g: 0}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, b.frame_a]
  - [m.flange, j.axis]
simulation: {stop: 1, interval: 0.0001}
outputs: [j.phi]
)";
  PictureOptions options;
  options.most = 101;
  const Pictured p(text, options);
  CHECK(p.scene.times.size() >= 100);
  CHECK(p.scene.times.size() <= 110);
  REQUIRE(p.scene.events.size() == 1);
  CHECK(p.scene.events[0] == doctest::Approx(0.3333));
  CHECK(p.scene.times.front() == 0);
  CHECK(p.scene.times.back() == 1);
}

TEST_CASE("Scene: sizes that vary follow the motion") {
  const Pictured p(R"(
model: Slider
world: {n: [1, 0, 0]}
components:
  slide: {type: Prismatic, n: [1, 0, 0], s: {start: -0.2, fixed: true}, v: {fixed: true}}
  mass: {type: Body, m: 1}
  spring: {type: Spring, c: 100, s_unstretched: 0.3, numberOfWindings: 4}
  push: {type: WorldForce, force: [0, "500*time", 0]}
  anchor: {type: Fixed, r: [1, 0, 0]}
connections:
  - [world.frame_b, slide.frame_a]
  - [slide.frame_b, mass.frame_a]
  - [mass.frame_a, spring.frame_a]
  - [spring.frame_b, anchor.frame_b]
  - [push.frame_b, slide.frame_b]
simulation: {stop: 1, interval: 0.01}
outputs: [slide.s, spring.length]
)");
  const Scene::Item& box = itemOf(p.scene, "slide", "box");
  const Scene::Item& coil = itemOf(p.scene, "spring", "shape");
  const Scene::Item &line = itemOf(p.scene, "push", "arrow"),
                    &head = itemOf(p.scene, "push", "arrow.head");
  CHECK(!box.scale.constant());
  CHECK(coil.weights.width == 1);
  for (const double t : {0.0, 0.25, 0.5, 1.0}) {
    const size_t k = p.row(t);
    CHECK(box.scale.at(k)[0] == doctest::Approx(std::abs(p.result["slide.s"][k])).epsilon(1e-5));
    CHECK(coil.weights.at(k)[0] == doctest::Approx(p.result["spring.length"][k]).epsilon(1e-5));
    // 1000 N to the metre; the arrow ends at frame_b and points along the force.
    const double length = 0.5 * t;
    CHECK(line.scale.at(k)[0] + head.scale.at(k)[0] == doctest::Approx(length).epsilon(1e-5));
    const double tip = head.r.at(k)[1] + head.scale.at(k)[0];
    CHECK(std::abs(tip) < 1e-6);
  }
  const auto coilBox = p.scene.meshes[coil.mesh].box({0.7});
  CHECK(coilBox[3] == doctest::Approx(0.7).epsilon(1e-6));
}

TEST_CASE("Scene: inputs of visualizers may be expressions of the model's variables") {
  const Pictured p(R"yaml(
model: Show
components:
  j: {type: Revolute, phi: {fixed: true}, w: {start: 1, fixed: true}}
  b: {type: Body, r_CM: [0.1, 0, 0]}
  shape: {type: Visualizers.FixedShape, shapeType: sphere, length: "0.1 + 0.2*time", width: 0.3,
          color: ["255*min(time, 1)", 0, 0]}
  pipe: {type: Visualizers.PipeWithScalarField, rOuter: 0.1, length: 1, T_min: 0, T_max: 1,
         xsi: [0, 1], T: ["time", 0], n_length: 3}
world: {g: 0}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, b.frame_a]
  - [j.frame_b, shape.frame_a]
  - [world.frame_b, pipe.frame_a]
simulation: {stop: 1, interval: 0.1}
)yaml");
  const Scene::Item& shape = itemOf(p.scene, "shape", "shape");
  CHECK(shape.scale.at(0)[0] == doctest::Approx(0.1));
  CHECK(shape.scale.at(10)[0] == doctest::Approx(0.3));
  CHECK(shape.scale.at(10)[1] == doctest::Approx(0.3));
  CHECK(shape.color.at(10)[0] == doctest::Approx(255));
  const Scene::Item& pipe = itemOf(p.scene, "pipe", "pipe");
  CHECK(pipe.color.width == 9);
  // From the last colour of jet, dark red, to the first, blue.
  CHECK(pipe.color.at(10)[0] == doctest::Approx(255 * 0.5));
  CHECK(pipe.color.at(10)[1] == 0);
  CHECK(pipe.color.at(0)[2] > 100);
}

TEST_CASE("Scene: a shape whose file is not there is a box, and a warning says so") {
  const Pictured p(R"(
model: Missing
components:
  s: {type: Visualizers.FixedShape, shapeType: "modelica://Nowhere/part.stl", length: 2, width: 1, height: 1}
connections: [[world.frame_b, s.frame_a]]
simulation: {stop: 1, interval: 0.5}
)");
  CHECK(p.warnings.find("'modelica://Nowhere/part.stl' is not in the folders of MODELICAPATH") !=
        std::string::npos);
  CHECK(itemOf(p.scene, "s", "shape").scale.values == std::vector<float>{2, 1, 1});
}

TEST_CASE("PictureRecorder: nothing is shown where the world says so, or the component") {
  std::string text = kPendulum;
  text.replace(text.find("n: [0, 0, -1]"), 0, "enableAnimation: false, ");
  CHECK(Pictured(text).scene.items.empty());
  text = kPendulum;
  text.replace(text.find("type: BodyBox,"), 0, "animation: false, ");
  for (const Scene::Item& i : Pictured(text).scene.items)
    CHECK(Pictured(text).scene.components[i.component].name != "b1");
}

TEST_CASE("replay: a result shows what its run showed") {
  const Pictured p(kPendulum);
  Simulation s = Simulation::fromText(catalogue(), kPendulum);
  ResultTable table;
  table.time = p.result.time();
  Trajectory states;
  s.run(states, {.outputs = {"j1.phi", "j1.w", "j2.phi", "j2.w"}});
  for (const Column& c : states.columns()) table.add(c.name) = states[c.name];
  s.initialise();
  Diagnostics diagnostics;
  PictureOptions options;
  options.stop = 2;
  PictureRecorder recorder(s, options, diagnostics);
  replay(s, table, s.source().outputs, recorder, recorder, diagnostics);
  diagnostics.throwIfErrors();
  recorder.finish();
  const Scene again = makeScene(recorder, {}, diagnostics);
  REQUIRE(again.frames.size() == p.scene.frames.size());
  for (size_t i = 0; i < again.frames.size(); ++i) {
    REQUIRE(again.frames[i].r.values.size() == p.scene.frames[i].r.values.size());
    for (size_t k = 0; k < again.frames[i].r.values.size(); ++k)
      CHECK(std::abs(again.frames[i].r.values[k] - p.scene.frames[i].r.values[k]) < 1e-6);
  }
  ResultTable none;
  none.time = {0};
  none.add("x") = {0};
  Diagnostics missing;
  replay(s, none, {}, recorder, recorder, missing);
  CHECK(missing.format().find("the result has no 'j1.phi', 'j2.phi'") != std::string::npos);
}

TEST_CASE("picture: forces of contacts are arrows of one scale, for pages alone") {
  // Two balls at rest, one of four times the weight of the other, and one far above the floor.
  const std::string text = R"(
model: Rest
components:
  b: {type: Body, count: 3, m: "if i == 2 then 4 else 1", r_CM: [0, 0, 0], I_11: 0.01, I_22: 0.01, I_33: 0.01, r_0: {start: ["i", "if i == 3 then 5 else 0.1", 0], fixed: true}, v_0: {fixed: true}, angles_fixed: true, w_0_fixed: true}
  h: {type: Contact.SpherePlane, count: 3, radius: 0.1, restitution: 0, rigid: true}
connections:
  - {for: "i in 1:3", connect: [["b[i].frame_a", "h[i].frame_b"], [world.frame_b, "h[i].frame_a"]]}
simulation: {stop: 0.1}
)";
  const Scene scene = Pictured(text).scene;
  REQUIRE(scene.contactForces.size() == 4);  // a line and a head each
  const auto length = [&](size_t arrow) {
    return scene.contactForces[arrow].scale.at(0)[0] +
           scene.contactForces[arrow + 1].scale.at(0)[0];
  };
  CHECK(length(2) / length(0) > 2);  // cut to a third of the scene, in which the others are a sixth
  CHECK(length(2) / length(0) < 4.001);
  const Scene::Item& line = scene.contactForces[0];
  CHECK(line.r.at(0)[0] == doctest::Approx(1));
  CHECK(std::abs(line.r.at(0)[1]) < 1e-6);
  // Along its own x axis: turned up.
  const float* q = line.q.at(0);
  CHECK(2 * (q[0] * q[1] + q[2] * q[3]) == doctest::Approx(1));
  CHECK(Pictured(text, {.contactForces = false}).scene.contactForces.empty());
}

TEST_CASE("picture: the patch of a contact is the ellipse of the pressure's second moments") {
  // A box 1e-4 m deep in the floor, and one whose edge along z is, by a wedge of 0.01 m and 0.005 rad.
  const Scene scene = Pictured(R"(
model: Patches
components:
  floor: {type: Contact.Shape, shape: plane, n: [0, 1, 0]}
  box: {type: BodyBox, count: 2, r: [0.4, 0, 0], width: 0.1, height: 0.2, collide: true, r_0: {start: ["2*i", "if i == 1 then 0.0499 else 0.05*cos(0.005) - sin(0.005)*0.01", 0], fixed: true}, v_0: {fixed: true}, angles_start: [0, 0, "if i == 1 then 0 else 0.005"], angles_fixed: true, w_0_fixed: true}
connections:
  - [world.frame_b, floor.frame_a]
contacts: {}
simulation: {stop: 1e-6}
)")
                          .scene;
  REQUIRE(scene.contactForces.size() == 6);  // patches, then a line and a head each
  const auto diameters = [&](size_t patch, double x, double z) {
    const Scene::Item& item = scene.contactForces[patch];
    CHECK(item.name == "patch");
    CHECK(item.opacity < 1);
    CHECK(item.scale.at(0)[1] == doctest::Approx(std::max(x, z)).epsilon(1e-4));
    CHECK(item.scale.at(0)[2] == doctest::Approx(std::min(x, z)).epsilon(1e-4));
  };
  // Moments of an even pressure over a by b: a^2/12, b^2/12; of one that grows from 0 over a: a^2/18.
  diameters(0, 4 * 0.4 / std::sqrt(12), 4 * 0.2 / std::sqrt(12));
  diameters(1, 4 * 0.01 / std::sqrt(18), 4 * 0.2 / std::sqrt(12));
}

}  // namespace cardan
