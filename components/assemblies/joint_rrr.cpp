#include "components/assemblies/joint_rrr.h"

namespace cardan {

void JointRRR::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  r.vector("n_a", usr_.rod1.n1_a, "1", "axes of the revolute joints, resolved in frame_a");
  planar_assembly::read<JointUSR>(r, "jointUSR", usr_, animation_);
  usr_.last.n = n_b_ = usr_.rod1.n1_a;
}

void JointRRR::declare(Structure& s) {
  jointUSR_ = &planar_assembly::declare<JointUSR>(s, "jointUSR", usr_, frame_a_, frame_b_, inner_);
}

void JointRRR::propose(const View<double>& x, Proposal&) {
  n_b_ =
      frames::resolve2(x.frame(frame_b_).R, frames::resolve1(x.frame(frame_a_).R, usr_.rod1.n1_a));
  jointUSR_->setAxis(n_b_);
}

void JointRRR::describe(Variables& v) const {
  planar_assembly::describe(v, "jointUSR", usr_.rod1.n1_a);
  v.vector({"n_b", "1", "axis of the revolute joints, resolved in frame_b", Level::Position},
           [this](const auto&) { return n_b_; });
  v.alias("e_b", "jointUSR.revolute.e");
}

void JointRRR::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  planar_assembly::addPicture(s, animation_, usr_, frame_a_, inner_);
  planar_assembly::pin(s, animation_, "shape_rev3", frame_b_, frame_a_, usr_.rod1.n1_a);
}

}  // namespace cardan
