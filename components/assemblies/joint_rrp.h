/// JointRRP: two revolute joints with parallel axes, a prismatic joint across them, and two rods
/// between them, for planar loops.
#pragma once

#include "components/assemblies/joint_usp.h"
#include "components/assemblies/planar_assembly.h"

namespace cardan {

/// Parts      jointUSP: in a planar loop its universal and spherical joints turn about n_a only
/// Source     MSL 4.0 Joints.Assemblies.JointRRP
class JointRRP final : public ComponentOf<JointRRP> {
 public:
  JointRRP();

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

 private:
  JointUSP::Parameters usp_;  ///< its n1_a is n_a: the axes, any length but zero, in frame_a
  Animation animation_;
  FrameId frame_a_, frame_b_;
  planar_assembly::InnerFrames inner_;
};

}  // namespace cardan
