#include "components/contact/terrain_touch.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "components/contact/polygon.h"
#include "components/contact/support.h"
#include "components/contact/terrain.h"

namespace cardan::contact {

namespace {

using std::numbers::pi;

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Calls f(triangle) for all near the solid, by its bounding box with `more` [m] around it.
template <class F>
void forEachNear(const Solid& a, const Terrain& ground, const RelativePose<double>& pose,
                 double more, F f) {
  const Vector3d middle = pose.R.transpose() * (a.middle - pose.t);
  const Vector3d half = pose.R.transpose().cwiseAbs() * (0.5 * a.extent) + Vector3d::Constant(more);
  ground.forEachNear(middle - half, middle + half, f);
}

// ---- Polyhedra

/// A plane of the ground in the frame of the solid.
Terrain::Plane inSolid(const Terrain::Plane& p, const RelativePose<double>& pose) {
  const Vector3d n = pose.R * p.n;
  return {n, p.c + n.dot(pose.t)};
}
Slope slopeOf(const Terrain::Plane& p, const Polyhedron::Face& f) {
  return {{p.n.dot(f.e1), p.n.dot(f.e2)}, p.c - p.n.dot(f.o)};
}

/// What lies below a triangle: bounded by four planes, and one below where it has a thickness.
struct Column {
  const Terrain::Triangle* triangle = nullptr;
  std::array<Terrain::Plane, 5> planes;
  int size = 4;

  Column(const Terrain::Triangle& t, const RelativePose<double>& pose) : triangle(&t) {
    planes[0] = inSolid(t.plane, pose);
    for (int k = 0; k < 3; ++k) planes[k + 1] = inSolid(t.side[k], pose);
    if (t.deepest == kNever) return;
    planes[4] = {-planes[0].n, t.deepest - planes[0].c};
    size = 5;
  }
};

/// As far as the solid may have sunk in.
std::vector<Column>& columnsNear(const Solid& a, const Terrain& ground,
                                 const RelativePose<double>& pose) {
  thread_local std::vector<Column> columns;
  columns.clear();
  forEachNear(a, ground, pose, 0.5 * a.extent.minCoeff(),
              [&](const Terrain::Triangle& t) { columns.emplace_back(t, pose); });
  return columns;
}

/// Clips polygons in turn.
class Clipping {
 public:
  void begin(const std::vector<Vector2d>& corners) {
    polygon_->size = 0;
    for (const Vector2d& u : corners) polygon_->add(u);
  }
  /// False: nothing is left.
  bool cut(const Slope& s) {
    bool any = false;
    for (int k = 0; k < polygon_->size; ++k) any = any || s.at(polygon_->corner[k]) > 0;
    if (any && clip(*polygon_, s, *other_)) std::swap(polygon_, other_);
    return any && polygon_->size > 2;
  }
  const Polygon& polygon() const { return *polygon_; }

 private:
  Polygon buffer_[2], *polygon_ = &buffer_[0], *other_ = &buffer_[1];
};

template <class S>
double pressFaces(const Solid& a, const Terrain& ground, const RelativePose<S>& pose, double kappa,
                  Pressures<S>& out) {
  const std::vector<Column>& columns = columnsNear(a, ground, valuesOf(pose));
  if (columns.empty()) return 0;
  Clipping clipping;
  double depth = 0;
  for (const Polyhedron::Face& face : a.faces.faces) {
    FlatPressure<S> pressure;
    double area = 0;
    Vector2d u = Vector2d::Zero();
    Vector3d o = face.o;
    for (const Column& column : columns) {
      clipping.begin(face.places);
      bool below = true;
      for (int k = 0; k < column.size && below; ++k)
        below = clipping.cut(slopeOf(column.planes[k], face));
      if (!below) continue;
      if (area == 0) {  // moments are about a place next to all of them
        u = clipping.polygon().corner[0];
        o = face.o + face.e1 * u[0] + face.e2 * u[1];
      }
      const Moments g(clipping.polygon(), u);
      if (!(g.m > 0)) continue;
      area += g.m;
      const Slope below_here = slopeOf(column.planes[0], face);
      for (int k = 0; k < clipping.polygon().size; ++k)
        depth = std::max(depth, below_here.at(clipping.polygon().corner[k]));
      const Terrain::Plane& plane = column.triangle->plane;
      const Vector3<S> n = pose.R * plane.n.template cast<S>();
      pressure.add(g, plane.c + dot(n, Vector3<S>(pose.t - o.cast<S>())),
                   dot(n, Vector3<S>(face.e1.template cast<S>())),
                   dot(n, Vector3<S>(face.e2.template cast<S>())), kappa);
    }
    if (!(area > 0)) continue;
    Pressure<S>& piece = out.add(-face.n.template cast<S>(), o.template cast<S>());
    pressure.addTo(piece, face.e1.template cast<S>(), face.e2.template cast<S>());
    piece.area = area;
  }
  return depth;
}

/// Integral of the depth over a column's part in the solid: d is homogeneous about a corner x of the
/// triangle, so that it is 1/4 of that of d (p - x).n over the border.
double energyOfColumn(const Polyhedron& a, const Column& column, const Vector3d& x, double size) {
  const Terrain::Plane& top = column.planes[0];
  Clipping clipping;
  double sum = 0;
  const auto add = [&](const Polyhedron::Face& face, int own, bool isSolids) {
    const double arm = face.c - face.n.dot(x);
    if (arm == 0) return;
    clipping.begin(face.places);
    for (int k = 0; k < column.size; ++k) {
      if (k != own && !clipping.cut(slopeOf(column.planes[k], face))) return;
    }
    for (size_t i = 0; i < a.faces.size() && !isSolids; ++i) {
      if (!clipping.cut(slopeOf({a.faces[i].n, a.faces[i].c}, face))) return;
    }
    const Slope d = slopeOf(top, face);
    const Moments g(clipping.polygon(), Vector2d::Zero());
    sum += arm * (d.c * g.m - d.n[0] * g.x - d.n[1] * g.y) / 4;
  };
  for (const Polyhedron::Face& f : a.faces) add(f, -1, true);
  for (int k = 1; k < column.size; ++k) {
    const Vector3d n = column.planes[k].n;
    Eigen::Index least = 0;
    n.cwiseAbs().minCoeff(&least);
    const Vector3d e1 = n.cross(Vector3d::Unit(least)).normalized();
    Polyhedron::Face face{n, column.planes[k].c, {}, n * column.planes[k].c, e1, n.cross(e1)};
    for (const auto& [u, v] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}})
      face.places.push_back(size * Vector2d(u, v));
    add(face, k, false);
  }
  return sum;
}

/// [m]  The widest slab between a polyhedron and a triangle in its frame.
double slabBetween(const Polyhedron& a, const Terrain::Plane& plane,
                   const std::array<Vector3d, 3>& corner) {
  double gap = -kNever;
  const auto along = [&](const Vector3d& n) {
    double low_a = kNever, high_a = -kNever, low = kNever, high = -kNever;
    for (const Vector3d& v : a.vertices) {
      low_a = std::min(low_a, n.dot(v));
      high_a = std::max(high_a, n.dot(v));
    }
    for (const Vector3d& v : corner) {
      low = std::min(low, n.dot(v));
      high = std::max(high, n.dot(v));
    }
    gap = std::max({gap, low - high_a, low_a - high});
  };
  for (const Polyhedron::Face& f : a.faces) {
    double low = kNever;
    for (const Vector3d& v : corner) low = std::min(low, f.n.dot(v));
    gap = std::max(gap, low - f.c);
  }
  along(plane.n);
  if (gap > 0) return gap;
  for (int k = 0; k < 3; ++k) {
    const Vector3d edge = (corner[(k + 1) % 3] - corner[k]).normalized();
    along(edge.cross(plane.n));
    for (const Vector3d& e : a.directions) {
      const Vector3d across = e.cross(edge);
      if (const double length = across.norm(); length > 1e-9) along(across / length);
    }
  }
  return gap;
}

// ---- Balls

/// The places of a solid as those of a ball about the origin: each direction by its own length.
Vector3d scaleOf(const Solid& a) {
  return a.kind == Solid::Kind::Ellipsoid ? a.radii : Vector3d::Ones();
}

/// A triangle seen from the centre of a ball.
template <class S>
struct Seen {
  std::array<Vector3<S>, 3> corner;  ///< [m]
  Vector3<S> n;                      ///< [1]  normal

  /// The ball's centre is at `s` along the z axis of a solid.
  Seen(const Terrain::Triangle& t, const Solid& a, const RelativePose<S>& pose, double s) {
    const Vector3d scale = scaleOf(a);
    for (int k = 0; k < 3; ++k) {
      corner[k] = pose.R * t.corner[k].template cast<S>() + pose.t;
      corner[k][2] -= s;
      for (int i = 0; i < 3; ++i) corner[k][i] /= scale[i];
    }
    n = pose.R * t.plane.n.template cast<S>();
    if (a.kind != Solid::Kind::Ellipsoid) return;
    for (int i = 0; i < 3; ++i) n[i] *= scale[i];
    n /= sqrt(dot(n, n));
  }
  /// [m]  Of the centre above its plane.
  S height() const { return -dot(n, corner[0]); }
};

/// An edge of it, seen from the foot of the centre in the plane: at the distance p, > 0 where the foot is
/// within; places along it are counted from the one nearest to the foot.
template <class S>
struct SeenEdge {
  Vector3<S> e, out;  ///< [1]  along it, and away from the triangle
  S p, from, to;      ///< [m]

  SeenEdge(const Seen<S>& t, int k) {
    const Vector3<S>&a = t.corner[k], &b = t.corner[(k + 1) % 3];
    const Vector3<S> along = b - a;
    e = along / sqrt(dot(along, along));
    out = cross(e, t.n);
    p = dot(out, a);
    from = dot(e, a);
    to = dot(e, b);
  }
  /// [rad]  Under which a part of it is seen from the foot, > 0 counterclockwise.
  S angle(const S& begin, const S& end) const {
    return atan2(S(p * (end - begin)), S(p * p + begin * end));
  }
};

template <class S>
S asinhOf(const S& x) {
  const S size = abs(x), y = log(S(size + sqrt(size * size + 1.0)));
  return value(x) < 0 ? S(-y) : y;
}

/// 1/(2 pi) times the integral over the triangle's border of g(h) - g(rho) dtheta; g is 0 beyond R.
/// theta jumps by half a turn where the foot passes an edge, and at a corner it is not defined: there it has
/// a factor of 0, that of g(h) alone sums up what is seen beyond R.
template <class S, class G>
S aroundBorder(const Seen<S>& t, double R, G g) {
  const S h = abs(t.height());
  if (!(value(h) < R)) return S(0.0);
  const S all = g(h);
  S sum(0.0);
  for (int k = 0; k < 3; ++k) {
    const SeenEdge<S> edge(t, k);
    const S &p = edge.p, nearest = h * h + p * p;
    const double room = R * R - value(nearest), reach = std::sqrt(std::max(room, 0.0));
    const bool cutsFrom = value(edge.from) < -reach;
    const bool cutsTo = value(edge.to) > reach;
    const S from = cutsFrom ? S(-reach) : edge.from, to = cutsTo ? S(reach) : edge.to;
    if (!(room > 0 && value(from) < value(to))) {
      sum += all * edge.angle(edge.from, edge.to);
      continue;
    }
    if (cutsFrom) sum += all * edge.angle(edge.from, from);
    if (cutsTo) sum += all * edge.angle(to, edge.to);
    // By u, t = p sinh u, as the edge may be next to the foot; without g's value at the nearest place, which
    // is left there.
    const S most = g(S(sqrt(nearest))), width = max(S(abs(p)), 1e-9 * R);
    const S low = asinhOf(S(from / width)), high = asinhOf(S(to / width));
    const S middle = 0.5 * (low + high), half = 0.5 * (high - low);
    S less(0.0);
    forEachGaussPoint([&](double x, double weight) {
      const S by = exp(S(middle + half * x)), back = 1.0 / by;
      const S at = 0.5 * width * (by - back);
      less += (most - g(S(sqrt(nearest + at * at)))) / (by + back) * (2 * weight);
    });
    sum += (p / width) * half * less;
    if (std::abs(value(p)) > 1e-12 * R) sum += (all - most) * edge.angle(from, to);
  }
  return sum / (2 * pi);
}

/// The place of a triangle that is nearest to the centre [m].
template <class S>
Vector3<S> nearestOf(const Seen<S>& t) {
  const Vector3<S> foot = -t.n * t.height();
  Vector3<S> best = foot;
  double least = kNever;
  bool within = true;
  for (int k = 0; k < 3; ++k) {
    const SeenEdge<S> edge(t, k);
    within = within && value(edge.p) >= 0;
    const S at = value(edge.from) > 0 ? edge.from : value(edge.to) < 0 ? edge.to : S(0.0);
    const double square = value(edge.p) * value(edge.p) + value(at) * value(at);
    if (square >= least) continue;
    least = square;
    best = foot + edge.out * edge.p + edge.e * at;
  }
  return within ? foot : best;
}

/// The force on a plane at the depth d by kappa, and its integral, of a ball, half of one at the end of a
/// line, or a piece of the line.
struct BallLaw {
  double R;                 ///< [m]
  double cap = 0, bar = 0;  ///< [1], [m]  how many balls, how long a piece

  template <class S>
  S force(const S& depth) const {
    const S d = max(depth, 0.0);
    return cap > 0 ? S(cap * pi * d * d * (R - d / 3.0))
                   : S(bar * 4 / 3 * std::sqrt(2 * R) * d * sqrt(d));
  }
  double energy(double depth) const {
    const double d = std::max(depth, 0.0);
    return cap > 0 ? cap * pi * d * d * d * (R / 3 - d / 12)
                   : bar * 8 / 15 * std::sqrt(2 * R) * d * d * std::sqrt(d);
  }
  /// [m]  by force and depth: see Pressure
  double spread() const { return cap > 0 ? 2.0 / 3 * R : 0.4 * R; }
  double area(double d) const {
    return cap > 0 ? cap * 2 * pi * R * d : bar * 2 * std::sqrt(2 * R * d);
  }
};

using Near = std::vector<const Terrain::Triangle*>;

const Near& trianglesNear(const Solid& a, const Terrain& ground, const RelativePose<double>& pose,
                          double more = 0) {
  thread_local Near near;
  near.clear();
  forEachNear(a, ground, pose, more, [](const Terrain::Triangle& t) { near.push_back(&t); });
  return near;
}

/// How deep the balls of a rounded solid's line are in one triangle: concave along it.
class LineInTriangle {
 public:
  LineInTriangle(const Solid& a, const Terrain::Triangle& t, const RelativePose<double>& pose)
      : a_(a), triangle_(t), pose_(pose) {}

  struct Place {
    double depth, slope;
  };
  Place at(double s) const {
    const Vector3d to = nearestOf(Seen<double>(triangle_, a_, pose_, s));
    const double distance = to.norm();
    return {a_.radius - distance, to[2] / std::max(distance, 1e-300)};
  }
  static double slope(const Place& p) { return p.slope; }

 private:
  const Solid& a_;
  const Terrain::Triangle& triangle_;
  const RelativePose<double>& pose_;
};

/// Parts of the line whose balls reach triangles.
const std::vector<std::pair<double, double>>& partsInGround(const Solid& a, const Near& near,
                                                            const RelativePose<double>& pose) {
  thread_local std::vector<std::pair<double, double>> parts;
  parts.clear();
  for (const Terrain::Triangle* t : near) {
    const LineInTriangle line(a, *t, pose);
    const Supported part(line, a.half());
    if (part.most > 0) parts.emplace_back(part.from, part.to);
  }
  std::ranges::sort(parts);
  size_t kept = 0;
  for (size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].first <= parts[kept].second) {
      parts[kept].second = std::max(parts[kept].second, parts[i].second);
    } else {
      parts[++kept] = parts[i];
    }
  }
  if (!parts.empty()) parts.resize(kept + 1);
  return parts;
}

/// Calls f(place along the line, law) for the balls that a round solid is made of.
template <class F>
void forEachBall(const Solid& a, const Near& near, const RelativePose<double>& pose, F f) {
  const double half = a.half();
  if (a.kind == Solid::Kind::Ellipsoid) return f(0.0, BallLaw{1, 1});
  if (half == 0) return f(0.0, BallLaw{a.radius, 1});
  for (const auto& [from, to] : partsInGround(a, near, pose))
    forEachPoint(from, to, [&](double s, double weight) { f(s, BallLaw{a.radius, 0, weight}); });
  for (const double s : {-half, half}) f(s, BallLaw{a.radius, 0.5});
}

/// From the centre of a ball to the nearest place of the triangles [m].
template <class S>
Vector3<S> nearestOf(const Solid& a, const Near& near, const RelativePose<S>& pose, double s) {
  Vector3<S> best = Vector3<S>::Constant(S(kNever));
  double least = kNever;
  for (const Terrain::Triangle* t : near) {
    const Vector3<S> to = nearestOf(Seen<S>(*t, a, pose, s));
    const double distance = valuesOf(to).norm();
    if (distance < least) best = to;
    least = std::min(least, distance);
  }
  return best;
}

/// Those that a ball reaches.
const Near& trianglesIn(const Solid& a, const Near& near, const RelativePose<double>& pose,
                        double s, double R) {
  thread_local Near reached;
  reached.clear();
  std::ranges::copy_if(near, std::back_inserter(reached), [&](const Terrain::Triangle* t) {
    return nearestOf(Seen<double>(*t, a, pose, s)).norm() < R;
  });
  return reached;
}

/// [m]  A depth along `to`, a way from the centre of a ball of radius R, as that of the solid.
double lengthAlong(const Solid& a, const Vector3d& to, double depth) {
  return depth * to.norm() / std::max(to.cwiseQuotient(scaleOf(a)).norm(), 1e-300);
}

/// [m]  A length of a round solid along the normal of a triangle, by that of the ball.
double stretch(const Solid& a, const Terrain::Triangle& t, const RelativePose<double>& pose) {
  return scaleOf(a).cwiseProduct(Vector3d(pose.R * t.plane.n)).norm();
}

/// Of each ball one piece, whose force goes through the centre: through the middle of what overlaps on a
/// plane, and as far from the centre as the triangles are in the mean along it.
template <class S>
double pressBalls(const Solid& a, const Terrain& ground, const RelativePose<S>& pose, double kappa,
                  Pressures<S>& out) {
  const RelativePose<double> values = valuesOf(pose);
  const Near& near = trianglesNear(a, ground, values);
  const Vector3d scale = scaleOf(a);
  const bool isBall = a.isRounded();
  double deepest = 0;
  forEachBall(a, near, values, [&](double s, const BallLaw& law) {
    const Near& reached = trianglesIn(a, near, values, s, law.R);
    if (reached.empty()) return;
    const Vector3<S> to = nearestOf(a, reached, pose, s);
    const S depth = law.R - sqrt(max(S(dot(to, to)), 1e-300));
    const double d = std::max(value(depth), 0.0), overlap = lengthAlong(a, valuesOf(to), d);
    deepest = std::max(deepest, overlap);
    Vector3<S> force = Vector3<S>::Zero(), torque = force, first = force;
    S total(0.0), spread(0.0);
    for (const Terrain::Triangle* t : reached) {
      const Seen<S> seen(*t, a, pose, s);
      const S f =
          aroundBorder(seen, law.R, [&](const S& rho) { return law.force(S(law.R - rho)); });
      if (!(value(f) > 0)) continue;
      const Vector3<S> n = pose.R * t->plane.n.template cast<S>();
      force += n * f;
      total += f;
      if (isBall) {
        first += nearestOf(seen) * f;
        continue;
      }
      const S full = depth * (2.0 - depth), unit = law.force(depth);
      Vector3<S> m = seen.n;
      for (int i = 0; i < 3; ++i) m[i] *= scale[i];
      const Vector3<S> at = -m * (pi / 4 * full * full / unit);
      torque += cross(at, n) * f;
      first += at * f;
      spread += f / unit * (scale.squaredNorm() - dot(m, m));
    }
    if (!(value(total) > 0)) return;
    const S size = sqrt(max(S(dot(force, force)), 1e-300));
    const Vector3<S> n = force / size;
    const S height = dot(n, first) / total - (isBall ? S(0.5 * depth) : S(0.0));
    Vector3<S> o = n * height + cross(n, torque) / size;
    o[2] += s;
    Pressure<S>& piece = out.add(n, o);
    const double by = kappa * scale.prod(), share = value(total) / law.force(d);
    piece.m0 = by * size;
    piece.spread = isBall ? S(piece.m0 * law.spread() * depth)
                          : S(by * pi / 4 * depth * depth * depth *
                              (4.0 / 3 - depth + depth * depth / 5.0) * spread);
    piece.area = share * (isBall ? law.area(d) : pi * d * d * (2 - d) * scale.prod() / overlap);
  });
  return deepest;
}

double energyOfBalls(const Solid& a, const Terrain& ground, const RelativePose<double>& pose) {
  const Near& near = trianglesNear(a, ground, pose);
  double sum = 0;
  forEachBall(a, near, pose, [&](double s, const BallLaw& law) {
    for (const Terrain::Triangle* t : near) {
      const Seen<double> seen(*t, a, pose, s);
      const double h = seen.height();
      const double share = aroundBorder(seen, law.R, [&](double rho) {
        return std::abs(h) / std::max(rho, 1e-300) * law.energy(law.R - rho);
      });
      const double lengths =
          a.kind == Solid::Kind::Ellipsoid ? a.radii.prod() * stretch(a, *t, pose) : 1;
      sum += std::copysign(share, h) * lengths;
    }
  });
  return sum;
}

bool isRound(const Solid& a) { return a.isRounded() || a.kind == Solid::Kind::Ellipsoid; }

/// [m]  Between a round solid and the nearest triangle.
double leastGap(const Solid& a, const Near& near, const RelativePose<double>& pose) {
  if (!(a.half() > 0)) {
    const double R = a.isRounded() ? a.radius : 1;
    const Vector3d to = nearestOf(a, near, pose, 0);
    const double apart = to.norm() - R;
    return apart > 0 ? apart * scaleOf(a).minCoeff() : lengthAlong(a, to, apart);
  }
  double most = -kNever;
  for (const Terrain::Triangle* t : near) {
    const LineInTriangle line(a, *t, pose);
    const double s = summit(line, -a.half(), a.half(), kNever, most);
    most = std::max({most, line.at(s).depth, line.at(-a.half()).depth, line.at(a.half()).depth});
  }
  return -most;
}

}  // namespace

template <class S>
double pressOnTerrain(const Solid& a, const Terrain& ground, const RelativePose<S>& pose,
                      double kappa, Pressures<S>& out) {
  return isRound(a) ? pressBalls(a, ground, pose, kappa, out)
                    : pressFaces(a, ground, pose, kappa, out);
}
template double pressOnTerrain(const Solid&, const Terrain&, const RelativePose<double>&, double,
                               Pressures<double>&);
template double pressOnTerrain(const Solid&, const Terrain&, const RelativePose<Dual>&, double,
                               Pressures<Dual>&);

double energyOnTerrain(const Solid& a, const Terrain& ground, const RelativePose<double>& pose,
                       double kappa) {
  if (isRound(a)) return kappa * energyOfBalls(a, ground, pose);
  double sum = 0;
  for (const Column& column : columnsNear(a, ground, pose)) {
    const Vector3d x = pose.R * column.triangle->corner[0] + pose.t;
    sum += energyOfColumn(a.faces, column, x, 4 * (a.reach + x.norm()));
  }
  return kappa * sum;
}

double gapOfBallToTerrain(const Solid& a, const Terrain& ground, const RelativePose<double>& pose) {
  static const Solid point;
  const Vector3d origin = -(pose.R.transpose() * pose.t);
  return ground.leastFrom(origin, [&](const Terrain::Triangle& t) {
    return nearestOf(Seen<double>(t, point, pose, 0)).norm();
  }) - a.reach;
}

double gapToTerrain(const Solid& a, const Terrain& ground, const RelativePose<double>& pose,
                    double far) {
  const Near& near = trianglesNear(a, ground, pose, far);
  if (near.empty()) return far;
  if (isRound(a)) return std::min(far, leastGap(a, near, pose));
  Pressures<double>& pieces = noPressures<double>();
  const double depth = pressFaces(a, ground, pose, 1, pieces);
  if (depth > 0) return -depth;
  double gap = far;
  for (const Terrain::Triangle* t : near) {
    std::array<Vector3d, 3> corner;
    for (int k = 0; k < 3; ++k) corner[k] = pose.R * t->corner[k] + pose.t;
    gap = std::min(gap, slabBetween(a.faces, inSolid(t->plane, pose), corner));
  }
  return std::max(gap, 0.0);
}

}  // namespace cardan::contact
