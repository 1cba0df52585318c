/// LineAround: the shortest line between two points around a sphere or a cylinder, its rates and its pull.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "frames/algebra.h"

namespace cardan::line_around {

/// A quantity and its derivatives by time.
template <class S>
struct Rates {
  S x, d, dd;

  Rates operator+(const Rates& b) const { return {x + b.x, d + b.d, dd + b.dd}; }
  Rates operator-(const Rates& b) const { return {x - b.x, d - b.d, dd - b.dd}; }
  Rates operator*(const Rates& b) const {
    return {x * b.x, d * b.x + x * b.d, dd * b.x + 2.0 * d * b.d + x * b.dd};
  }
  Rates operator*(double k) const { return {k * x, k * d, k * dd}; }
};
template <class S>
Rates<S> sqrt(const Rates<S>& a) {
  using std::sqrt;
  const S r = sqrt(a.x), d = a.d / (2.0 * r);
  return {r, d, (0.5 * a.dd - d * d) / r};
}
template <class S>
Rates<S> atan2(const Rates<S>& y, const Rates<S>& x) {
  using std::atan2;
  const S h = x.x * x.x + y.x * y.x, d = (x.x * y.d - y.x * x.d) / h;
  return {atan2(y.x, x.x), d, (x.x * y.dd - y.x * x.dd - 2.0 * d * (x.x * x.d + y.x * y.d)) / h};
}

/// Position, velocity and acceleration.
template <class S>
struct Point {
  Vector3<S> r, v, a;

  Rates<S> operator[](int i) const { return {r[i], v[i], a[i]}; }
  /// Without what is along z.
  Point flat() const {
    Point p = *this;
    p.r[2] = p.v[2] = p.a[2] = S(0.0);
    return p;
  }
};
template <class S>
Vector3d number(const Vector3<S>& u) {
  return {value(u[0]), value(u[1]), value(u[2])};
}
template <class S>
Rates<S> product(const Point<S>& p, const Point<S>& q) {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

inline constexpr int kPieces = 12;  ///< that a line is drawn of

/// What is in the way, about the origin; a cylinder without ends, along z.
struct Obstacle {
  bool isRound = true;  ///< a sphere
  double radius = 1;    ///< [m]
};

/// From a point at this distance to where it touches, seen from the center.
inline double angleTo(const Obstacle& o, double distance) {
  return std::acos(std::min(1.0, o.radius / distance));
}
/// Whether p x q of a sphere is nothing but rounding.
inline bool isInLine(const Vector3d& p, const Vector3d& q) {
  return !(cross(p, q).norm() > 1e-14 * p.norm() * q.norm());
}
/// Of the plane that the line is in, flat: p x q of a sphere; of ends in one line any one, z of a cylinder.
inline Vector3d normalOf(const Obstacle& o, const Vector3d& p, const Vector3d& q) {
  if (!o.isRound) return Vector3d::UnitZ();
  if (!isInLine(p, q)) return cross(p, q).normalized();
  int axis = 0;
  p.cwiseAbs().minCoeff(&axis);
  return cross(p, Vector3d(Vector3d::Unit(axis))).normalized();
}

/// Which way about the normal a line from p to q runs around it, 1
/// or -1; 0: straight past it. `side`: a place that it passes on the side of; null: the shorter way.
/// Source  MuJoCo, Computation, Spatial tendons; rules of mju_wrap
inline int turnAround(const Obstacle& o, const Vector3d& p, const Vector3d& q,
                      const Vector3d* side) {
  using Plane = std::complex<double>;
  if (o.isRound && isInLine(p, q) && !(dot(p, q) < 0)) return 0;
  const Vector3d x = o.isRound ? p.normalized() : Vector3d::UnitX();
  const Vector3d y = cross(normalOf(o, p, q), x);
  const auto inPlane = [&](const Vector3d& r) { return Plane(dot(r, x), dot(r, y)); };
  const auto along = [](const Plane& a, const Plane& b) { return std::real(a * std::conj(b)); };
  const Plane P = inPlane(p), Q = inPlane(q), line = Q - P;
  const double p_r = std::abs(P), q_r = std::abs(Q);
  constexpr double kOutside = 1 - 1e-12;  // what is on the surface, but for rounding, is not inside
  if (!(std::min(p_r, q_r) >= o.radius * kOutside) || !(std::abs(line) > 0)) return 0;
  const double p_angle = angleTo(o, p_r), q_angle = angleTo(o, q_r), between = std::arg(Q / P);
  const Plane nearest = P - line * std::clamp(along(P, line) / std::norm(line), -1.0, 0.0);
  const Plane to = side ? inPlane(*side) : Plane(0);
  if (std::abs(between) < p_angle + q_angle && (!side || along(to, nearest) >= 0)) return 0;
  int best = 0;
  double most = 0;
  for (const int turn : {1, -1}) {
    double arc = turn * between;
    if (arc < 0) arc += 2 * std::numbers::pi;
    if (arc < p_angle + q_angle) continue;
    const Plane middle = std::polar(1.0, std::arg(P) + turn * p_angle) +
                         std::polar(1.0, std::arg(Q) - turn * q_angle);
    const double merit = side ? along(to, middle) / std::max(std::abs(middle), 1e-300) : -arc;
    if (best != 0 && !(merit > most)) continue;
    best = turn;
    most = merit;
  }
  return best;
}

template <class S>
struct Path {
  Rates<S> length;
  Vector3<S> pull_p, pull_q;  ///< [1]  of a tension of 1 N on its ends
};

/// Pre: `turn` is not 0.
template <class S>
Path<S> around(const Obstacle& o, const Point<S>& p3, const Point<S>& q3, int turn) {
  using std::sqrt;
  const Point<S> p = o.isRound ? p3 : p3.flat(), q = o.isRound ? q3 : q3.flat();
  const Rates<S> pp = product(p, p), qq = product(q, q), pq = product(p, q);
  Vector3<S> normal = Vector3d::UnitZ().cast<S>();
  Rates<S> sine = p[0] * q[1] - p[1] * q[0];
  if (o.isRound) {
    const Vector3<S> c = cross(p.r, q.r), cd = cross(p.v, q.r) + cross(p.r, q.v);
    const Vector3<S> cdd = cross(p.a, q.r) + 2.0 * cross(p.v, q.v) + cross(p.r, q.a);
    const Vector3d p_value = number(p.r), q_value = number(q.r);
    const bool turns = !isInLine(p_value, q_value);  // the normal, with the plane
    normal = turns ? Vector3<S>(c / sqrt(dot(c, c))) : normalOf(o, p_value, q_value).cast<S>();
    sine = {dot(normal, c), dot(normal, cd), dot(normal, cdd)};
    const Vector3<S> across = cross(normal, cd);
    if (turns) sine.dd += dot(across, across) / sine.x;
  }
  Rates<S> arc = line_around::atan2(sine * turn, pq);
  if (arc.x < 0) arc.x += 2 * std::numbers::pi;
  // From an end, of this square of its distance, to where it touches.
  const auto freeOf = [&](const S& square) {
    const S rest = square - o.radius * o.radius;
    return value(rest) > 0 ? S(sqrt(rest)) : S(0.0);
  };
  const S p_free = freeOf(pp.x), q_free = freeOf(qq.x);
  // Without the arc up to there.
  const auto part = [&](const Rates<S>& square, const S& free) {
    using std::atan2;
    const S slope = free / (2.0 * square.x), bend = square.d * square.d / square.x;
    Rates<S> length{free - o.radius * atan2(free, S(o.radius)), slope * square.d,
                    slope * (square.dd - bend)};
    if (value(free) > 0) length.dd += bend / (4.0 * free);
    return length;
  };
  const Rates<S> flat = part(pp, p_free) + part(qq, q_free) + arc * o.radius;
  const double k = turn * o.radius;
  Path<S> path{flat, (cross(normal, p.r) * k - p.r * p_free) / pp.x,
               -(cross(normal, q.r) * k + q.r * q_free) / qq.x};
  if (o.isRound) return path;
  // Unrolled, what winds around a cylinder is straight.
  const Rates<S> rise = q3[2] - p3[2];
  path.length = line_around::sqrt(flat * flat + rise * rise);
  const S share = flat.x / path.length.x;
  path.pull_p *= share;
  path.pull_q *= share;
  path.pull_p[2] += rise.x / path.length.x;
  path.pull_q[2] -= rise.x / path.length.x;
  return path;
}

/// Points of the line, from p to q; a few on what it touches.
inline Vector3d pointOn(const Obstacle& o, const Vector3d& p, const Vector3d& q, int turn, int i) {
  const Vector3d normal = normalOf(o, p, q);
  const Vector3d p_flat = p - normal * dot(p, normal), q_flat = q - normal * dot(q, normal);
  const double p_r = p_flat.norm(), q_r = q_flat.norm(), r = o.radius;
  if (turn == 0 || i == 0 || i == kPieces) return p + (q - p) * (double(i) / kPieces);
  double arc = std::atan2(turn * dot(normal, cross(p_flat, q_flat)), dot(p_flat, q_flat));
  if (arc < 0) arc += 2 * std::numbers::pi;
  const double p_angle = angleTo(o, p_r), q_angle = angleTo(o, q_r);
  const double swept = (arc - p_angle - q_angle) * (i - 1) / (kPieces - 2), at = p_angle + swept;
  const double before = r * std::tan(p_angle), behind = r * std::tan(q_angle);
  const double share = (before + r * swept) / (before + r * (arc - p_angle - q_angle) + behind);
  const Vector3d x = p_flat / p_r, y = cross(normal, x) * turn;
  return r * (std::cos(at) * x + std::sin(at) * y) +
         normal * (dot(p, normal) * (1 - share) + dot(q, normal) * share);
}

}  // namespace cardan::line_around
