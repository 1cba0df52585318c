/// JointUPS: universal joint at frame_a, spherical joint at frame_b, and a prismatic joint along
/// the line between them.
#pragma once

#include "components/animation.h"
#include "components/assemblies/prismatic_with_length_constraint.h"
#include "components/assemblies/universal_axes.h"
#include "components/component.h"

namespace cardan {

/// Parts      revolute_1, revolute_2 (see UniversalAxes): frame_a to frame_ia; prismatic (along
///            nAxis_ia, driven by axis): frame_ia to frame_ib; spherical: frame_ib to frame_b
/// Equations  |r_b - r_a| = s + s_offset;  f = axis.f;  t_b = 0
/// Source     MSL 4.0 Joints.Assemblies.JointUPS
///
/// Of the two ways to turn the line into its direction, axis 2 starts along n1_a x line.
class JointUPS final : public ComponentOf<JointUPS>, public StartProposal {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;
  StartProposal* startProposal() override { return this; }
  void propose(const View<double>& x, Proposal& p) override;

 private:
  Vector3d n1_a_{0, 0, 1};      ///< [1]  axis 1, any length but zero, resolved in frame_a
  Vector3d nAxis_ia_{1, 0, 0};  ///< [1]  the line, any length but zero, resolved in frame_ia
  PrismaticWithLengthConstraint::Parameters prismatic_;
  bool checkTotalPower_ = false;
  Animation animation_;

  UniversalAxes axes_;
  FrameId frame_a_, frame_b_, frame_ia_, frame_ib_;
  FlangeId axis_, bearing_;
  JointId slide_;
};

}  // namespace cardan
