#include "engine/mjcf/robot.h"

namespace cardan::mjcf {

const char* nameOf(JointType type) {
  switch (type) {
    case JointType::hinge:
      return "hinge";
    case JointType::slide:
      return "slide";
    case JointType::ball:
      return "ball";
    case JointType::free:
      break;
  }
  return "free";
}

Mass Mass::operator+(const Mass& other) const {
  Mass sum;
  sum.m = m + other.m;
  if (!(sum.m > 0)) return *this;
  sum.r_CM = (m * r_CM + other.m * other.r_CM) / sum.m;
  // Steiner, about the common centre.
  const auto about = [&](const Mass& part) {
    const Vector3d d = part.r_CM - sum.r_CM;
    return Matrix3d(part.I + part.m * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose()));
  };
  sum.I = about(*this) + about(other);
  return sum;
}

}  // namespace cardan::mjcf
