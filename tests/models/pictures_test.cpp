// Pictures of all models that ship, and of the regression's: complete, finite, and glTF that holds
// together.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "components/catalogue.h"
#include "engine/equations/model.h"
#include "engine/integration/solver_error.h"
#include "engine/model_file/model_source.h"
#include "engine/picture/gltf.h"
#include "engine/picture/picture_recorder.h"
#include "engine/picture/scene.h"
#include "engine/simulation.h"

namespace cardan {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::vector<std::string> allModels() {
  std::vector<std::string> models;
  for (const char* folder : {"models", "tests/regression/models"}) {
    for (const auto& e : fs::recursive_directory_iterator(fs::path(CARDAN_SOURCE_DIR) / folder)) {
      const bool study = e.path().parent_path().filename() == "studies";
      if (e.path().extension() == ".yaml" && !study) models.push_back(e.path().string());
    }
  }
  std::ranges::sort(models);
  return models;
}

/// The first hundred frames of a model's run.
Scene sceneOf(const std::string& path) {
  Simulation s(catalogue(), path);
  if (s.source().isLibrary()) return {};
  const SimulationSettings& file = s.source().simulation;
  PictureOptions options;
  options.start = file.start;
  options.stop = file.start + 0.2 * (file.stop - file.start);
  options.most = 100;
  Diagnostics diagnostics;
  PictureRecorder recorder(s, options, diagnostics);
  RunOptions run;
  run.stopTime = options.stop;
  run.watch = &recorder;
  s.run(recorder, run);
  recorder.finish();
  return makeScene(recorder, {}, diagnostics);
}

void checkTrack(const Track& t, size_t rows, const std::string& what) {
  const size_t n = t.values.size();
  const auto width = static_cast<size_t>(t.width);
  CHECK_MESSAGE((n == width || n == width * rows), what);
  CHECK_MESSAGE(std::ranges::all_of(t.values, [](float x) { return std::isfinite(x); }), what);
}

void checkScene(const Scene& s, const std::string& name) {
  const size_t rows = s.times.size();
  for (const Scene::Frame& f : s.frames) {
    checkTrack(f.r, rows, name + " " + f.name);
    checkTrack(f.q, rows, name + " " + f.name);
  }
  for (const Scene::Item& i : s.items) {
    const std::string what = name + " " + s.components[i.component].name + "." + i.name;
    for (const Track* t : {&i.r, &i.q, &i.scale, &i.color}) checkTrack(*t, rows, what);
    CHECK_MESSAGE(i.mesh < s.meshes.size(), what);
    const size_t targets = s.meshes[i.mesh].targets.size();
    CHECK_MESSAGE(i.weights.values.size() == targets * (targets > 0 ? rows : 0), what);
    for (size_t k = 0; k < i.q.values.size(); k += 4) {
      double square = 0;
      for (size_t j = 0; j < 4; ++j) square += double(i.q.values[k + j]) * i.q.values[k + j];
      CHECK_MESSAGE(std::abs(square - 1) < 1e-5, what);
    }
  }
  for (const Mesh& m : s.meshes) {
    CHECK_MESSAGE(!m.indices.empty(), name);
    CHECK_MESSAGE(*std::ranges::max_element(m.indices) < m.vertices(), name);
    CHECK_MESSAGE((m.lines || m.normals.size() == m.positions.size()), name);
  }
}

void checkGlb(const std::string& file, const std::string& name) {
  const auto word = [&](size_t at) {
    std::uint32_t w = 0;
    std::memcpy(&w, file.data() + at, 4);
    return w;
  };
  REQUIRE(file.size() % 4 == 0);
  CHECK(word(8) == file.size());
  const Json j = Json::parse(file.substr(20, word(12)));
  const size_t bytes = j.contains("buffers") ? j["buffers"][0]["byteLength"].get<size_t>() : 0;
  const std::map<int, size_t> sizes{{5121, 1}, {5125, 4}, {5126, 4}};
  const std::map<std::string, size_t> widths{{"SCALAR", 1}, {"VEC3", 3}, {"VEC4", 4}};
  for (const Json& a : j.value("accessors", Json::array())) {
    const Json& v = j["bufferViews"][a["bufferView"].get<size_t>()];
    const size_t need =
        a["count"].get<size_t>() * widths.at(a["type"]) * sizes.at(a["componentType"]);
    CHECK_MESSAGE(need <= v["byteLength"].get<size_t>(), name);
    CHECK_MESSAGE(v["byteOffset"].get<size_t>() + v["byteLength"].get<size_t>() <= bytes, name);
    CHECK_MESSAGE(v["byteOffset"].get<size_t>() % 4 == 0, name);
  }
  std::set<size_t> children;
  for (const Json& n : j["nodes"]) {
    for (const Json& c : n.value("children", Json::array())) {
      CHECK_MESSAGE(children.insert(c.get<size_t>()).second, name << ": one parent a node");
    }
  }
  CHECK_MESSAGE(children.size() + 1 == j["nodes"].size(), name);
  CHECK_MESSAGE(j.value("animations", Json::array()).size() <= 1, name);
}

}  // namespace

TEST_CASE("pictures: of every model that ships are complete, and valid glTF") {
  for (const std::string& path : allModels()) {
    const std::string name = fs::path(path).stem().string();
    const Scene scene = sceneOf(path);
    if (scene.times.empty()) continue;
    checkScene(scene, name);
    checkGlb(formatGlb(scene), name);
  }
}

}  // namespace cardan
