#include "engine/robots/robot.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace cardan::robots {

Pose Pose::operator*(const Pose& inner) const {
  const bool isAsInner = !isTurned();
  return {r + R * inner.r, R * inner.R,
          isAsInner ? inner.rpy : (inner.isTurned() ? std::nullopt : rpy)};
}

Mass Mass::operator+(const Mass& other) const {
  Mass sum;
  sum.m = m + other.m;
  sum.r_CM = sum.m > 0 ? Vector3d((m * r_CM + other.m * other.r_CM) / sum.m) : r_CM;
  // Steiner, about the common centre.
  const auto about = [&](const Mass& part) {
    const Vector3d d = part.r_CM - sum.r_CM;
    return Matrix3d(part.I + part.m * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose()));
  };
  sum.I = about(*this) + about(other);
  return sum;
}

Mass operator*(const Pose& pose, const Mass& mass) {
  return {mass.m, pose.r + pose.R * mass.r_CM, pose.R * mass.I * pose.R.transpose()};
}

Color colorFrom(const std::vector<double>& rgba) {
  Color color{};
  for (size_t i = 0; i < color.size(); ++i) color[i] = std::clamp(rgba[i], 0.0, 1.0);
  return color;
}

std::vector<Pose> posesOf(const Robot& robot, bool atRest) {
  std::vector<Pose> poses;
  for (const Body& b : robot.bodies) {
    poses.push_back(b.parent < 0 ? b.pose : poses[b.parent] * b.pose);
    for (const Joint& j : b.joints) {
      poses.back() = poses.back() * j.origin;
      const double q = j.springRef - j.ref;
      if (!atRest || q == 0 || !j.hasAxis()) continue;
      const Vector3d n = j.axis.stableNormalized();
      const Matrix3d R = Eigen::AngleAxisd(q, n).toRotationMatrix();
      poses.back() =
          poses.back() * (j.turns() ? Pose{j.pos - R * j.pos, R} : Pose{Vector3d(q * n)});
    }
  }
  return poses;
}

std::vector<bool> carriesMass(const Robot& robot) {
  std::vector<bool> has(robot.bodies.size(), false);
  for (size_t i = robot.bodies.size(); i-- > 0;) {
    const Body& b = robot.bodies[i];
    has[i] = has[i] || !b.mass.isNothing();
    for (const Joint& j : b.joints) has[i] = has[i] || j.armature > 0;
    if (has[i] && b.parent >= 0) has[b.parent] = true;
  }
  return has;
}

}  // namespace cardan::robots
