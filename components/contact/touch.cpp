#include "components/contact/touch.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/contact/curved_on_plane.h"
#include "components/contact/support.h"
#include "components/contact/terrain_touch.h"

namespace cardan::contact {

namespace {

using std::numbers::pi;
constexpr double kFar = std::numeric_limits<double>::infinity();

/// The line of a rounded solid A in the frame of another one, B.
template <class S>
class Line {
 public:
  Line(const Solid& a, const Solid& b, const RelativePose<S>& pose) : a_(a), b_(b), pose_(pose) {}

  /// Below B's surface at `s` along the line; `n` in B's frame.
  struct Place {
    S depth;
    Vector3<S> n;
  };
  /// How the depth changes along the line.
  double slope(const Place& p) const { return -valuesOf(pose_.R).row(2).dot(valuesOf(p.n)); }
  Place at(double s) const {
    const Vector3<S> p(-pose_.t[0], -pose_.t[1], s - pose_.t[2]);
    const Nearest<S> there = nearest<S>(b_, pose_.R.transpose() * p);
    return {a_.radius - there.distance, there.n};
  }
  /// [m]  Curvature of both.
  double radius() const {
    return b_.isRounded() ? a_.radius * b_.radius / (a_.radius + b_.radius) : a_.radius;
  }

 private:
  const Solid& a_;
  const Solid& b_;
  const RelativePose<S>& pose_;
};

template <class S>
double pressLine(const Solid& a, const Solid& b, const RelativePose<S>& pose, double kappa,
                 Pressures<S>& out) {
  const RelativePose<double> values = valuesOf(pose);
  const Supported part(Line<double>(a, b, values), a.half());
  if (!(part.most > 0)) return 0;
  const Line<S> line(a, b, pose);
  const double R = line.radius();
  const auto add = [&](double s, const typename Line<S>::Place& p, const S& volume, const S& spread,
                       double area) {
    const Vector3<S> n = pose.R * p.n;
    Vector3<S> o = -n * (a.radius - 0.5 * p.depth);
    o[2] += s;
    Pressure<S>& piece = out.add(n, o);
    piece.m0 = kappa * volume;
    piece.spread = kappa * volume * spread;
    piece.area = area;
  };
  forEachPoint(part.from, part.to, [&](double s, double weight) {
    const auto p = line.at(s);
    if (!(value(p.depth) > 0)) return;
    add(s, p, weight * 4 / 3 * std::sqrt(2 * R) * p.depth * sqrt(p.depth), S(0.4 * R * p.depth),
        weight * 2 * std::sqrt(2 * R * value(p.depth)));
  });
  const double share = a.half() > 0 ? 0.5 : 1;
  for (double s : {-a.half(), a.half()}) {
    const auto p = line.at(s);
    if (!(value(p.depth) > 0)) continue;
    add(s, p, share * pi * p.depth * p.depth * (R - p.depth / 3.0), S(2.0 / 3 * R * p.depth),
        share * 2 * pi * R * value(p.depth));
    if (a.half() == 0) break;
  }
  return part.most;
}

double energyOfLine(const Solid& a, const Solid& b, const RelativePose<double>& pose) {
  const Line<double> line(a, b, pose);
  const Supported part(line, a.half());
  if (!(part.most > 0)) return 0;
  const double R = line.radius();
  double sum = 0;
  forEachPoint(part.from, part.to, [&](double s, double weight) {
    sum += weight * 8 / 15 * std::sqrt(2 * R) * std::pow(std::max(line.at(s).depth, 0.0), 2.5);
  });
  for (double s : {-a.half(), a.half()}) {
    const double d = std::max(line.at(s).depth, 0.0);
    sum += 0.5 * pi * d * d * d * (R / 3 - d / 12);
  }
  return sum;
}

/// Who comes first in the laws: rounded ones before all, then the curved ones of which only a plane
/// knows.
int rank(const Solid& s) {
  switch (s.kind) {
    case Solid::Kind::Sphere:
      return 0;
    case Solid::Kind::Capsule:
      return 1;
    case Solid::Kind::Ellipsoid:
      return 2;
    case Solid::Kind::Cylinder:
    case Solid::Kind::Cone:
      return 3;
    case Solid::Kind::Polyhedron:
      return 4;
    case Solid::Kind::Plane:
      return 5;
    case Solid::Kind::Terrain:
      break;
  }
  return 6;
}

/// rank(a) <= rank(b)
template <class S>
double pressInOrder(const Solid& a, const Solid& b, const RelativePose<S>& pose, double kappa,
                    Pressures<S>& out) {
  if (b.isTerrain()) return pressOnTerrain(a, *b.terrain, pose, kappa, out);
  if (a.isRounded()) return pressLine(a, b, pose, kappa, out);
  if (b.isPlane() && a.kind != Solid::Kind::Polyhedron) {
    const CurvedOnPlane<S> c(a, pose);
    return c.press(kappa, out);
  }
  return pressBetween(a.faces, b.faces, pose, kappa, out);
}

/// Pieces from `first` on, made in the frame of the second body: in that of the first.
template <class S>
void turnRound(Pressures<S>& pieces, int first, const RelativePose<S>& pose) {
  for (int i = first; i < pieces.size; ++i) {
    Pressure<S>& p = pieces.piece[i];
    p.n = -(pose.R * p.n);
    p.o = pose.R * p.o + pose.t;
    p.m1 = pose.R * p.m1;
    p.m2 = p.m2.turned(pose.R);
  }
}

bool bothCapsules(const Solid& a, const Solid& b) {
  return a.kind == Solid::Kind::Capsule && b.kind == Solid::Kind::Capsule;
}

}  // namespace

bool hasLaw(const Solid& a, const Solid& b, std::string& why) {
  if (a.isGround() && b.isGround()) {
    why = a.isPlane() && b.isPlane() ? "both are planes" : "both are ground";
    return false;
  }
  for (const auto& [one, other] : {std::pair(&a, &b), {&b, &a}}) {
    if (one->kind == Solid::Kind::Ellipsoid && !other->isGround()) {
      why = "an ellipsoid touches ground alone";
      return false;
    }
  }
  return true;
}

template <class S>
double press(const Solid& a, const Solid& b, const RelativePose<S>& pose, double kappa,
             Pressures<S>& out) {
  if (bothCapsules(a, b)) {
    const double depth = pressInOrder(a, b, pose, 0.5 * kappa, out);
    const int first = out.size;
    pressInOrder(b, a, pose.inverse(), 0.5 * kappa, out);
    turnRound(out, first, pose);
    return depth;
  }
  if (rank(a) <= rank(b)) return pressInOrder(a, b, pose, kappa, out);
  const int first = out.size;
  const double depth = pressInOrder(b, a, pose.inverse(), kappa, out);
  turnRound(out, first, pose);
  return depth;
}
template double press(const Solid&, const Solid&, const RelativePose<double>&, double,
                      Pressures<double>&);
template double press(const Solid&, const Solid&, const RelativePose<Dual>&, double,
                      Pressures<Dual>&);

double energy(const Solid& a, const Solid& b, const RelativePose<double>& pose, double kappa) {
  if (bothCapsules(a, b))
    return 0.5 * kappa * (energyOfLine(a, b, pose) + energyOfLine(b, a, pose.inverse()));
  if (rank(a) > rank(b)) return energy(b, a, pose.inverse(), kappa);
  if (b.isTerrain()) return energyOnTerrain(a, *b.terrain, pose, kappa);
  if (a.isRounded()) return kappa * energyOfLine(a, b, pose);
  if (b.isPlane() && a.kind != Solid::Kind::Polyhedron)
    return kappa * CurvedOnPlane<double>(a, pose).energy();
  return energyBetween(a.faces, b.faces, pose, kappa);
}

namespace {

/// [m]  Between the bounding boxes, or the balls around them: the widest slab, < 0 where there is none.
double gapOfBoxes(const Solid& a, const Solid& b, const RelativePose<double>& pose) {
  const Vector3d half_a = 0.5 * a.extent, half_b = 0.5 * b.extent;
  const Matrix3d size = pose.R.cwiseAbs();
  if (b.isPlane()) return pose.R.col(2).dot(a.middle - pose.t) - half_a.dot(size.col(2));
  const Vector3d t = pose.t + pose.R * b.middle - a.middle;
  const Vector3d in_a = t.cwiseAbs() - half_a - size * half_b;
  const Vector3d in_b = (pose.R.transpose() * t).cwiseAbs() - half_b - size.transpose() * half_a;
  const double ofBalls = t.norm() - half_a.norm() - half_b.norm();
  return std::max({ofBalls, in_a.maxCoeff(), in_b.maxCoeff()});
}

/// Of solids nearer than `far` [m].
double gapNear(const Solid& a, const Solid& b, const RelativePose<double>& pose, double far) {
  if (b.isTerrain()) return gapToTerrain(a, *b.terrain, pose, far);
  if (a.isRounded()) {
    const Line<double> line(a, b, pose);
    double most = std::max(line.at(-a.half()).depth, line.at(a.half()).depth);
    if (a.half() > 0) {
      const double s = summit(line, -a.half(), a.half(), kFar, -kFar);
      most = std::max(most, line.at(s).depth);
    }
    return -most;
  }
  if (b.isPlane() && a.kind != Solid::Kind::Polyhedron) return CurvedOnPlane<double>(a, pose).gap();
  Pressures<double>& pieces = noPressures<double>();
  const double depth = pressBetween(a.faces, b.faces, pose, 1, pieces);
  return depth > 0 ? -depth : std::max(separation(a.faces, b.faces, pose), 0.0);
}

}  // namespace

double gap(const Solid& a, const Solid& b, const RelativePose<double>& pose) {
  if (rank(a) > rank(b)) return gap(b, a, pose.inverse());
  // Of the smaller one's reach: from there on it is a rough one; half as far, its own.
  constexpr double kFarOff = 0.2;
  const double far = kFarOff * (b.isTerrain() ? a.reach : std::min(a.reach, b.reach));
  double rough = gapOfBoxes(a, b, pose);
  // A small solid above hills is within their box for long.
  if (b.isTerrain()) rough = std::max(rough, gapOfBallToTerrain(a, *b.terrain, pose));
  if (rough >= far) return rough;
  const double exact = gapNear(a, b, pose, far);
  if (rough <= 0.5 * far) return exact;
  return rough + (exact - rough) * (2 - 2 * rough / far);
}

}  // namespace cardan::contact
