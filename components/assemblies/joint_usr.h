/// JointUSR: universal joint, rod 1, spherical joint, rod 2 and revolute joint in a row.
#pragma once

#include "components/assemblies/rod_assembly.h"

namespace cardan {

/// Parts      see RodAssembly; rod1 hangs in the universal joint at frame_a, revolute turns about
///            n_b
/// Source     MSL 4.0 Joints.Assemblies.JointUSR
class JointUSR final : public RodAssembly<UniversalSpherical, RevoluteWithLengthConstraint> {
 public:
  JointUSR() : RodAssembly({0, 0, 1}, {-1, 0, 0}) {}
  explicit JointUSR(const Parameters& p) : RodAssembly(p) {}

  /// The revolute joint's axis, any length but zero, resolved in frame_b.
  void setAxis(const Vector3d& n_b) { last_->setAxis(n_b); }
};

}  // namespace cardan
