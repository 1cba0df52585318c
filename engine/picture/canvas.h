/// Canvas: triangles and lines drawn into an image, the nearest ones seen.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "frames/algebra.h"

namespace cardan {

/// A point of a surface where it is drawn.
struct CanvasPoint {
  double x = 0, y = 0;  ///< [pixels]  to the right and down
  double depth = 0;     ///< the larger, the nearer; linear along the image
  double inverse = 1;   ///< 1 / distance from the eye, for what varies along the surface
};

/// Colours (RGB 0..1) and depths of an image.
class Canvas {
 public:
  Canvas(int width, int height, const Vector3d& background)
      : width_(width),
        height_(height),
        colors_(at(0, height), background.cast<float>()),
        depths_(at(0, height), kNothing) {}

  int width() const { return width_; }
  int height() const { return height_; }
  const Eigen::Vector3f& color(int x, int y) const { return colors_[at(x, y)]; }
  /// kNothing where nothing is.
  float depth(int x, int y) const { return depths_[at(x, y)]; }
  static constexpr float kNothing = -1e30F;

  /// `shade(w)` gives {r, g, b, opacity} at the point w[0] v[0] + w[1] v[1] + w[2] v[2] of the
  /// surface. `covers`: hides what is behind.
  template <class Shade>
  void triangle(const std::array<CanvasPoint, 3>& v, bool covers, Shade&& shade) {
    const double area = cross(v[0], v[1], v[2].x, v[2].y);
    if (!(std::abs(area) > 1e-12)) return;
    const auto [left, right] = std::minmax({v[0].x, v[1].x, v[2].x});
    const auto [top, bottom] = std::minmax({v[0].y, v[1].y, v[2].y});
    const int x0 = from(left), x1 = to(right, width_), y0 = from(top), y1 = to(bottom, height_);
    for (int y = y0; y < y1; ++y) {
      for (int x = x0; x < x1; ++x) {
        const double px = x + 0.5, py = y + 0.5;
        std::array<double, 3> w{cross(v[1], v[2], px, py) / area, cross(v[2], v[0], px, py) / area,
                                0};
        w[2] = 1 - w[0] - w[1];
        if (w[0] < 0 || w[1] < 0 || w[2] < 0) continue;
        const auto depth =
            static_cast<float>(w[0] * v[0].depth + w[1] * v[1].depth + w[2] * v[2].depth);
        if (depth < depths_[at(x, y)]) continue;
        double sum = 0;
        for (size_t i = 0; i < 3; ++i) sum += w[i] *= v[i].inverse;
        for (double& wi : w) wi /= sum;
        const Eigen::Vector4f c = shade(w);
        if (covers) depths_[at(x, y)] = depth;
        colors_[at(x, y)] += c[3] * (c.head<3>() - colors_[at(x, y)]);
      }
    }
  }

  /// `width` [pixels]; it lies before surfaces that touch it.
  void line(CanvasPoint a, CanvasPoint b, double width, const Eigen::Vector4f& color, bool covers) {
    const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
    if (!(length > 0)) return;
    const double nx = -dy / length * width / 2, ny = dx / length * width / 2;
    for (CanvasPoint* p : {&a, &b}) p->depth += 1e-3 * std::abs(p->depth);
    const auto aside = [&](CanvasPoint p, double side) {
      p.x += side * nx;
      p.y += side * ny;
      return p;
    };
    const auto shade = [&](const std::array<double, 3>&) { return color; };
    triangle({aside(a, -1), aside(a, 1), aside(b, 1)}, covers, shade);
    triangle({aside(a, -1), aside(b, 1), aside(b, -1)}, covers, shade);
  }

 private:
  size_t at(int x, int y) const {
    const size_t row = y;
    return row * width_ + x;
  }
  static int from(double low) { return static_cast<int>(std::clamp(std::floor(low), 0.0, 1e6)); }
  static int to(double high, int end) {
    return static_cast<int>(std::clamp(std::ceil(high), 0.0, double(end)));
  }
  static double cross(const CanvasPoint& a, const CanvasPoint& b, double x, double y) {
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
  }

  int width_, height_;
  std::vector<Eigen::Vector3f> colors_;
  std::vector<float> depths_;
};

}  // namespace cardan
