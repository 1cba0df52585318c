/// JointRRR: three revolute joints with parallel axes and two rods between them, for planar loops.
#pragma once

#include "components/assemblies/planar_assembly.h"

namespace cardan {

/// Parts      jointUSR: in a planar loop its universal and spherical joints turn about n_a only
/// Equations  n_b = n_a at the start, resolved in frame_b
/// Source     MSL 4.0 Joints.Assemblies.JointRRR
class JointRRR final : public ComponentOf<JointRRR>, public StartProposal {
 public:
  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    r.vector("n_a", usr_.rod1.n1_a, "1", "axes of the revolute joints, resolved in frame_a");
    planar_assembly::read<JointUSR>(r, "jointUSR", usr_, animation_);
    usr_.last.n = n_b_ = usr_.rod1.n1_a;
  }
  void declare(Structure& s) override {
    jointUSR_ =
        &planar_assembly::declare<JointUSR>(s, "jointUSR", usr_, frame_a_, frame_b_, inner_);
  }
  void describe(Variables& v) const override {
    planar_assembly::describe(v, "jointUSR", usr_.rod1.n1_a);
    v.vector({"n_b", "1", "axis of the revolute joints, resolved in frame_b", Level::Position},
             [this](const auto&) { return n_b_; });
    v.alias("e_b", "jointUSR.revolute.e");
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    planar_assembly::addPicture(s, animation_, usr_, frame_a_, inner_);
    planar_assembly::pin(s, animation_, "shape_rev3", frame_b_, frame_a_, usr_.rod1.n1_a);
  }
  StartProposal* startProposal() override { return this; }
  void propose(const View<double>& x, Proposal&) override {
    n_b_ = frames::resolve2(x.frame(frame_b_).R,
                            frames::resolve1(x.frame(frame_a_).R, usr_.rod1.n1_a));
    jointUSR_->setAxis(n_b_);
  }

 private:
  JointUSR::Parameters usr_;  ///< its n1_a is n_a: the axes, any length but zero, in frame_a
  Animation animation_;

  JointUSR* jointUSR_ = nullptr;
  Vector3d n_b_{0, 0, 1};  ///< [1]  the axes, resolved in frame_b
  FrameId frame_a_, frame_b_;
  planar_assembly::InnerFrames inner_;
};

}  // namespace cardan
