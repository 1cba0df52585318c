#include "components/joints/joint_ssp.h"

namespace cardan {

void JointSSP::setDefaults(Parameters& p) {
  p.last.n = {0, 0, 1};
  p.rRod2_ib = {1, 0, 0};
}

void JointSSP::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  animation_.boolean(r, "showMass", true);
  r.real("rod1Length", p_.rod1.rodLength, "m", "distance between the two spherical joints",
         kPositive);
  r.real("rod1Mass", p_.rod1.m, "kg", "mass of a point in the middle of rod 1", kNotNegative);
  r.vector("n_b", p_.last.n, "1", "axis of the prismatic joint, resolved in frame_b");
  r.vector("rRod2_ib", p_.rRod2_ib, "m",
           "from frame_ib to the spherical joint in the middle, resolved in frame_ib");
  p_.last.readBranch(r);
  p_.last.readStart(r);
  animation_.sphere(r, r.world().defaultJointLength, kJointColor);
  animation_.length(r, "rod1Diameter", animation_.realValue("sphereDiameter") / 2);
  animation_.color(r, "rod1Color", kRodColor);
  animation_.length(r, "rod2Diameter", animation_.realValue("rod1Diameter"));
  animation_.color(r, "rod2Color", animation_.colorValue("rod1Color"));
  animation_.box(r);
  animation_.specular(r);
  readCheckTotalPower(r, p_.checkTotalPower);
  if (!r.require(p_.last.n.norm() > 0, "n_b", "must not be the zero vector"))
    p_.last.n = Vector3d::UnitZ();
  p_.last.length = p_.rod1.rodLength;
}

}  // namespace cardan
