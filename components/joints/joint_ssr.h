/// JointSSR: rod 1 between two spherical joints, with mass if wanted, rod 2 and revolute joint.
#pragma once

#include "components/joints/rod_assembly.h"

namespace cardan {

/// Parts      see RodAssembly; revolute turns about n_b
/// Source     MSL 4.0 Joints.Assemblies.JointSSR
class JointSSR final : public RodAssembly<SphericalSpherical, RevoluteWithLengthConstraint> {
 public:
  JointSSR() { setDefaults(p_); }
  explicit JointSSR(const Parameters& p) : RodAssembly(p) {}

  void read(ParameterReader& r) override;

  static void setDefaults(Parameters& p);
};

}  // namespace cardan
