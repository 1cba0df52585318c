/// Polygon: clipped in a plane, and what a pressure does on it.
#pragma once

#include <array>

#include "components/contact/polyhedron.h"
#include "components/contact/pressure.h"

namespace cardan::contact {

using Eigen::Vector2d;

/// A polygon in a plane, with no more corners than clipping may give it.
struct Polygon {
  int size = 0;
  std::array<Vector2d, kMostCorners> corner;

  void add(const Vector2d& p) {
    if (size < kMostCorners) corner[size++] = p;
  }
};

/// The depth below a plane as a function of the place u in another one: c - n.u.
struct Slope {
  Vector2d n;
  double c;

  double at(const Vector2d& u) const { return c - n.dot(u); }
  Slope operator-(const Slope& b) const { return {n - b.n, c - b.c}; }
};

/// The part of `in` where the slope is not negative. False: that is all of it, and `out` is not made.
inline bool clip(const Polygon& in, const Slope& slope, Polygon& out) {
  std::array<double, kMostCorners> d;
  bool all = true;
  for (int i = 0; i < in.size; ++i) {
    d[i] = slope.at(in.corner[i]);
    all = all && d[i] >= 0;
  }
  if (all) return false;
  out.size = 0;
  for (int i = 0, before = in.size - 1; i < in.size; before = i++) {
    const Vector2d &p = in.corner[i], &q = in.corner[before];
    if ((d[before] >= 0) != (d[i] >= 0)) out.add(q + (p - q) * (d[before] / (d[before] - d[i])));
    if (d[i] >= 0) out.add(p);
  }
  return true;
}

/// Integrals of 1, x, y, xx, xy, yy, xxx, xxy, xyy, yyy over a polygon, from the place `o`; by its
/// border.
struct Moments {
  double m = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0, xxx = 0, xxy = 0, xyy = 0, yyy = 0;

  Moments(const Polygon& p, const Vector2d& o) {
    Vector2d a = p.corner[p.size - 1] - o;
    for (int i = 0; i < p.size; ++i) {
      const Vector2d b = p.corner[i] - o;
      addSide(a[0], a[1], b[0], b[1]);
      a = b;
    }
  }
  /// Of the square of a slope; `s` from the same place.
  double squares(const Slope& s) const {
    return s.c * s.c * m - 2 * s.c * (s.n[0] * x + s.n[1] * y) + s.n[0] * s.n[0] * xx +
           2 * s.n[0] * s.n[1] * xy + s.n[1] * s.n[1] * yy;
  }

 private:
  void addSide(double ax, double ay, double bx, double by) {
    const double cross = ax * by - bx * ay;
    const double aa = ax * ax, ab = ax * bx, bb = bx * bx;
    const double cc = ay * ay, cd = ay * by, dd = by * by;
    m += cross / 2;
    x += cross / 6 * (ax + bx);
    y += cross / 6 * (ay + by);
    xx += cross / 12 * (aa + ab + bb);
    yy += cross / 12 * (cc + cd + dd);
    xy += cross / 24 * (2 * (ax * ay + bx * by) + ax * by + bx * ay);
    xxx += cross / 20 * (aa + bb) * (ax + bx);
    yyy += cross / 20 * (cc + dd) * (ay + by);
    xxy += cross / 60 * (ay * (3 * aa + 2 * ab + bb) + by * (aa + 2 * ab + 3 * bb));
    xyy += cross / 60 * (ax * (3 * cc + 2 * cd + dd) + bx * (cc + 2 * cd + 3 * dd));
  }
};

/// Moments of a pressure in a plane.
template <class S>
struct FlatPressure {
  S m{0}, x{0}, y{0}, xx{0}, xy{0}, yy{0};

  /// kappa (c - n.u) on a cell.
  void add(const Moments& g, const S& c, const S& nx, const S& ny, double kappa) {
    m += kappa * (c * g.m - nx * g.x - ny * g.y);
    x += kappa * (c * g.x - nx * g.xx - ny * g.xy);
    y += kappa * (c * g.y - nx * g.xy - ny * g.yy);
    xx += kappa * (c * g.xx - nx * g.xxx - ny * g.xxy);
    xy += kappa * (c * g.xy - nx * g.xxy - ny * g.xyy);
    yy += kappa * (c * g.yy - nx * g.xyy - ny * g.yyy);
  }
  /// In space, by the axes of the plane.
  void addTo(Pressure<S>& p, const Vector3<S>& e1, const Vector3<S>& e2) const {
    p.m0 = m;
    p.m1 = e1 * x + e2 * y;
    p.m2.add(e1, xx);
    p.m2.add(e2, yy);
    p.m2.addBoth(e1, e2, xy);
  }
};

}  // namespace cardan::contact
