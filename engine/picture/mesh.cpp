#include "engine/picture/mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace cardan {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kAround = 48;  // parts of a circle; a multiple of 4, so that y and z reach the ends

struct Point {
  double x, y, z;
};

class Builder {
 public:
  std::uint32_t vertex(const Point& p, const Point& n) {
    for (const double v : {p.x, p.y, p.z}) mesh.positions.push_back(static_cast<float>(v));
    const double l = std::max(std::hypot(n.x, n.y, n.z), 1e-300);
    for (const double v : {n.x, n.y, n.z}) mesh.normals.push_back(static_cast<float>(v / l));
    return static_cast<std::uint32_t>(mesh.vertices() - 1);
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh.indices.insert(mesh.indices.end(), {a, b, c});
  }
  /// Corners counterclockwise seen from outside.
  void quad(const Point& a, const Point& b, const Point& c, const Point& d, const Point& n) {
    const std::uint32_t i = vertex(a, n);
    vertex(b, n);
    vertex(c, n);
    vertex(d, n);
    triangle(i, i + 1, i + 2);
    triangle(i, i + 2, i + 3);
  }
  Mesh mesh;
};

/// A point of a profile that is turned about x: its place and the normal there.
struct ProfilePoint {
  double x, r, nx, nr;
};
/// Strips of a profile between two points each, turned about x.
void lathe(Builder& b, const std::vector<std::array<ProfilePoint, 2>>& strips) {
  for (const auto& [p, q] : strips) {
    const std::uint32_t first = static_cast<std::uint32_t>(b.mesh.vertices());
    for (int k = 0; k <= kAround; ++k) {
      const double phi = 2 * kPi * (k % kAround) / kAround;
      const double c = std::cos(phi), s = std::sin(phi);
      b.vertex({p.x, p.r * c, p.r * s}, {p.nx, p.nr * c, p.nr * s});
      b.vertex({q.x, q.r * c, q.r * s}, {q.nx, q.nr * c, q.nr * s});
    }
    for (std::uint32_t k = 0; k < kAround; ++k) {
      const std::uint32_t i = first + 2 * k;
      if (p.r != 0) b.triangle(i, i + 2, i + 1);
      if (q.r != 0) b.triangle(i + 1, i + 2, i + 3);
    }
  }
}

Mesh box() {
  Builder b;
  const double h = 0.5;
  b.quad({0, -h, -h}, {0, -h, h}, {0, h, h}, {0, h, -h}, {-1, 0, 0});
  b.quad({1, -h, -h}, {1, h, -h}, {1, h, h}, {1, -h, h}, {1, 0, 0});
  b.quad({0, -h, -h}, {1, -h, -h}, {1, -h, h}, {0, -h, h}, {0, -1, 0});
  b.quad({0, h, -h}, {0, h, h}, {1, h, h}, {1, h, -h}, {0, 1, 0});
  b.quad({0, -h, -h}, {0, h, -h}, {1, h, -h}, {1, -h, -h}, {0, 0, -1});
  b.quad({0, -h, h}, {1, -h, h}, {1, h, h}, {0, h, h}, {0, 0, 1});
  return std::move(b.mesh);
}

Mesh sphere() {
  Builder b;
  constexpr int kRings = 24;
  std::vector<std::array<ProfilePoint, 2>> strips;
  const auto at = [](int i) {
    const double phi = kPi * i / kRings, c = std::cos(phi);
    const double s = i == 0 || i == kRings ? 0 : std::sin(phi);
    return ProfilePoint{0.5 - 0.5 * c, 0.5 * s, -c, s};
  };
  for (int i = 0; i < kRings; ++i) strips.push_back({at(i), at(i + 1)});
  lathe(b, strips);
  return std::move(b.mesh);
}

/// A cone's frustum of diameters 1 and `end`, with a bore of diameter `bore`.
Mesh frustum(double end, double bore) {
  Builder b;
  const double r = 0.5, q = 0.5 * end, i = 0.5 * bore;
  std::vector<std::array<ProfilePoint, 2>> strips{{{{0, i, -1, 0}, {0, r, -1, 0}}},
                                                  {{{0, r, r - q, 1}, {1, q, r - q, 1}}}};
  if (q > i) strips.push_back({{{1, q, 1, 0}, {1, i, 1, 0}}});
  if (i > 0) strips.push_back({{{1, i, 0, -1}, {0, i, 0, -1}}});
  lathe(b, strips);
  return std::move(b.mesh);
}

/// A black line along +y, so that one sees the cylinder turn.
void markCylinder(Mesh& mesh) {
  const size_t before = mesh.vertices();
  mesh.colors.assign(3 * before, 255);
  Builder b;
  b.mesh = std::move(mesh);
  const double half = kPi / 90;
  const double c = 0.5, s = 0.5 * std::sin(half);
  // Flat and no higher than the cylinder: its edges are in it, its middle just not.
  const double y = c * std::cos(half), lift = c;
  const Point n{0, 1, 0};
  b.quad({0, y, -s}, {0, lift, 0}, {1, lift, 0}, {1, y, -s}, n);
  b.quad({0, lift, 0}, {0, y, s}, {1, y, s}, {1, lift, 0}, n);
  mesh = std::move(b.mesh);
  mesh.colors.resize(3 * mesh.vertices(), 0);
}

/// A wheel with `teeth` of them, outside; inside where `teeth` < 0. The circle through the teeth's
/// tips (outside), or the wheel's rim (inside), has diameter 1.
Mesh gearwheel(double extra) {
  const int teeth = std::max(3, static_cast<int>(std::lround(std::abs(extra))));
  const bool inside = extra < 0;
  // Height of a tooth: 2.25 modules of a wheel whose tips are one module above its pitch circle.
  const double module = 1.0 / (teeth + 2), tip = 0.5, root = 0.5 - 2.25 * module;
  // Profile of a tooth in shares of the pitch.
  struct Corner {
    double share, r;
  };
  const double high = inside ? root * 0.92 : tip, low = inside ? root * 0.92 + 2.25 * module : root;
  const std::vector<Corner> corners{{0, high}, {0.2, high}, {0.35, low}, {0.65, low}, {0.8, high}};
  std::vector<std::array<double, 2>> outline;  // angle, radius
  for (int t = 0; t < teeth; ++t) {
    for (const Corner& c : corners) outline.push_back({2 * kPi * (t + c.share) / teeth, c.r});
  }
  const auto at = [](double x, double phi, double r) {
    return Point{x, r * std::cos(phi), r * std::sin(phi)};
  };
  Builder b;
  const size_t n = outline.size();
  const double other = inside ? 0.5 : 0;  // the radius on the other side of the body
  for (size_t k = 0; k < n; ++k) {
    const auto [phi, r] = outline[k];
    auto [psi, q] = outline[(k + 1) % n];
    if (k + 1 == n) psi += 2 * kPi;
    const Point p0 = at(0, phi, r), p1 = at(1, phi, r), q0 = at(0, psi, q), q1 = at(1, psi, q);
    const double sign = inside ? -1 : 1;
    const Point normal{0, sign * (q0.z - p0.z), sign * (p0.y - q0.y)};
    if (inside) {
      b.quad(p0, p1, q1, q0, normal);
    } else {
      b.quad(p0, q0, q1, p1, normal);
    }
    const Point i0 = at(0, phi, other), i1 = at(1, phi, other);
    const Point j0 = at(0, psi, other), j1 = at(1, psi, other);
    if (inside) {
      b.quad(p0, q0, j0, i0, {-1, 0, 0});
      b.quad(p1, i1, j1, q1, {1, 0, 0});
      b.quad(i0, j0, j1, i1, {0, i0.y + j0.y, i0.z + j0.z});
    } else {
      b.quad(i0, j0, q0, p0, {-1, 0, 0});
      b.quad(i1, p1, q1, j1, {1, 0, 0});
    }
  }
  return std::move(b.mesh);
}

/// A vertex that is linear in length, width and height: its place by a unit of each.
struct LinearVertex {
  Point byLength, byWidth, byHeight, normal;
};
class LinearBuilder {
 public:
  LinearBuilder() { mesh.targets.resize(3); }
  std::uint32_t vertex(const LinearVertex& v) {
    mesh.positions.insert(mesh.positions.end(), 3, 0.0F);
    size_t t = 0;
    for (const Point& p : {v.byLength, v.byWidth, v.byHeight}) {
      for (const double x : {p.x, p.y, p.z}) mesh.targets[t].push_back(static_cast<float>(x));
      ++t;
    }
    const double l = std::hypot(v.normal.x, v.normal.y, v.normal.z);
    for (const double x : {v.normal.x, v.normal.y, v.normal.z})
      mesh.normals.push_back(static_cast<float>(x / l));
    return static_cast<std::uint32_t>(mesh.vertices() - 1);
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh.indices.insert(mesh.indices.end(), {a, b, c});
  }
  Mesh mesh;
};

/// A bar between the middles of its round ends; these have the bar's width.
Mesh beam() {
  struct Rim {
    double end, c, s;  // 0 or 1 of the length; direction in the x-y plane
  };
  std::vector<Rim> rims;
  constexpr int kHalf = kAround / 2;
  for (int k = 0; k <= 2 * kHalf + 1; ++k) {
    const bool right = k <= kHalf;
    const double phi = -kPi / 2 + kPi * (right ? k : k - 1) / kHalf;
    rims.push_back({right ? 1.0 : 0.0, std::cos(phi), std::sin(phi)});
  }
  LinearBuilder b;
  const auto vertex = [&](const Rim& r, double z, const Point& n) {
    return b.vertex({{r.end, 0, 0}, {r.c / 2, r.s / 2, 0}, {0, 0, z}, n});
  };
  const size_t n = rims.size();
  for (size_t k = 0; k < n; ++k) {
    const Rim &p = rims[k], &q = rims[(k + 1) % n];
    const std::uint32_t i = vertex(p, -0.5, {p.c, p.s, 0});
    vertex(q, -0.5, {q.c, q.s, 0});
    vertex(q, 0.5, {q.c, q.s, 0});
    vertex(p, 0.5, {p.c, p.s, 0});
    b.triangle(i, i + 1, i + 2);
    b.triangle(i, i + 2, i + 3);
  }
  for (const double z : {-0.5, 0.5}) {
    const auto first = static_cast<std::uint32_t>(b.mesh.vertices());
    for (const Rim& r : rims) vertex(r, z, {0, 0, z});
    for (std::uint32_t k = 1; k + 1 < n; ++k) {
      if (z > 0) {
        b.triangle(first, first + k, first + k + 1);
      } else {
        b.triangle(first, first + k + 1, first + k);
      }
    }
  }
  return std::move(b.mesh);
}

/// A coil of diameter width about x, of a wire of diameter height/2; sections of the wire lie in
/// planes through x, so that the coil reaches exactly from 0 to the length.
Mesh spring(double extra) {
  const double windings = extra > 0 ? extra : 1;
  constexpr int kSection = 12, kWinding = 32;
  const int steps = std::clamp(static_cast<int>(std::ceil(windings * kWinding)), 8, 4000);
  LinearBuilder b;
  for (int i = 0; i <= steps; ++i) {
    const double u = double(i) / steps, phi = 2 * kPi * windings * u;
    const double c = std::cos(phi), s = std::sin(phi);
    for (int k = 0; k <= kSection; ++k) {
      const double psi = 2 * kPi * (k % kSection) / kSection;
      const double out = std::cos(psi), along = std::sin(psi);
      // wire = height/2; x = u (length - wire) + wire (1 + along)/2, radius = (width - wire)/2 +
      // wire out/2
      const double radial = (out - 1) / 4;
      b.vertex({{u, 0, 0},
                {0, c / 2, s / 2},
                {(-u + (1 + along) / 2) / 2, radial * c, radial * s},
                {along, out * c, out * s}});
    }
  }
  constexpr std::uint32_t kRow = kSection + 1;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(steps); ++i) {
    for (std::uint32_t k = 0; k < kSection; ++k) {
      const std::uint32_t p = i * kRow + k, q = p + kRow;
      b.triangle(p, q, q + 1);
      b.triangle(p, q + 1, p + 1);
    }
  }
  // The ends of the wire.
  for (const bool last : {false, true}) {
    const std::uint32_t ring = last ? static_cast<std::uint32_t>(steps) * kRow : 0;
    for (std::uint32_t k = 1; k + 1 < kSection; ++k) {
      if (last) {
        b.triangle(ring, ring + k + 1, ring + k);
      } else {
        b.triangle(ring, ring + k, ring + k + 1);
      }
    }
  }
  return std::move(b.mesh);
}

Mesh unitMesh(const std::string& type, double extra) {
  if (type == "sphere") return sphere();
  if (type == "cone") return frustum(std::max(extra, 0.0), 0);
  if (type == "pipe" || type == "pipecylinder") return frustum(1, std::clamp(extra, 0.0, 1.0));
  if (type == "gearwheel") return gearwheel(extra);
  if (type != "cylinder") return box();
  Mesh mesh = frustum(1, 0);
  if (extra > 0) markCylinder(mesh);
  return mesh;
}

}  // namespace

std::array<double, 6> Mesh::box(const std::vector<double>& weights) const {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  std::array<double, 6> result{kFar, kFar, kFar, -kFar, -kFar, -kFar};
  for (size_t i = 0; i < positions.size(); ++i) {
    double x = positions[i];
    for (size_t t = 0; t < targets.size() && t < weights.size(); ++t)
      x += weights[t] * targets[t][i];
    result[i % 3] = std::min(result[i % 3], x);
    result[3 + i % 3] = std::max(result[3 + i % 3], x);
  }
  return result;
}

bool isElementary(const std::string& type) {
  static const std::vector<std::string> all{"box",  "sphere", "cylinder",  "pipecylinder", "cone",
                                            "pipe", "beam",   "gearwheel", "spring"};
  return std::ranges::find(all, type) != all.end();
}

Mesh elementaryMesh(const std::string& type, double extra) {
  Mesh mesh = unitMesh(type, extra);
  mesh.closed = true;
  return mesh;
}

bool bySizes(const std::string& type) { return type == "beam" || type == "spring"; }

Mesh meshBySizes(const std::string& type, double extra) {
  Mesh mesh = type == "beam" ? beam() : spring(extra);
  mesh.closed = true;
  return mesh;
}
Mesh gridMesh(int nu, int nv, const std::vector<float>& points, bool wireframe) {
  Mesh mesh;
  mesh.positions = points;
  mesh.lines = wireframe;
  const auto at = [nv](int i, int j) { return static_cast<std::uint32_t>(i * nv + j); };
  if (wireframe) {
    for (int i = 0; i < nu; ++i) {
      for (int j = 0; j < nv; ++j) {
        if (j + 1 < nv) mesh.indices.insert(mesh.indices.end(), {at(i, j), at(i, j + 1)});
        if (i + 1 < nu) mesh.indices.insert(mesh.indices.end(), {at(i, j), at(i + 1, j)});
      }
    }
    return mesh;
  }
  mesh.normals.assign(points.size(), 0);
  const auto p = [&](std::uint32_t v, int k) { return points[3 * v + k]; };
  const auto triangle = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh.indices.insert(mesh.indices.end(), {a, b, c});
    float u[3], v[3];
    for (int k = 0; k < 3; ++k) {
      u[k] = p(b, k) - p(a, k);
      v[k] = p(c, k) - p(a, k);
    }
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3, m = (k + 2) % 3;
      const float n = u[l] * v[m] - u[m] * v[l];
      for (const std::uint32_t corner : {a, b, c}) mesh.normals[3 * corner + k] += n;
    }
  };
  for (int i = 0; i + 1 < nu; ++i) {
    for (int j = 0; j + 1 < nv; ++j) {
      triangle(at(i, j), at(i + 1, j), at(i + 1, j + 1));
      triangle(at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  for (size_t i = 0; i < mesh.normals.size(); i += 3) {
    float* n = &mesh.normals[i];
    const float l = std::hypot(n[0], n[1], n[2]);
    if (l > 0) {
      for (int k = 0; k < 3; ++k) n[k] /= l;
    } else {
      n[2] = 1;
    }
  }
  return mesh;
}

}  // namespace cardan
