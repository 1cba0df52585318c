/// JointUSP: universal joint, rod 1, spherical joint, rod 2 and prismatic joint in a row.
#pragma once

#include "components/assemblies/rod_assembly.h"

namespace cardan {

/// Parts      see RodAssembly; rod1 hangs in the universal joint at frame_a, prismatic slides along
///            n_b
/// Source     MSL 4.0 Joints.Assemblies.JointUSP
class JointUSP final : public RodAssembly<UniversalSpherical, PrismaticWithLengthConstraint> {
 public:
  JointUSP() : RodAssembly({-1, 0, 0}, {-1, 0, 0}) {}
  explicit JointUSP(const Parameters& p) : RodAssembly(p) {}
};

}  // namespace cardan
