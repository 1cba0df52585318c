/// JointRRR: three revolute joints with parallel axes and two rods between them, for planar loops.
#pragma once

#include "components/assemblies/joint_usr.h"
#include "components/assemblies/planar_assembly.h"

namespace cardan {

/// Parts      jointUSR: in a planar loop its universal and spherical joints turn about n_a only
/// Equations  n_b = n_a at the start, resolved in frame_b
/// Source     MSL 4.0 Joints.Assemblies.JointRRR
class JointRRR final : public ComponentOf<JointRRR>, public StartProposal {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;
  StartProposal* startProposal() override { return this; }
  void propose(const View<double>& x, Proposal& p) override;

 private:
  JointUSR::Parameters usr_;  ///< its n1_a is n_a: the axes, any length but zero, in frame_a
  Animation animation_;

  JointUSR* jointUSR_ = nullptr;
  Vector3d n_b_{0, 0, 1};  ///< [1]  the axes, resolved in frame_b
  FrameId frame_a_, frame_b_;
  planar_assembly::InnerFrames inner_;
};

}  // namespace cardan
