/// JointSSP: rod 1 between two spherical joints, with mass if wanted, rod 2 and prismatic joint.
#pragma once

#include "components/assemblies/rod_assembly.h"

namespace cardan {

/// Parts      see RodAssembly; prismatic slides along n_b
/// Source     MSL 4.0 Joints.Assemblies.JointSSP
class JointSSP final : public RodAssembly<SphericalSpherical, PrismaticWithLengthConstraint> {
 public:
  JointSSP() : RodAssembly({0, 0, 1}, {1, 0, 0}) {}
};

}  // namespace cardan
