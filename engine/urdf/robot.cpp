#include "engine/urdf/robot.h"

#include <cmath>

namespace cardan::urdf {

Matrix3d Pose::rotation() const {
  if (composed) return *composed;
  const double sr = std::sin(rpy[0]), cr = std::cos(rpy[0]);
  const double sp = std::sin(rpy[1]), cp = std::cos(rpy[1]);
  const double sy = std::sin(rpy[2]), cy = std::cos(rpy[2]);
  Matrix3d R;
  R << cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
      sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,   //
      -sp, cp * sr, cp * cr;
  return R;
}

bool Pose::isTurned() const {
  return composed ? !composed->isIdentity(0) : rpy != Vector3d::Zero();
}

Pose Pose::operator*(const Pose& inner) const {
  if (!isTurned()) {
    Pose result = inner;
    result.r = r + inner.r;
    return result;
  }
  Pose result = *this;
  result.r = r + rotation() * inner.r;
  if (inner.isTurned()) result.composed = rotation() * inner.rotation();
  return result;
}

const char* nameOf(JointType type) {
  switch (type) {
    case JointType::revolute:
      return "revolute";
    case JointType::continuous:
      return "continuous";
    case JointType::prismatic:
      return "prismatic";
    case JointType::fixed:
      return "fixed";
    case JointType::floating:
      return "floating";
    case JointType::planar:
      return "planar";
  }
  return "";
}

}  // namespace cardan::urdf
