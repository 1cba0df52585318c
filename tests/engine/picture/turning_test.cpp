// Pictures of what turns round many times: quaternions that go on without a jump, as nothing else can
// be drawn between two of them.
#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "components/catalogue.h"
#include "engine/picture/decimation.h"
#include "engine/picture/picture_recorder.h"
#include "engine/picture/scene.h"
#include "engine/simulation.h"

namespace cardan {
namespace {

/// A wheel about an oblique axis on a carrier that turns about another, and a body that tumbles: every
/// quaternion comes by all of its signs. 0.05 s are less than a quarter turn of each.
const char* const kTurning = R"(
model: Turning
world: {g: 0}
components:
  base: {type: FixedRotation, r: [0.3, -0.2, 0.5], n: [1, 2, -1], angle: 40}
  j1: {type: Revolute, n: [1, 2, -2], phi: {start: 0.3, fixed: true}, w: {start: 5, fixed: true}}
  b1: {type: BodyBox, r: [0.5, 0.2, -0.1], width: 0.06}
  j2: {type: Revolute, n: [2, -1, 1], phi: {fixed: true}, w: {start: -7, fixed: true}}
  b2: {type: BodyCylinder, r: [0.4, 0.1, 0], diameter: 0.05}
  free: {type: BodyBox, r: [0.3, 0.1, 0.2], width: 0.2, height: 0.1, r_0: {fixed: true}, v_0: {fixed: true},
         angles_fixed: true, angles_start: [0.3, -0.2, 0.5], w_0_fixed: true, w_0_start: [4, -6, 3]}
connections:
  - [world.frame_b, base.frame_a]
  - [base.frame_b, j1.frame_a]
  - [j1.frame_b, b1.frame_a]
  - [b1.frame_b, j2.frame_a]
  - [j2.frame_b, b2.frame_a]
simulation: {stop: 6, interval: 0.05}
outputs: [j1.phi, j2.phi]
)";

Scene sceneOfTurning() {
  Simulation s = Simulation::fromText(catalogue(), kTurning);
  Diagnostics diagnostics;
  PictureOptions options;
  options.start = 0;
  options.stop = 6;
  PictureRecorder recorder(s, options, diagnostics);
  RunOptions run;
  run.watch = &recorder;
  s.run(recorder, run);
  recorder.finish();
  diagnostics.throwIfErrors();
  return makeScene(recorder, {}, diagnostics);
}

}  // namespace

TEST_CASE("Scene: quaternions of what turns round many times never flip their sign") {
  const Scene scene = sceneOfTurning();
  int moving = 0;
  for (const Scene::Frame& f : scene.frames) {
    CAPTURE(f.name);
    const auto& q = f.q.values;
    if (q.size() <= 4) continue;
    bool down = false;
    for (size_t k = 4; k < q.size(); k += 4) {
      float dot = 0;
      for (size_t i = 0; i < 4; ++i) dot += q[k + i] * q[k - 4 + i];
      CHECK(dot > 0.7F);  // cos of half a quarter turn
      down = down || q[k + 3] < -0.5F;
    }
    CHECK(down);  // the last number of a body that turns round comes to its other sign
    ++moving;
  }
  CHECK(moving >= 3);
}

TEST_CASE("decimated: of every column the first, lowest, highest and last point stay, no other") {
  // Bumps of every width up and down, and columns of a few points to many.
  std::vector<double> x, y;
  for (int i = 0; i < 4000; ++i) {
    x.push_back(0.3 + 1e-3 * i + 0.4e-3 * std::sin(1.7 * i));
    y.push_back(std::sin(0.37 * i) + 0.5 * std::sin(1.31 * i) + (i == 1234 ? 5 : 0) -
                (i == 2345 ? 7 : 0));
  }
  for (const int columns : {7, 50, 333}) {
    const double from = 0.5, to = 4.1;
    const auto points = decimated(x, y, from, to, columns);
    const auto columnOf = [&](double v) {
      return std::min(static_cast<int>((v - from) / ((to - from) / columns)), columns - 1);
    };
    std::vector<PlotPoint> expected;
    for (int c = 0; c < columns; ++c) {
      std::vector<size_t> in;
      for (size_t i = 0; i < x.size(); ++i) {
        if (x[i] >= from && x[i] <= to && columnOf(x[i]) == c) in.push_back(i);
      }
      if (in.empty()) continue;
      const auto byHeight = [&](size_t a, size_t b) { return y[a] < y[b]; };
      std::vector<size_t> kept{in.front(), *std::ranges::min_element(in, byHeight),
                               *std::ranges::max_element(in, byHeight), in.back()};
      std::ranges::sort(kept);
      kept.erase(std::ranges::unique(kept).begin(), kept.end());
      for (const size_t i : kept) expected.push_back({x[i], y[i]});
    }
    CAPTURE(columns);
    REQUIRE(points.size() == expected.size());
    double low = 0;
    for (size_t i = 0; i < points.size(); ++i) {
      CHECK(points[i].x == expected[i].x);
      CHECK(points[i].y == expected[i].y);
      low = std::min(low, points[i].y);
    }
    CHECK(low < -5);
  }
}

}  // namespace cardan
