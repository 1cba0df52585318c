#include "engine/urdf/fixed_joints.h"

#include <utility>

namespace cardan::urdf {
namespace {

/// Adds the mass of `part`, which lies at `pose` in `whole`'s frame (parallel axes theorem).
void addMass(Link& whole, const Link& part, const Pose& pose) {
  const Matrix3d R = pose.rotation();
  const Vector3d r = pose.r + R * part.r_CM;
  const double m = whole.m + part.m;
  const Vector3d centre = m > 0 ? Vector3d((whole.m * whole.r_CM + part.m * r) / m) : whole.r_CM;
  const auto shifted = [&](const Matrix3d& I, double mass, const Vector3d& from) {
    const Vector3d d = from - centre;
    return Matrix3d(I + mass * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose()));
  };
  const Matrix3d turned = pose.isTurned() ? Matrix3d(R * part.I * R.transpose()) : part.I;
  const Matrix3d I = shifted(whole.I, whole.m, whole.r_CM) + shifted(turned, part.m, r);
  whole.I = (I + I.transpose()) / 2;
  whole.r_CM = centre;
  whole.m = m;
}

}  // namespace

std::vector<int> mergeFixedJoints(Robot& robot, const KinematicTree& tree) {
  std::vector<int> bodies(robot.links.size(), -1);
  std::vector<Pose> poses(robot.links.size());  // in the frame of the body
  for (const int l : tree.order) {
    const size_t i = l;
    bodies[i] = l;
    if (tree.jointTo[i] < 0) continue;
    const size_t carrier = tree.jointTo[i];
    const size_t parent = tree.parentOf[carrier];
    Joint& j = robot.joints[carrier];
    j.pose = poses[parent] * j.pose;
    if (j.moves()) continue;
    bodies[i] = bodies[parent];
    poses[i] = j.pose;
    Link &whole = robot.links[bodies[i]], &part = robot.links[i];
    addMass(whole, part, j.pose);
    for (Visual& v : part.visuals) {
      v.pose = j.pose * v.pose;
      whole.visuals.push_back(std::move(v));
    }
    part.visuals.clear();
  }
  return bodies;
}

}  // namespace cardan::urdf
