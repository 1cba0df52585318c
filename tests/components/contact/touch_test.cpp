/// Normal forces between solids against closed forms, their potential and differences.
#include "components/contact/touch.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "components/contact/terrain.h"

using namespace cardan;
using namespace cardan::contact;
using std::numbers::pi;

namespace {

Solid box(const Vector3d& size) {
  Solid s;
  s.faces = Polyhedron::box(size);
  s.extent = size;
  s.reach = 0.5 * size.norm();
  return s;
}
Solid rounded(Solid::Kind kind, double radius, double length) {
  Solid s;
  s.kind = kind;
  s.radius = radius;
  s.length = kind == Solid::Kind::Sphere ? 0 : length;
  s.faces = Polyhedron::frustum(radius, radius, std::max(length, 1e-3), 48);
  s.extent = {2 * radius, 2 * radius, 2 * radius + s.length};
  s.reach = radius + length;
  return s;
}
Solid cone(double radius, double length) {
  Solid s = rounded(Solid::Kind::Cone, radius, length);
  s.faces = Polyhedron::frustum(radius, 0, length, 48);
  s.extent[2] = length;
  return s;
}
Solid ellipsoid(const Vector3d& radii) {
  Solid s;
  s.kind = Solid::Kind::Ellipsoid;
  s.radii = radii;
  s.extent = 2 * radii;
  s.reach = radii.maxCoeff();
  return s;
}
Solid plane() {
  Solid s;
  s.kind = Solid::Kind::Plane;
  s.faces = Polyhedron::halfSpace(Vector3d::UnitZ());
  return s;
}
/// Ground of triangles about 0.04 m wide that rises and falls by `rise` [m], with another form for each seed.
Solid hills(double rise, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  constexpr int kSide = 13;
  Vector3d top[kSide][kSide];
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j)
      top[i][j] = Vector3d(0.04 * (j - 6) + 0.01 * any(random), 0.04 * (i - 6) + 0.01 * any(random),
                           rise * any(random));
  }
  std::vector<std::array<Vector3d, 3>> corners;
  for (int i = 0; i + 1 < kSide; ++i) {
    for (int j = 0; j + 1 < kSide; ++j) {
      corners.push_back({top[i][j], top[i][j + 1], top[i + 1][j]});
      corners.push_back({top[i][j + 1], top[i + 1][j + 1], top[i + 1][j]});
    }
  }
  Solid s;
  s.kind = Solid::Kind::Terrain;
  const auto ground = std::make_shared<Terrain>(corners);
  s.extent = ground->high - ground->low;
  s.middle = 0.5 * (ground->high + ground->low);
  s.reach = s.extent.norm();
  s.terrain = ground;
  return s;
}
Solid icosahedron(double radius) {
  const double g = (1 + std::sqrt(5.0)) / 2;
  std::vector<Vector3d> v;
  for (double s : {-1.0, 1.0}) {
    for (double t : {-g, g}) {
      for (const Vector3d& p : {Vector3d(0, s, t), Vector3d(s, t, 0), Vector3d(t, 0, s)})
        v.push_back(p.normalized() * radius);
    }
  }
  Solid s;
  s.faces = Polyhedron::hull(v);
  s.extent = Vector3d::Constant(2 * radius);
  s.reach = radius;
  return s;
}

Matrix3d turned(const Vector3d& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

/// B stands at `pose` of A.
NormalLoad<double> load(const Solid& a, const Solid& b, const RelativePose<double>& pose,
                        double kappa = 1) {
  static Pressures<double> p;
  p.size = 0;
  press(a, b, pose, kappa, p);
  return sumOf(p, {Vector3d::Zero(), Vector3d::Zero()}, {});
}

/// A body of radius 0.06 or so on another, a little overlapping.
struct Case {
  std::string name;
  Solid a, b;
};
std::vector<Case> cases() {
  const Solid cube = box({0.1, 0.08, 0.12}), ball = rounded(Solid::Kind::Sphere, 0.05, 0),
              pill = rounded(Solid::Kind::Capsule, 0.04, 0.08),
              can = rounded(Solid::Kind::Cylinder, 0.05, 0.1);
  return {{"box on plane", cube, plane()},
          {"plane below box", plane(), cube},
          {"box on box", cube, cube},
          {"icosahedron on box", icosahedron(0.06), cube},
          {"ball on plane", ball, plane()},
          {"ball on box", ball, cube},
          {"box on ball", cube, ball},
          {"ball on ball", ball, ball},
          {"ball on can", ball, can},
          {"pill on plane", pill, plane()},
          {"pill on box", pill, cube},
          {"pill on ball", pill, ball},
          {"pill on pill", pill, pill},
          {"can on plane", can, plane()},
          {"plane below can", plane(), can},
          {"can on box", can, cube},
          {"cone on plane", cone(0.05, 0.1), plane()},
          {"plane below cone", plane(), cone(0.05, 0.1)},
          {"cone on can", cone(0.05, 0.1), can},
          {"ellipsoid on plane", ellipsoid({0.05, 0.06, 0.04}), plane()},
          {"box on hills", cube, hills(0.01)},
          {"hills below box", hills(0.01), cube},
          {"icosahedron on hills", icosahedron(0.06), hills(0.01)},
          {"ball on hills", ball, hills(0.01)},
          {"pill on hills", pill, hills(0.01)},
          {"can on hills", can, hills(0.01)},
          {"cone on hills", cone(0.05, 0.1), hills(0.01)},
          {"ellipsoid on hills", ellipsoid({0.05, 0.06, 0.04}), hills(0.01)}};
}

/// A pose of B in which it overlaps A by `depth`.
RelativePose<double> touching(const Case& c, std::mt19937& random, double depth) {
  std::normal_distribution<double> normal;
  const auto direction = [&] { return Vector3d(normal(random), normal(random), normal(random)); };
  RelativePose<double> p{turned(direction(), 3 * normal(random)), Vector3d::Zero()};
  Vector3d away = direction().normalized();
  if (c.b.isGround()) away = -p.R.col(2);
  if (c.a.isGround()) away = Vector3d::UnitZ();
  double low = -0.01, high = 0.5;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    p.t = middle * away;
    (gap(c.a, c.b, p) < -depth ? low : high) = middle;
  }
  p.t = low * away;
  return p;
}

}  // namespace

TEST_CASE("Convex hulls have the faces, edges and planes of their bodies") {
  const Polyhedron cube = Polyhedron::box({2, 4, 6});
  CHECK(cube.faces.size() == 6);
  CHECK(cube.edges.size() == 12);
  CHECK(cube.directions.size() == 3);
  for (const Polyhedron::Face& f : cube.faces) {
    CHECK(f.c == doctest::Approx(std::abs(f.n.dot(Vector3d(1, 2, 3)))));
    CHECK(f.corners.size() == 4);
  }
  std::vector<Vector3d> points = cube.vertices;
  points.emplace_back(0.1, 0.2, 0.3);
  points.emplace_back(1, 0.5, 0);
  points.emplace_back(1, 2, 0);
  const Polyhedron same = Polyhedron::hull(points);
  CHECK(same.faces.size() == 6);
  CHECK(same.vertices.size() >= 8);
  CHECK(icosahedron(1).faces.faces.size() == 20);
  const Polyhedron prism = Polyhedron::frustum(1, 1, 2, 48);
  CHECK(prism.faces.size() == 50);
  CHECK(prism.edges.size() == 144);
  CHECK(Polyhedron::frustum(1, 0, 2, 48).faces.size() == 49);
  CHECK(Polyhedron::hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 3, 0}}).faces.empty());
}

/// Volumes by hand: kappa h^n (acceptance of the law).
TEST_CASE("Corners, edges and faces press as their overlaps say") {
  const double h = 1e-4, L = 0.1;
  const Solid cube = box({L, L, L});
  const auto onPlane = [&](const Matrix3d& R, double height) {
    return load(cube, plane(), {R.transpose(), R.transpose() * Vector3d(0, 0, -height)}).elastic;
  };
  const Matrix3d edge = turned({1, 0, 0}, pi / 4);
  CHECK(onPlane(Matrix3d::Identity(), L / 2 - h) == doctest::Approx(L * L * h).epsilon(1e-9));
  CHECK(onPlane(edge, L / std::sqrt(2.0) - h) == doctest::Approx(L * h * h).epsilon(1e-9));
  const Matrix3d corner =
      Eigen::Quaterniond::FromTwoVectors(Vector3d(1, 1, 1), Vector3d(0, 0, -1)).toRotationMatrix();
  CHECK(onPlane(corner, L * std::sqrt(3.0) / 2 - h) ==
        doctest::Approx(std::sqrt(3.0) / 2 * h * h * h).epsilon(1e-6));
  const Solid big = box({1, 1, 1});
  const auto onBox = [&](const Matrix3d& R, double height) {
    return load(cube, big, {R.transpose(), R.transpose() * Vector3d(0, 0, -height - 0.5)}).elastic;
  };
  CHECK(onBox(Matrix3d::Identity(), L / 2 - h) == doctest::Approx(L * L * h).epsilon(2e-3));
  CHECK(onBox(edge, L / std::sqrt(2.0) - h) ==
        doctest::Approx(L * h * h * (1 + 1 / std::sqrt(2.0)) / 2).epsilon(1e-3));
  CHECK(onBox(corner, L * std::sqrt(3.0) / 2 - h) ==
        doctest::Approx(0.6830 * h * h * h).epsilon(1e-3));
  // Edges at right angles, both on their backs.
  const Matrix3d other = turned({0, 1, 0}, pi / 4);
  const RelativePose<double> crossed{edge.transpose() * other,
                                     edge.transpose() * Vector3d(0, 0, -std::sqrt(2.0) * L + h)};
  CHECK(load(cube, cube, crossed).elastic == doctest::Approx(0.4714 * h * h * h).epsilon(1e-3));
}

TEST_CASE("Round bodies press as their volumes below a plane say") {
  const double R = 0.03, L = 0.1, h = 1e-4;
  const auto onPlane = [&](const Solid& s, const Matrix3d& T, double height) {
    return load(s, plane(), {T.transpose(), T.transpose() * Vector3d(0, 0, -height)}).elastic;
  };
  const Solid can = rounded(Solid::Kind::Cylinder, R, L);
  CHECK(onPlane(can, Matrix3d::Identity(), L / 2 - h) == doctest::Approx(pi * R * R * h));
  const double a = std::acos(1 - h / R), segment = R * R * (a - std::sin(a) * std::cos(a));
  CHECK(onPlane(can, turned({1, 0, 0}, pi / 2), R - h) == doctest::Approx(segment * L));
  // Of a cone all above the depth is left out, or all below it; on its side, depths are in proportion to radii.
  const Solid hat = cone(R, L);
  const double whole = pi * R * R * L / 3;
  CHECK(onPlane(hat, Matrix3d::Identity(), L / 2 - h) ==
        doctest::Approx(whole * (1 - std::pow(1 - h / L, 3))));
  CHECK(onPlane(hat, turned({1, 0, 0}, pi), L / 2 - 0.3 * L) ==
        doctest::Approx(whole * std::pow(0.3, 3)));
  const double lean = std::atan(R / L), middle = L / 2 * std::sin(lean);
  CHECK(onPlane(hat, turned({1, 0, 0}, pi / 2 + lean), middle) < 1e-18);
  CHECK(onPlane(hat, turned({1, 0, 0}, pi / 2), 0) == doctest::Approx(whole / 2));
  // A strip of the depth h beside the line from the base to the apex, as wide as 2 sqrt(2 rho h), rho the radius of
  // curvature: of r/cos(lean) at the slice r.
  const double strip =
      4.0 / 3 * std::pow(h, 1.5) * std::sqrt(2 * R / std::cos(lean)) * L / std::cos(lean) * 2 / 3;
  CHECK(onPlane(hat, turned({1, 0, 0}, pi / 2 + lean), middle - h) ==
        doctest::Approx(strip).epsilon(0.01));
  const double cap = pi * h * h * (R - h / 3);
  CHECK(onPlane(rounded(Solid::Kind::Sphere, R, 0), turned({1, 2, 3}, 1), R - h) ==
        doctest::Approx(cap));
  CHECK(onPlane(ellipsoid({R, R, R}), turned({1, 2, 3}, 1), R - h) == doctest::Approx(cap));
  // Twice as wide in x: twice the volume.
  CHECK(onPlane(ellipsoid({2 * R, R, R}), Matrix3d::Identity(), R - h) == doctest::Approx(2 * cap));
  CHECK(onPlane(rounded(Solid::Kind::Capsule, R, L), turned({1, 0, 0}, pi / 2), R - h) ==
        doctest::Approx(segment * L + cap).epsilon(2e-3));
}

/// Where sides lie in one plane, all corners of the section do, too.
TEST_CASE("Balls and capsules whose middles meet press by their potential, and not at all there") {
  const double R = 0.05, core = 0.1 * R, h = 1e-7;
  const Solid ball = rounded(Solid::Kind::Sphere, R, 0),
              pill = rounded(Solid::Kind::Capsule, R, 0.08);
  for (const Solid* other : {&ball, &pill}) {
    const auto at = [](double x) {
      RelativePose<double> pose;
      pose.R.setIdentity();
      pose.t = {x, 0, 0};
      return pose;
    };
    const auto force = [&](double x) {
      Pressures<double> pieces;
      press(ball, *other, at(x), 1e6, pieces);
      return sumOf(pieces, {Vector3d::Zero(), Vector3d::Zero()}, {}).f_e[0];
    };
    CHECK(force(0) == 0);
    for (const double share : {1e-3, 0.5, 0.99, 1.0, 1.01, 2.0}) {
      CAPTURE(share);
      const double x = share * core;
      const double slope =
          (energy(ball, *other, at(x + h), 1e6) - energy(ball, *other, at(x - h), 1e6)) / (2 * h);
      // Of third derivatives over h, of which there is one at the border of the core: h/core.
      CHECK(std::abs(force(x) - slope) < 2 * h / core * std::abs(force(core)));
      CHECK(std::isfinite(gap(ball, *other, at(x))));
    }
  }
}

TEST_CASE("Bodies with flush sides overlap as deep as others") {
  const Solid a = box({0.1, 0.1, 0.1});
  for (double depth : {1e-9, 1e-5, 1e-2}) {
    CHECK(gap(a, a, {Matrix3d::Identity(), {0, 0, -0.1 + depth}}) ==
          doctest::Approx(-depth).epsilon(1e-6));
    CHECK(gap(a, a, {Matrix3d::Identity(), {0, 0, -0.1 - depth}}) ==
          doctest::Approx(depth).epsilon(1e-6));
  }
}

/// Force and torque are minus the gradient of the energy, and Newton's third law holds.
TEST_CASE("The normal forces of all pairs have their potential") {
  std::mt19937 random(7);
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    // Where an ellipsoid lies on faces of several directions, by as much as its sizes along them differ.
    const bool isAbout = c.a.kind == Solid::Kind::Ellipsoid && c.b.isTerrain();
    const double precision = isAbout ? 0.1 : 2e-3;
    // Prisms have faces that differ little, and lines their quadrature.
    for (int k = 0; k < 6; ++k) {
      const RelativePose<double> p = touching(c, random, 1e-3);
      const NormalLoad<double> l = load(c.a, c.b, p);
      REQUIRE(l.elastic > 0);
      const auto slope = [&](auto moved, double h) {
        return (8 * (energy(c.a, c.b, moved(h), 1) - energy(c.a, c.b, moved(-h), 1)) -
                (energy(c.a, c.b, moved(2 * h), 1) - energy(c.a, c.b, moved(-2 * h), 1))) /
               (12 * h);
      };
      const Vector3d torque = l.t_e - p.t.cross(l.f_e);
      for (int i = 0; i < 3; ++i) {
        const double f = slope(
            [&](double h) {
              RelativePose<double> q = p;
              q.t[i] += h;
              return q;
            },
            2e-5);
        CHECK(f == doctest::Approx(l.f_e[i]).epsilon(precision).scale(l.elastic));
        const double t = slope(
            [&](double h) {
              return RelativePose<double>{turned(Vector3d::Unit(i), h) * p.R, p.t};
            },
            4e-4);
        CHECK(t == doctest::Approx(torque[i]).epsilon(precision).scale(l.elastic * 0.05));
      }
    }
  }
}

TEST_CASE("Two shapes press each other alike whichever comes first") {
  std::mt19937 random(3);
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    const RelativePose<double> p = touching(c, random, 1e-3);
    const NormalLoad<double> l = load(c.a, c.b, p), m = load(c.b, c.a, p.inverse());
    CHECK((l.f_e + p.R * m.f_e).norm() < 1e-12 * l.elastic);
    CHECK(l.r_g2 == doctest::Approx(m.r_g2).epsilon(1e-9));
    CHECK((l.c - p.R * m.c - p.t).norm() < 1e-12);
    CHECK(gap(c.a, c.b, p) == doctest::Approx(gap(c.b, c.a, p.inverse())));
  }
}

/// Nothing that moves by less than it can touch.
TEST_CASE("The gap is at most the distance, and does not jump into that of the boxes") {
  std::mt19937 random(13);
  std::normal_distribution<double> normal;
  const auto direction = [&] {
    return Vector3d(normal(random), normal(random), normal(random)).normalized();
  };
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    for (int trial = 0; trial < 5; ++trial) {
      const RelativePose<double> start = touching(c, random, -1e-4);
      const Vector3d away = (c.b.isGround()   ? Vector3d(-start.R.col(2))
                             : c.a.isGround() ? Vector3d(Vector3d::UnitZ())
                                              : Vector3d(start.t.normalized())),
                     by = direction();
      const auto at = [&](double s) {
        return RelativePose<double>{start.R, start.t + 0.1 * s * away};
      };
      const int n = 1600;
      double before = gap(c.a, c.b, at(0)), most = 0;
      for (int i = 1; i <= n; ++i) {
        RelativePose<double> p = at(1.0 * i / n);
        const double g = gap(c.a, c.b, p);
        REQUIRE(g > 0);
        most = std::max(most, std::abs(g - before));
        before = g;
        p.t += 0.999 * g * by;
        CHECK(load(c.a, c.b, p).elastic == 0);
      }
      // Between polyhedra the widest slab is told of, by faces first.
      const bool bend = c.a.isRounded() || c.b.isRounded() || c.a.isPlane() || c.b.isPlane();
      // A distance of up to 0.1 m comes in place of that of the boxes over a tenth of a reach.
      const double slope = 1 + 0.1 / (0.1 * std::min(c.a.reach, c.b.reach));
      if (bend) CHECK(most < 0.1 / n * slope);
    }
  }
}

/// Derivatives by pose and velocity, with damping, against differences.
TEST_CASE("Derivatives of the damped normal forces are exact") {
  std::mt19937 random(5);
  const Restitution damped{0.8, 1e-3};
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    // Of round ones those of the quadrature are left out; next to a corner of triangles the depth of the
    // ground may jump.
    const bool onHills = c.a.isTerrain() || c.b.isTerrain();
    const bool isFlat = !c.a.isRounded() && c.a.kind != Solid::Kind::Ellipsoid;
    const double precision = !onHills ? 1e-4 : isFlat ? 0.1 : 1e-3;
    for (int trial = 0; trial < 4; ++trial) {
      const RelativePose<double> p = touching(c, random, 1e-3);
      const RelativeVelocity<double> u{{0.2, -0.1, 0.3}, {1, 2, -1}};
      using Twelve = Eigen::Matrix<double, 12, 1>;
      const Twelve move = Twelve::NullaryExpr(
          [&](Eigen::Index) { return std::uniform_real_distribution<double>(-1, 1)(random); });
      const auto moved = [&](double h) {
        const Vector3d turn = h * move.segment<3>(3);
        static Pressures<double> pieces;
        pieces.size = 0;
        press(c.a, c.b,
              RelativePose<double>{turned(turn, turn.norm()) * p.R, p.t + 0.1 * h * move.head<3>()},
              1, pieces);
        const NormalLoad<double> l =
            sumOf(pieces, {u.v + h * move.segment<3>(6), u.w + h * move.tail<3>()}, damped);
        Eigen::Matrix<double, 10, 1> out;
        out << l.f, l.t, l.c, l.r_g2;
        return out;
      };
      const double h = 1e-6;
      const Eigen::Matrix<double, 10, 1> expected =
          (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
      RelativePose<Dual> q;
      RelativeVelocity<Dual> w;
      const Vector3d turn = move.segment<3>(3);
      for (int i = 0; i < 3; ++i) {
        const Vector3d column = turn.cross(p.R.col(i));
        for (int k = 0; k < 3; ++k) {
          q.R(k, i) = Dual(p.R(k, i));
          q.R(k, i).setLane(0, column[k]);
        }
        q.t[i] = Dual(p.t[i]);
        q.t[i].setLane(0, 0.1 * move[i]);
        w.v[i] = Dual(u.v[i]);
        w.v[i].setLane(0, move[6 + i]);
        w.w[i] = Dual(u.w[i]);
        w.w[i].setLane(0, move[9 + i]);
      }
      static Pressures<Dual> pieces;
      pieces.size = 0;
      press(c.a, c.b, q, 1, pieces);
      const NormalLoad<Dual> l = sumOf(pieces, w, damped);
      const double size = expected.head<3>().norm();
      for (int i = 0; i < 3; ++i) {
        CHECK(l.f[i].lane(0) == doctest::Approx(expected[i]).epsilon(precision).scale(size));
        CHECK(l.t[i].lane(0) == doctest::Approx(expected[3 + i]).epsilon(precision).scale(size));
        CHECK(l.c[i].lane(0) == doctest::Approx(expected[6 + i])
                                    .epsilon(precision)
                                    .scale(expected.segment<3>(6).norm()));
      }
      CHECK(l.r_g2.lane(0) == doctest::Approx(expected[9]).epsilon(precision).scale(1e-3));
    }
  }
}

TEST_CASE(
    "Flat ground of triangles presses as a plane does, whatever lies on it and however it is cut") {
  std::mt19937 random(17);
  for (const Case& c : cases()) {
    if (!c.b.isPlane()) continue;
    CAPTURE(c.name);
    for (unsigned trial = 0; trial < 20; ++trial) {
      const Solid flat = hills(0, trial);
      const RelativePose<double> p = touching(c, random, 1e-4 * std::pow(10, trial % 3));
      const NormalLoad<double> plane = load(c.a, c.b, p);
      // Cylinders and cones have 48 sides here.
      const bool isPrism = c.a.kind == Solid::Kind::Cylinder || c.a.kind == Solid::Kind::Cone;
      if (isPrism) continue;
      const NormalLoad<double> ground = load(c.a, flat, p);
      CHECK((ground.f_e - plane.f_e).norm() < 1e-9 * plane.elastic);
      CHECK((ground.t_e - plane.t_e).norm() < 1e-9 * plane.elastic * 0.05);
      CHECK((ground.c - plane.c).norm() < 1e-9);
      CHECK(ground.r_g2 == doctest::Approx(plane.r_g2).epsilon(1e-6));
      CHECK(ground.area == doctest::Approx(plane.area).epsilon(1e-6));
      CHECK(energy(c.a, flat, p, 1) == doctest::Approx(energy(c.a, c.b, p, 1)).epsilon(1e-9));
      CHECK(gap(c.a, flat, p) == doctest::Approx(gap(c.a, c.b, p)).epsilon(1e-9));
    }
  }
}

TEST_CASE("The potential of a body inside another one is no other where faces lie in one plane") {
  const Solid large = box({2, 2, 2}), small = box({0.5, 0.5, 0.5});
  for (const Vector3d& at : {Vector3d(0, 0.75, 0), {0.75, -0.75, 0}, {-0.75, 0.75, 0.75}}) {
    const auto moved = [&](double k) {
      return RelativePose<double>{Matrix3d::Identity(), Vector3d(k * at)};
    };
    const double flush = energy(large, small, moved(1), 1e6);
    CHECK(flush == doctest::Approx(energy(large, small, moved(1 - 1e-7), 1e6)).epsilon(1e-5));
    CHECK(flush == doctest::Approx(energy(small, large, moved(-1), 1e6)).epsilon(1e-9));
  }
}

TEST_CASE("Damping never pulls and never drives") {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    for (int trial = 0; trial < 20; ++trial) {
      const RelativePose<double> p = touching(c, random, 1e-3);
      static Pressures<double> pieces;
      pieces.size = 0;
      press(c.a, c.b, p, 1, pieces);
      const auto any = [&]() -> Vector3d {
        return 10 * Vector3d(normal(random), normal(random), normal(random));
      };
      const RelativeVelocity<double> u{any(), any()};
      const NormalLoad<double> l = sumOf(pieces, u, {0.995, 1e-4});
      CHECK(l.f.dot(l.n) >= -1e-9 * l.elastic);
      const double power = (l.f - l.f_e).dot(u.v) + (l.t - l.t_e).dot(u.w);
      CHECK(power <= 1e-9 * l.elastic);
      const RelativePose<double> apart = touching(c, random, -1e-2);
      CHECK(gap(c.a, c.b, apart) > 0);
      CHECK(load(c.a, c.b, apart).elastic == 0);
    }
  }
}

/// The force is Lipschitz: halving the way between neighbours halves what it changes by.
TEST_CASE("No pose makes the force jump") {
  const Solid a = box({0.1, 0.1, 0.1});
  const auto sweep = [&](auto poseAt) {
    double most[2];
    for (int level = 0; level < 2; ++level) {
      const int n = level == 0 ? 1600 : 6400;
      Vector3d before = Vector3d::Zero();
      double greatest = 0;
      most[level] = 0;
      for (int i = 0; i <= n; ++i) {
        const Vector3d f = load(a, a, poseAt(2.0 * i / n - 1)).f_e;
        if (i > 0) most[level] = std::max(most[level], (f - before).norm());
        greatest = std::max(greatest, f.norm());
        before = f;
      }
      REQUIRE(greatest > 0);
    }
    return most[0] / most[1];
  };
  const double h = 1e-4;
  const auto at = [](const Matrix3d& R, const Vector3d& t) { return RelativePose<double>{R, t}; };
  const Matrix3d flat = Matrix3d::Identity(), leaning = turned({0, 1, 0}, 1e-3);
  const auto steady = [](double ratio) { return ratio > 3.8 && ratio < 4.2; };
  CHECK(steady(sweep([&](double s) { return at(flat, {0.12 * s, 0, -0.1 + h}); })));
  CHECK(steady(sweep([&](double s) { return at(leaning, {0.12 * s, 0, -0.1 + h}); })));
  CHECK(steady(sweep([&](double s) { return at(turned({0, 1, 0}, 0.01 * s), {0, 0, -0.1 + h}); })));
  CHECK(steady(sweep([&](double s) { return at(turned({0, 0, 1}, s), {0, 0, -0.1 + h}); })));
  CHECK(steady(sweep([&](double s) { return at(flat, {0, 0, -0.1 + 0.01 * s}); })));
}

TEST_CASE("CurvedOnPlane: a cylinder that all but lies is set upright in proportion to its lean") {
  // Its torque is kappa b L^3/12 times the lean, b the width of the strip below the plane.
  const double R = 0.03, L = 0.1, depth = 3e-5, kappa = 1e9;
  const Solid a = rounded(Solid::Kind::Cylinder, R, L);
  const double b = 2 * std::sqrt(2 * R * depth - depth * depth);
  const double stiffness = kappa * b * L * L * L / 12;
  for (const double lean :
       {-1e-7, -1.1e-8, -0.9e-8, -1e-9, -1e-12, 0.0, 1e-12, 1e-9, 0.9e-8, 1.1e-8, 1e-7}) {
    CAPTURE(lean);
    const Matrix3d R_plane = turned({1, 0, 0}, pi / 2 + lean);
    const NormalLoad<double> l = load(a, plane(), {R_plane, -R_plane.col(2) * (R - depth)}, kappa);
    CHECK(std::abs(l.t[0] - stiffness * lean) < 1e-3 * stiffness * std::abs(lean) + 1e-12);
  }
}

/// What rolls on its side or on its rim turns about the horizontal part of its axis.
TEST_CASE(
    "CurvedOnPlane: damping resists what rocks on a base, not what rolls on a rim or a side") {
  const double R = 0.03, L = 0.1, h = 1e-6;
  const auto lost = [&](const Solid& s, double lean) {
    const Matrix3d T = turned({1, 0, 0}, lean);  // its axis leans towards -y
    const double height = L / 2 * std::cos(lean) + R * std::sin(lean) - h;
    static Pressures<double> pieces;
    pieces.size = 0;
    press(s, plane(), {T.transpose(), T.transpose() * Vector3d(0, 0, -height)}, 1, pieces);
    const NormalLoad<double> still =
        sumOf(pieces, {Vector3d::Zero(), Vector3d::Zero()}, Restitution{});
    const Vector3d w = T.transpose() * Vector3d(0, 1, 0);
    const RelativeVelocity<double> rolling{-w.cross(still.c), w};  // about where it touches
    const NormalLoad<double> l = sumOf(pieces, rolling, {0.8, 1e-9});
    return -((l.f - l.f_e).dot(rolling.v) + (l.t - l.t_e).dot(w)) / l.elastic;
  };
  for (const Solid& s : {rounded(Solid::Kind::Cylinder, R, L), cone(R, L)}) {
    const bool isCone = s.kind == Solid::Kind::Cone;
    // 0.8 of the root mean square of what approaches over a disc: R/2.
    CHECK(lost(s, 0) == doctest::Approx(0.4 * R).epsilon(1e-3));
    // Next to nothing of the half width of the patch, sqrt(2 R h/sin(lean)).
    for (const double lean : {0.1, 0.5, isCone ? pi / 2 + std::atan(R / L) : pi / 2}) {
      CAPTURE(lean);
      CHECK(lost(s, lean) < 0.05 * std::sqrt(2 * R * h));
    }
  }
}

/// With derivatives by shifts of the ground: a tie between triangles must leave none open.
TEST_CASE(
    "Round bodies press flat triangles as a plane, above a corner, an edge or a face of them") {
  const Solid ground = hills(0);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto loadOn = [](const Solid& a, const Solid& b, const RelativePose<double>& pose) {
    RelativePose<Dual> varied;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) varied.R(i, j) = Dual(pose.R(i, j));
      varied.t[i] = Dual(pose.t[i]);
      varied.t[i].setLane(i, 1);
    }
    Pressures<Dual>& pieces = noPressures<Dual>();
    press(a, b, varied, 1, pieces);
    const NormalLoad<Dual> l = sumOf(pieces, {Vector3<Dual>::Zero(), Vector3<Dual>::Zero()}, {});
    Eigen::Matrix<double, 6, 4> all;
    for (int i = 0; i < 3; ++i) {
      all(i, 0) = value(l.f[i]);
      all(3 + i, 0) = value(l.t[i]) / a.reach;
      for (int k = 0; k < 3; ++k) {
        all(i, k + 1) = 1e-4 * l.f[i].lane(k);
        all(3 + i, k + 1) = 1e-4 * l.t[i].lane(k) / a.reach;
      }
    }
    return all;
  };
  for (const Solid& a :
       {rounded(Solid::Kind::Sphere, 0.05, 0), rounded(Solid::Kind::Capsule, 0.04, 0.02),
        ellipsoid({0.05, 0.06, 0.04})}) {
    for (const Terrain::Triangle& triangle : ground.terrain->triangles) {
      const auto& [p, q, r] = triangle.corner;
      if (p.norm() > 0.1) continue;
      const Vector3d beside(any(random), any(random), 0);
      for (const Vector3d& place :
           {p, q, Vector3d(0.5 * (p + q)), Vector3d(0.7 * q + 0.3 * r), Vector3d((p + q + r) / 3),
            Vector3d(p + 1e-9 * beside), Vector3d(p + 1e-16 * beside)}) {
        const Vector3d axis(any(random), any(random), any(random));
        const bool isBall = a.kind == Solid::Kind::Sphere;
        const Matrix3d R = turned(isBall ? axis : Vector3d(0, 0, 1), 2 * any(random));
        const RelativePose<double> pose{R, R.col(2) * (1e-4 - a.extent[2] / 2) - R * place};
        const auto expected = loadOn(a, plane(), pose), all = loadOn(a, ground, pose);
        CHECK((all - expected).norm() < 1e-6 * expected.norm());
        CHECK((all - expected).col(0).norm() < 1e-10 * expected.norm());
        CHECK(energy(a, ground, pose, 1) ==
              doctest::Approx(energy(a, plane(), pose, 1)).epsilon(1e-6));
      }
    }
  }
}
