#include "components/contact/solid.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "components/contact/patch.h"

namespace cardan::contact {

namespace {

/// Nearest at a place that lies `from` back.
template <class S>
Nearest<S> beyond(const Vector3<S>& from) {
  const S distance = sqrt(dot(from, from));
  return {distance, from / distance};
}

/// Around its middle a rounded solid has no nearest direction, and lines of two that hang together cross
/// there for good: a parabola, which goes on from the distance and its slope, has a slope of zero there.
constexpr double kCore = 0.1;  // of the radius

template <class S>
bool isAtCore(const Solid& b, const Vector3<S>& from) {
  return valuesOf(from).squaredNorm() < kCore * b.radius * (kCore * b.radius);
}
template <class S>
Nearest<S> inCore(const Solid& b, const Vector3<S>& from) {
  const double core = kCore * b.radius;
  return {0.5 * (dot(from, from) / core + core), from / core};
}

template <class S>
Nearest<S> nearestOnFaces(const Polyhedron& body, const Vector3<S>& p) {
  const Vector3d x = valuesOf(p);
  std::array<double, kMostFaces> height;
  int highest = 0;
  for (int i = 0; i < std::ssize(body.faces); ++i) {
    height[i] = body.faces[i].n.dot(x) - body.faces[i].c;
    if (height[i] > height[highest]) highest = i;
  }
  // Above no face a point is higher than it is far: where it is above the inside of one, it is the
  // highest one's.
  const Polyhedron::Face& f = body.faces[highest];
  bool above = true;
  for (size_t i = 0; i < f.m.size() && above; ++i) above = f.m[i].dot(x) <= f.d[i];
  const auto onFace = [&] {
    const Vector3<S> n = f.n.template cast<S>();
    return Nearest<S>{dot(n, p) - f.c, n};
  };
  if (height[highest] <= 0 || above) return onFace();
  double best = std::numeric_limits<double>::infinity(), place = 0;
  const Polyhedron::Edge* nearest = nullptr;
  for (const Polyhedron::Edge& edge : body.edges) {
    if (height[edge.left] <= 0 && height[edge.right] <= 0) continue;
    const Vector3d from = x - edge.a;
    const double s = std::clamp(from.dot(edge.e), 0.0, edge.length);
    const double square = (from - s * edge.e).squaredNorm();
    if (square >= best) continue;
    best = square;
    place = s;
    nearest = &edge;
  }
  if (!(best > 0)) return onFace();
  const bool isInside = place > 0 && place < nearest->length;
  Vector3<S> from = p - (nearest->a + (isInside ? 0 : place) * nearest->e).template cast<S>();
  if (isInside) {
    const Vector3<S> along = nearest->e.template cast<S>();
    from -= along * dot(along, from);
  }
  return beyond(from);
}

template <class S>
Nearest<S> nearestOnCylinder(const Solid& b, const Vector3<S>& p) {
  const double half = b.length / 2;
  const S radial = sqrt(max(S(p[0] * p[0] + p[1] * p[1]), 1e-300));
  const Vector3<S> out(p[0] / radial, p[1] / radial, S(0.0));
  const bool up = value(p[2]) > 0;
  const S side = radial - b.radius, above = (up ? p[2] : S(-p[2])) - half;
  const Vector3<S> axis(S(0.0), S(0.0), S(up ? 1.0 : -1.0));
  if (value(side) > 0 && value(above) > 0) return beyond(Vector3<S>(out * side + axis * above));
  return value(side) > value(above) ? Nearest<S>{side, out} : Nearest<S>{above, axis};
}

}  // namespace

double Solid::inRadius() const {
  switch (kind) {
    case Kind::Plane:
    case Kind::Terrain:
      break;
    case Kind::Sphere:
    case Kind::Capsule:
      return radius;
    case Kind::Cylinder:
      return std::min(radius, length / 2);
    case Kind::Ellipsoid:
      return radii.minCoeff();
    case Kind::Cone:
    case Kind::Polyhedron: {
      Vector3d centre = Vector3d::Zero();
      for (const Vector3d& v : faces.vertices)
        centre += v / static_cast<double>(faces.vertices.size());
      double least = reach;
      for (const Polyhedron::Face& f : faces.faces) least = std::min(least, f.c - f.n.dot(centre));
      return least;
    }
  }
  return std::numeric_limits<double>::infinity();
}

template <class S>
Nearest<S> nearest(const Solid& b, const Vector3<S>& p) {
  if (b.isRounded()) {
    const double half = b.half();
    const S s = value(p[2]) > half ? S(half) : value(p[2]) < -half ? S(-half) : p[2];
    const Vector3<S> from(p[0], p[1], p[2] - s);
    Nearest<S> there = isAtCore(b, from) ? inCore(b, from) : beyond(from);
    there.distance -= b.radius;
    return there;
  }
  return b.kind == Solid::Kind::Cylinder ? nearestOnCylinder(b, p) : nearestOnFaces(b.faces, p);
}
template Nearest<double> nearest(const Solid&, const Vector3<double>&);
template Nearest<Dual> nearest(const Solid&, const Vector3<Dual>&);

}  // namespace cardan::contact
