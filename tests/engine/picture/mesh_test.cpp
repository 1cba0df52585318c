// Meshes: every elementary shape fills the box that its sizes say; files of shapes are read.
#include "engine/picture/mesh.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "engine/picture/collada_file.h"
#include "engine/picture/displacement_modes.h"
#include "engine/picture/mesh_file.h"

namespace cardan {
namespace {

using Box = std::array<double, 6>;

void checkBox(const Box& found, const Box& expected, const std::string& what) {
  for (size_t i = 0; i < 6; ++i) {
    CHECK_MESSAGE(std::abs(found[i] - expected[i]) < 1e-6,
                  what << ": side " << i << " at " << found[i] << ", expected " << expected[i]);
  }
}

/// What the triangles enclose, positive where they look outwards.
double volume(const Mesh& m, const std::vector<double>& weights = {}) {
  const auto at = [&](std::uint32_t v, int k) {
    const size_t i = 3 * v + static_cast<size_t>(k);
    double x = m.positions[i];
    for (size_t t = 0; t < weights.size(); ++t) x += weights[t] * m.targets[t][i];
    return x;
  };
  double sum = 0;
  for (size_t i = 0; i < m.indices.size(); i += 3) {
    const std::uint32_t a = m.indices[i], b = m.indices[i + 1], c = m.indices[i + 2];
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3, n = (k + 2) % 3;
      sum += at(a, k) * (at(b, l) * at(c, n) - at(b, n) * at(c, l));
    }
  }
  return sum / 6;
}

}  // namespace

TEST_CASE("elementaryMesh: a shape of sizes 1 fills its box, whatever extra says") {
  const Box unit{0, -0.5, -0.5, 1, 0.5, 0.5};
  for (const char* type : {"box", "sphere", "cylinder", "pipe", "pipecylinder", "cone"}) {
    for (const double extra : {0.0, 0.3, 1.0}) {
      checkBox(elementaryMesh(type, extra).box(), unit, type + (" " + std::to_string(extra)));
    }
  }
  // The wide end of a cone is at its end where extra is more than 1.
  checkBox(elementaryMesh("cone", 2).box(), {0, -1, -1, 1, 1, 1}, "cone 2");
}

TEST_CASE("elementaryMesh: a gear's box is that of its teeth's corners") {
  for (const int teeth : {3, 8, 17, 40}) {
    double y_min = 0, y_max = 0, z_min = 0, z_max = 0;
    for (int t = 0; t < teeth; ++t) {
      for (const double share : {0.0, 0.2, 0.8}) {  // where the outline is at its tip
        const double phi = 2 * std::numbers::pi * (t + share) / teeth;
        y_min = std::min(y_min, 0.5 * std::cos(phi));
        y_max = std::max(y_max, 0.5 * std::cos(phi));
        z_min = std::min(z_min, 0.5 * std::sin(phi));
        z_max = std::max(z_max, 0.5 * std::sin(phi));
      }
    }
    checkBox(elementaryMesh("gearwheel", teeth).box(), {0, y_min, z_min, 1, y_max, z_max},
             "gear of " + std::to_string(teeth));
  }
  const Box ring = elementaryMesh("gearwheel", -40).box();
  CHECK(ring[4] <= 0.5 + 1e-6);
  CHECK(ring[4] > 0.49);
}

TEST_CASE("meshBySizes: beams have round ends beyond their length, springs end at it") {
  for (const auto& [l, w, h] : {std::array{1.0, 0.2, 0.1}, std::array{0.03, 0.4, 0.02}}) {
    checkBox(meshBySizes("beam", 0).box({l, w, h}),
             {-w / 2, -w / 2, -h / 2, l + w / 2, w / 2, h / 2}, "beam");
    for (const double windings : {1.0, 5.0, 12.0}) {
      checkBox(meshBySizes("spring", windings).box({l, w, h}), {0, -w / 2, -w / 2, l, w / 2, w / 2},
               "spring of " + std::to_string(windings));
    }
  }
}

TEST_CASE("elementaryMesh: triangles look outwards, and the volume is the shape's") {
  const double pi = std::numbers::pi;
  CHECK(volume(elementaryMesh("box", 0)) == doctest::Approx(1).epsilon(1e-6));
  CHECK(volume(elementaryMesh("sphere", 0)) == doctest::Approx(pi / 6).epsilon(0.01));
  CHECK(volume(elementaryMesh("cylinder", 0)) == doctest::Approx(pi / 4).epsilon(0.01));
  CHECK(volume(elementaryMesh("cone", 0)) == doctest::Approx(pi / 12).epsilon(0.01));
  CHECK(volume(elementaryMesh("cone", 0.5)) == doctest::Approx(pi / 12 * 1.75).epsilon(0.01));
  CHECK(volume(elementaryMesh("pipe", 0.5)) == doctest::Approx(pi / 4 * 0.75).epsilon(0.01));
  CHECK(volume(elementaryMesh("gearwheel", 20)) > 0.5);
  CHECK(volume(elementaryMesh("gearwheel", -20)) > 0.02);
  CHECK(volume(meshBySizes("beam", 0), {1, 0.2, 0.1}) ==
        doctest::Approx(0.1 * (0.2 + pi / 4 * 0.04)).epsilon(0.01));
  const double wire = 0.05, coil = 4 * pi * (0.4 - wire);  // its length, nearly
  CHECK(volume(meshBySizes("spring", 4), {1, 0.4, 2 * wire}) ==
        doctest::Approx(pi / 4 * wire * wire * coil).epsilon(0.06));
}

TEST_CASE("DisplacementModes: a wave is two of them, and every row is met") {
  const size_t n = 300, rows = 80;
  std::vector<std::vector<float>> points;
  for (size_t k = 0; k < rows; ++k) {
    std::vector<float> p;
    for (size_t i = 0; i < n; ++i) p.push_back(std::sin(0.1F * float(i) + 0.2F * float(k)));
    points.push_back(p);
  }
  const DisplacementModes m = DisplacementModes::of(points, 1e-5);
  CHECK(m.modes.size() == 2);
  for (size_t k = 0; k < rows; ++k) {
    for (size_t i = 0; i < n; ++i) {
      double x = m.base[i];
      for (size_t j = 0; j < m.modes.size(); ++j) x += m.weights[k][j] * m.modes[j][i];
      CHECK(std::abs(x - points[k][i]) < 2e-5);
    }
  }
}

TEST_CASE("parseMesh: one triangle, written in every format") {
  const Box expected{0, 0, 0, 2, 3, 0.5};
  const std::string stl =
      "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 2 0 0.5\nvertex +0 3e0 0\n"
      "endloop\nendfacet\nendsolid a\n";
  const std::string obj = "# a\nv 0 0 0\nv 2 0 0.5\nv 0 3 0\nf 1/1 2/2 -1/3\n";
  const std::string dxf =
      "0\nSECTION\n  2\nENTITIES\n  0\r\n3DFACE\r\n "
      "8\nlayer\n10\n0\n20\n0\n30\n0\n11\n2\n21\n0\n31\n"
      "0.5\n12\n0\n22\n3\n32\n0\n13\n0\n23\n3\n33\n0\n  0\nENDSEC\n  0\nEOF\n";
  std::string binary(84, '\0');
  binary[80] = 1;
  const float f[12] = {0, 0, 1, 0, 0, 0, 2, 0, 0.5F, 0, 3, 0};
  binary.append(reinterpret_cast<const char*>(f), sizeof f);
  binary.append(2, '\0');
  for (const auto& [ending, text] : {std::pair{"stl", stl}, std::pair{"stl", binary},
                                     std::pair{"obj", obj}, std::pair{"dxf", dxf}}) {
    const auto mesh = parseMesh(text, ending);
    REQUIRE(mesh);
    CHECK(mesh->indices.size() == 3);
    checkBox(mesh->box(), expected, ending);
  }
  CHECK(!parseMesh("nothing of the kind", "stl"));
  CHECK(!parseMesh(stl, "step"));
}

TEST_CASE("parseMesh: a Collada file in its unit, below its nodes, whatever it calls up") {
  if (!canReadCollada()) {
    MESSAGE("TEST SKIPPED: assimp is not installed");
    std::string why;
    CHECK(!parseMesh("", "dae", &why));
    CHECK(why.find("assimp") != std::string::npos);
    return;
  }
  const std::string text = R"xml(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="millimeter" meter="0.001"/><up_axis>Z_UP</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="a" count="12">0 0 0 2000 0 500 2000 3000 500 0 3000 0</float_array>
      <technique_common><accessor source="#a" count="4" stride="3"><param name="X" type="float"/>
      <param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common>
    </source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4</vcount>
      <p>0 1 2 3</p></polylist>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node id="n"><translate>0 0 1000</translate>
    <instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
)xml";
  const auto mesh = parseMesh(text, "dae");
  REQUIRE(mesh);
  CHECK(mesh->indices.size() == 6);  // two triangles
  checkBox(mesh->box(), {0, 0, 1, 2, 3, 1.5}, "dae");
  std::string why;
  CHECK(!parseMesh("no xml", "dae", &why));
  CHECK(!why.empty());
}

}  // namespace cardan
