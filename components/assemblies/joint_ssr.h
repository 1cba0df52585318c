/// JointSSR: rod 1 between two spherical joints, with mass if wanted, rod 2 and revolute joint.
#pragma once

#include "components/assemblies/rod_assembly.h"

namespace cardan {

/// Parts      see RodAssembly; revolute turns about n_b
/// Source     MSL 4.0 Joints.Assemblies.JointSSR
class JointSSR final : public RodAssembly<SphericalSpherical, RevoluteWithLengthConstraint> {
 public:
  JointSSR() : RodAssembly({0, 0, 1}, {1, 0, 0}) {}
};

}  // namespace cardan
