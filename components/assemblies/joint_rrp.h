/// JointRRP: two revolute joints with parallel axes, a prismatic joint across them, and two rods
/// between them, for planar loops.
#pragma once

#include "components/assemblies/planar_assembly.h"

namespace cardan {

/// Parts      jointUSP: in a planar loop its universal and spherical joints turn about n_a only
/// Source     MSL 4.0 Joints.Assemblies.JointRRP
class JointRRP final : public ComponentOf<JointRRP> {
 public:
  JointRRP() { usp_.last.n = {-1, 0, 0}; }

  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    r.vector("n_a", usp_.rod1.n1_a, "1", "axes of the revolute joints, resolved in frame_a");
    r.vector("n_b", usp_.last.n, "1",
             "axis of the prismatic joint, across those of the revolute joints, in frame_b");
    planar_assembly::read<JointUSP>(r, "jointUSP", usp_, animation_);
    if (!r.require(usp_.last.n.norm() > 0, "n_b", "must not be the zero vector"))
      usp_.last.n = -Vector3d::UnitX();
  }
  void declare(Structure& s) override {
    planar_assembly::declare<JointUSP>(s, "jointUSP", usp_, frame_a_, frame_b_, inner_);
  }
  void describe(Variables& v) const override {
    planar_assembly::describe(v, "jointUSP", usp_.rod1.n1_a);
    // A parameter in MSL, set at the start: frame_im is parallel to frame_b, which never leaves the
    // plane.
    v.vector({"e_im", "1", "axes of the revolute joints, resolved in frame_im", Level::Position},
             [this](const auto& x) {
               return frames::resolve2(
                   x.frame(frame_b_).R,
                   frames::resolve1(x.frame(frame_a_).R, usp_.rod1.n1_a.normalized().eval()));
             });
    v.alias("e_b", "jointUSP.prismatic.e");
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    planar_assembly::addPicture(s, animation_, usp_, frame_a_, inner_);
    picture::slider(s, animation_, "shape_prism", frame_b_, usp_.last.n.normalized(), inner_.ib);
  }

 private:
  JointUSP::Parameters usp_;  ///< its n1_a is n_a: the axes, any length but zero, in frame_a
  Animation animation_;
  FrameId frame_a_, frame_b_;
  planar_assembly::InnerFrames inner_;
};

}  // namespace cardan
