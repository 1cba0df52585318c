#include "engine/picture/posed_scene.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace cardan {
namespace {

using Turn = Eigen::Quaternion<double>;

/// A row, and the share of the way to the next one.
struct Instant {
  size_t row = 0;
  double share = 0;
};

Instant instantOf(const std::vector<double>& times, double time) {
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  if (after == times.begin()) return {0, 0};
  const size_t row = after - times.begin() - 1;
  if (after == times.end()) return {row, 0};
  return {row, (time - times[row]) / (*after - times[row])};
}

double valueOf(const Track& track, const Instant& at, size_t i) {
  const double from = track.at(at.row)[i];
  return at.share > 0 ? from + at.share * (double(track.at(at.row + 1)[i]) - from) : from;
}

Vector3d vectorOf(const Track& track, const Instant& at) {
  return {valueOf(track, at, 0), valueOf(track, at, 1), valueOf(track, at, 2)};
}

Turn turnOf(const Track& track, const Instant& at) {
  const auto turnAt = [&](size_t row) {
    const float* q = track.at(row);
    return Turn(q[3], q[0], q[1], q[2]).normalized();
  };
  return at.share > 0 ? turnAt(at.row).slerp(at.share, turnAt(at.row + 1)) : turnAt(at.row);
}

/// From the axes of an item, in lengths of its mesh, to the world.
struct ItemPlacement {
  Turn turn{1, 0, 0, 0};
  Vector3d r{0, 0, 0}, scale{1, 1, 1};

  Vector3d position(const Vector3d& p) const { return r + turn * p.cwiseProduct(scale); }
  Vector3d normal(const Vector3d& n) const { return (turn * n.cwiseQuotient(scale)).normalized(); }
};

ItemPlacement placementOf(const Scene& scene, const Scene::Item& item, const Instant& at) {
  ItemPlacement p{turnOf(item.q, at), vectorOf(item.r, at), vectorOf(item.scale, at)};
  if (item.frame >= 0) {
    const Scene::Frame& f = scene.frames[item.frame];
    const Turn around = turnOf(f.q, at);
    p.r = vectorOf(f.r, at) + around * p.r;
    p.turn = around * p.turn;
  }
  return p;
}

/// From the triangles around each vertex, weighted by their areas.
std::vector<Vector3d> normalsOf(const PosedItem& item) {
  std::vector<Vector3d> normals(item.positions.size(), Vector3d(0, 0, 0));
  const std::vector<std::uint32_t>& indices = *item.indices;
  for (size_t t = 0; t + 2 < indices.size(); t += 3) {
    const Vector3d &a = item.positions[indices[t]], &b = item.positions[indices[t + 1]],
                   &c = item.positions[indices[t + 2]];
    const Vector3d n = (b - a).cross(c - a);
    for (size_t k = 0; k < 3; ++k) normals[indices[t + k]] += n;
  }
  for (Vector3d& n : normals) n.normalize();
  return normals;
}

std::vector<Vector3d> colorsOf(const Scene::Item& item, const Mesh& mesh, const Instant& at) {
  std::vector<Vector3d> colors;
  if (item.color.width > 3) {  // of points, or of the lines of a grid
    const float* c = item.color.at(at.row);
    const size_t groups = item.color.width / 3;
    const size_t each = std::max<size_t>(1, mesh.vertices() / groups);
    for (size_t v = 0; v < mesh.vertices(); ++v) {
      const float* rgb = c + 3 * std::min(v / each, groups - 1);
      colors.emplace_back(rgb[0] / 255, rgb[1] / 255, rgb[2] / 255);
    }
    return colors;
  }
  const Vector3d whole = vectorOf(item.color, at) / 255;
  if (mesh.colors.empty()) return {whole};
  for (size_t v = 0; v < mesh.vertices(); ++v) {
    const unsigned char* rgb = mesh.colors.data() + 3 * v;
    colors.push_back(whole.cwiseProduct(Vector3d(rgb[0], rgb[1], rgb[2]) / 255));
  }
  return colors;
}

PosedItem pose(const Scene& scene, const Scene::Item& item, const ItemPlacement& place,
               const Instant& at) {
  const Mesh& mesh = scene.meshes[item.mesh];
  PosedItem posed;
  posed.indices = &mesh.indices;
  posed.lines = mesh.lines;
  posed.closed = mesh.closed;
  posed.specular = item.specular;
  posed.opacity = item.opacity;
  posed.colors = colorsOf(item, mesh, at);
  for (size_t v = 0; v < mesh.vertices(); ++v) {
    Vector3d p(mesh.positions[3 * v], mesh.positions[3 * v + 1], mesh.positions[3 * v + 2]);
    for (size_t k = 0; k < mesh.targets.size(); ++k) {
      const float* d = mesh.targets[k].data() + 3 * v;
      p += valueOf(item.weights, at, k) * Vector3d(d[0], d[1], d[2]);
    }
    posed.positions.push_back(place.position(p));
  }
  if (mesh.lines) return posed;
  if (mesh.normals.empty() || (!mesh.targets.empty() && !mesh.closed)) {
    posed.normals = normalsOf(posed);
    return posed;
  }
  for (size_t v = 0; v < mesh.vertices(); ++v) {
    posed.normals.push_back(place.normal(
        Vector3d(mesh.normals[3 * v], mesh.normals[3 * v + 1], mesh.normals[3 * v + 2])));
  }
  return posed;
}

}  // namespace

PosedScene poseAt(const Scene& scene, double time) {
  const Instant at = instantOf(scene.times, time);
  PosedScene posed;
  constexpr double kFar = std::numeric_limits<double>::max();
  posed.lowest.setConstant(kFar);
  posed.highest.setConstant(-kFar);
  for (const Scene::Item& item : scene.items) {
    const ItemPlacement place = placementOf(scene, item, at);
    if (!(place.scale.cwiseAbs().minCoeff() > 0)) continue;
    posed.items.push_back(pose(scene, item, place, at));
    for (const Vector3d& p : posed.items.back().positions) {
      posed.lowest = posed.lowest.cwiseMin(p);
      posed.highest = posed.highest.cwiseMax(p);
    }
  }
  if (!(posed.lowest[0] <= posed.highest[0])) posed.lowest = posed.highest = Vector3d(0, 0, 0);
  return posed;
}

Vector3d framePosition(const Scene& scene, int frame, size_t row) {
  return vectorOf(scene.frames[frame].r, {row, 0});
}

}  // namespace cardan
