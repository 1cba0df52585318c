#include "engine/picture/still.h"

#include <doctest/doctest.h>

#include <cmath>

#include "engine/picture/canvas.h"
#include "engine/picture/scene.h"
#include "frames/algebra.h"

using namespace cardan;

namespace {

/// A sphere of this diameter at `r`, moving there from the origin within a second if asked to.
Scene::Item ball(Vector3d r, float diameter, std::array<float, 3> rgb) {
  Scene::Item i;
  i.name = "ball";
  i.r.values = {float(r[0]), float(r[1]), float(r[2])};
  i.q.values = {0, 0, 0, 1};
  i.scale.values = {diameter, diameter, diameter};
  i.color.values = {rgb[0], rgb[1], rgb[2]};
  return i;
}

Scene sceneOf(std::vector<Scene::Item> items) {
  Scene s;
  s.up = {0, 0, 1};
  s.times = {0, 1};
  s.meshes = {elementaryMesh("sphere", 0)};
  s.components = {{"balls", "Shapes", {}}};
  s.items = std::move(items);
  return s;
}

std::array<int, 3> pixel(const Image& image, int x, int y) {
  const size_t i =
      3 * (static_cast<size_t>(y) * static_cast<size_t>(image.width) + static_cast<size_t>(x));
  return {image.rgb[i], image.rgb[i + 1], image.rgb[i + 2]};
}

bool isRed(const std::array<int, 3>& c) { return c[0] > 90 && c[1] < 60 && c[2] < 60; }
bool isBlue(const std::array<int, 3>& c) { return c[2] > 90 && c[0] < 60 && c[1] < 60; }

}  // namespace

TEST_CASE("Still: a ball covers the disc that its outline is") {
  // Seen along y: the mesh's sphere begins at x = 0, so its middle is at x = 1/2.
  const Image image = drawStill(sceneOf({ball({0, 0, 0}, 1, {200, 0, 0})}),
                                {.time = 0, .view = "y", .width = 400, .height = 400});
  int red = 0;
  for (int y = 0; y < 400; ++y) {
    for (int x = 0; x < 400; ++x) red += isRed(pixel(image, x, y));
  }
  // The box (edge 1) just fits: distance d from its middle with (1/2) 1.08 / tan(16 deg) + 1/2;
  // the outline of the ball is seen under asin(1/2 / d).
  const double tan = std::tan(16 * 3.14159265358979 / 180), d = 0.54 / tan + 0.5;
  const double radius = 200 / tan * std::tan(std::asin(0.5 / d));
  const double area = 3.14159265358979 * radius * radius;
  // The mesh is inscribed, and pixels on the rim are half and half: one pixel of the rim.
  CHECK(std::abs(red - area) < 2 * 3.14159265358979 * radius);
}

TEST_CASE("Still: the nearer thing is seen, whatever the order of drawing") {
  const Scene::Item near = ball({-0.5, 1, 0}, 1, {200, 0, 0});
  const Scene::Item far = ball({-0.5, -1, 0}, 1, {0, 0, 200});
  for (const Scene& s : {sceneOf({near, far}), sceneOf({far, near})}) {
    const Image image = drawStill(s, {.time = 0, .view = "y", .width = 200, .height = 200});
    CHECK(isRed(pixel(image, 100, 100)));
  }
  Scene::Item glass = near;
  glass.opacity = 0.5F;
  const Image image =
      drawStill(sceneOf({glass, far}), {.time = 0, .view = "y", .width = 200, .height = 200});
  const auto mixed = pixel(image, 100, 100);
  CHECK(mixed[0] > 50);
  CHECK(mixed[2] > 30);
}

TEST_CASE("Still: shows the time asked for, and draws the same bytes again") {
  Scene s = sceneOf({ball({0, 0, 0}, 1, {200, 0, 0}), ball({2, 0, 0}, 1, {0, 0, 200})});
  s.items[0].r.values = {0, 0, 0, 4, 0, 0};  // red passes from the left of blue to the right
  const auto at = [&](double time) {
    return drawStill(s, {.time = time, .view = "y", .width = 300, .height = 120});
  };
  const auto leftmost = [&](const Image& image) {
    for (int x = 0; x < image.width; ++x) {
      for (int y = 0; y < image.height; ++y) {
        if (isRed(pixel(image, x, y))) return 'r';
        if (isBlue(pixel(image, x, y))) return 'b';
      }
    }
    return '-';
  };
  CHECK(leftmost(at(0)) != leftmost(at(1)));
  CHECK(at(0.25).rgb == at(0.25).rgb);
  CHECK(at(0.25).rgb != at(0.3).rgb);
  CHECK(drawStill(s, {.view = "y", .width = 300, .height = 120}).rgb == at(1).rgb);
}

TEST_CASE("Still: every view draws every shape") {
  for (const std::string& view : stillViews()) {
    for (const char* const shape : {"box", "cylinder", "cone", "pipe", "gearwheel", "sphere"}) {
      Scene s = sceneOf({ball({0, 0, 0}, 1, {0, 0, 200})});
      s.meshes = {elementaryMesh(shape, 0.5)};
      const Image image = drawStill(s, {.time = 0, .view = view, .width = 90, .height = 60});
      int blue = 0;
      for (int y = 0; y < 60; ++y) {
        for (int x = 0; x < 90; ++x) blue += isBlue(pixel(image, x, y));
      }
      CHECK_MESSAGE(blue > 300, shape << " along " << view);
    }
  }
}

TEST_CASE("Still: an empty scene is an empty picture") {
  const Image image = drawStill(sceneOf({}), {.time = 0, .view = "iso", .width = 40, .height = 30});
  CHECK(image.rgb.size() == 40 * 30 * 3);
}
