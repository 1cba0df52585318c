#include "engine/robots/colliders.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/convex_hull.h"
#include "components/surface.h"
#include "engine/expression/value.h"
#include "engine/robots/model_values.h"
#include "engine/text/listing.h"
#include "frames/algebra.h"

namespace cardan::robots {
namespace {

using Kind = Collider::Kind;

constexpr const char* kWords[] = {"plane",     "sphere", "capsule", "cylinder",
                                  "ellipsoid", "box",    "hull",    "heights"};

/// Of the corners of a hull those that are farthest in directions all around: of so many the hull has no
/// more faces than a contact takes.
std::vector<Vector3d> farthest(const std::vector<Vector3d>& corners) {
  constexpr int kMostCorners = kMostFaces / 2 + 2;  // Euler: triangles are twice as many less four
  constexpr double kGoldenAngle = 2.399963229728653;
  std::vector<Vector3d> kept;
  const auto keep = [&](const Vector3d& n) {
    kept.push_back(
        *std::ranges::max_element(corners, {}, [&](const Vector3d& p) { return n.dot(p); }));
  };
  for (int i = 0; i < 3; ++i) {
    keep(Vector3d::Unit(i));
    keep(-Vector3d::Unit(i));
  }
  const int around = kMostCorners - std::ssize(kept);
  for (int i = 0; i < around; ++i) {
    const double z = 1 - (2 * i + 1.0) / around, across = std::sqrt(1 - z * z);
    keep({across * std::cos(kGoldenAngle * i), across * std::sin(kGoldenAngle * i), z});
  }
  return kept;
}

/// [m]  How far the points are outside a hull.
double heightOver(const ConvexHull& hull, const std::vector<Vector3d>& points) {
  double most = 0;
  for (const auto& [a, b, c] : hull.triangles) {
    const Vector3d& o = hull.points[a];
    const Vector3d n =
        cross(Vector3d(hull.points[b] - o), Vector3d(hull.points[c] - o)).normalized();
    for (const Vector3d& p : points) most = std::max(most, n.dot(p - o));
  }
  return most;
}

/// [m]  To a picometre.
Vector3d placeOf(const Vector3d& r) {
  return r.unaryExpr([](double x) { return rounded(x, 1, 13); });
}

/// [deg]  Of the rotations about x, y and z, the latter two as they are turned, that make R.
Vector3d anglesOf(const Matrix3d& R, bool isRound) {
  constexpr double kDegrees = 180 / std::numbers::pi, kUpright = 1e-9;
  const Vector3d z = R.col(2);
  const double across = std::hypot(z[1], z[2]);
  Vector3d a{0, std::atan2(z[0], across), 0};
  if (across > kUpright) a[0] = std::atan2(-z[1], z[2]);
  if (!isRound)
    a[2] = across > kUpright ? std::atan2(-R(0, 1), R(0, 0)) : std::atan2(R(1, 0), R(1, 1));
  return (a * kDegrees).unaryExpr([](double x) { return rounded(x, 100, 14); });
}

void addSize(const Collider& c, ArgumentList& a) {
  switch (c.kind) {
    case Kind::plane:
      break;
    case Kind::sphere:
      a.add("radius", rounded(c.size[0]));
      break;
    case Kind::capsule:
    case Kind::cylinder:
      a.add("radius", rounded(c.size[0])).add("length", rounded(c.size[1]));
      break;
    case Kind::ellipsoid:
    case Kind::box:
      a.add(c.kind == Kind::box ? "size" : "radii", rounded(c.size));
      break;
    case Kind::hull: {
      std::vector<YamlNode> rows;
      for (const Vector3d& p : c.points) rows.push_back(valueOf(p, a.at()));
      a.addNode("points", listOf(std::move(rows), a.at()));
      break;
    }
    case Kind::heights: {
      constexpr int kDigits = 8;  // of single precision
      std::vector<YamlNode> rows;
      for (const std::vector<double>& heights : c.heights) {
        std::vector<YamlNode> row;
        for (const double z : heights)
          row.push_back(valueOf(rounded(z, std::max(std::abs(z), 1e-9), kDigits), a.at()));
        rows.push_back(listOf(std::move(row), a.at()));
      }
      a.addNode("heights", listOf(std::move(rows), a.at()));
      a.addNode("spacing",
                listOf({valueOf(rounded(c.size[0]), a.at()), valueOf(rounded(c.size[1]), a.at())},
                       a.at()));
    }
  }
}

}  // namespace

void Untouched::add(const std::string& name, const std::string& what, const SourceMark& at,
                    const std::string& why) {
  auto reason = std::ranges::find(reasons_, why, &Reason::why);
  if (reason == reasons_.end()) reason = reasons_.insert(reason, {why, name, at, {}});
  reason->what.push_back(what);
}

void Untouched::tell(ImportReport& report) const {
  constexpr size_t kMost = 10;
  for (const Reason& r : reasons_) {
    std::vector<std::string> each;
    for (const std::string& w : r.what) {
      if (std::ranges::find(each, w) == each.end()) each.push_back(w);
    }
    report.warn(r.name, r.at,
                noun_ + " " + joinMost(each, kMost) + (each.size() > 1 ? " touch" : " touches") +
                    " nothing: " + r.why);
  }
}

YamlNode argumentsOf(const Collider& c) {
  ArgumentList a(c.element->mark());
  a.addWord("shape", kWords[static_cast<size_t>(c.kind)]);
  const Vector3d r = placeOf(c.pose.r);
  if (r != Vector3d::Zero()) a.add("r", r);
  if (c.kind == Kind::plane) {
    a.add("n", placeOf(c.pose.R.col(2)));
  } else if (c.kind != Kind::sphere) {
    const Vector3d angles = anglesOf(c.pose.R, c.kind == Kind::capsule || c.kind == Kind::cylinder);
    if (angles != Vector3d::Zero()) a.add("angles", angles);
  }
  addSize(c, a);
  if (!c.isDrawn) {
    a.addWord("animation", "false");
  } else if (c.color) {
    a.add("color", Vector3d((255 * Vector3d(c.color->data())).array().round()));
  }
  return a.map();
}

bool makeHull(const std::vector<Face>& faces, Collider& c, std::string& why) {
  constexpr int kDigits = 8;  // of single precision
  c.kind = Kind::hull;
  double size = 0;
  for (const Face& f : faces) {
    for (const Vector3d& p : f) size = std::max(size, p.lpNorm<Eigen::Infinity>());
  }
  std::vector<Vector3d> points;
  for (const Face& f : facesAround(cornersOf(faces))) {
    for (const Vector3d& p : f)
      points.push_back(p.unaryExpr([&](double x) { return rounded(x, size, kDigits); }));
  }
  c.points = cornersOf(facesAround(std::move(points)));
  if (c.points.empty()) {
    why = "its mesh is flat: it has no hull";
    return false;
  }
  if (std::ssize(convexHull(c.points).faces()) <= kMostFaces) return true;
  const std::vector<Vector3d> all = std::exchange(c.points, {});
  const ConvexHull hull = convexHull(farthest(all));
  c.points = hull.points;
  c.cut = heightOver(hull, all);
  return true;
}

void tellCutHulls(const Robot& robot, ImportReport& report) {
  std::vector<std::string> names;
  double most = 0;
  const Collider* first = nullptr;
  for (const Collider& c : robot.colliders) {
    if (c.component.empty() || c.cut == 0) continue;
    if (!first) first = &c;
    names.push_back("'" + c.component + "'");
    most = std::max(most, c.cut);
  }
  if (!first) return;
  constexpr size_t kMost = 10;
  report.warn(first->name, first->element->mark(),
              "the hulls of meshes have more than " + std::to_string(kMostFaces) +
                  " faces; corners are left out, by " + formatNumber(rounded(most, most, 2)) +
                  " m at most, of " + joinMost(names, kMost));
}

Collider groundAt(double height, const XmlElement& robot) {
  Collider ground;
  ground.name = "ground";
  ground.kind = Kind::plane;
  ground.pose.r[2] = height;
  ground.isDrawn = true;
  ground.element = &robot;
  return ground;
}

void takeName(Collider& c, const std::string& suffix, Robot& robot) {
  const std::string owner = c.body < 0 ? "world" : robot.bodies[c.body].component;
  c.component =
      c.name.empty() ? robot.names.take(owner + "_shape", "") : robot.names.take(c.name, suffix);
}

}  // namespace cardan::robots
