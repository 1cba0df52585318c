#include "components/joints/joint_usr.h"

namespace cardan {

void JointUSR::setDefaults(Parameters& p) {
  p.last.n = {0, 0, 1};
  p.rRod2_ib = {-1, 0, 0};
}

void JointUSR::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  animation_.boolean(r, "showUniversalAxes", true);
  r.vector("n1_a", p_.rod1.n1_a, "1", "axis 1 of the universal joint, resolved in frame_a");
  r.vector("n_b", p_.last.n, "1", "axis of the revolute joint, resolved in frame_b");
  r.vector("rRod1_ia", p_.rod1.rRod_ia, "m",
           "from frame_a to the spherical joint, resolved in frame_ia");
  r.vector("rRod2_ib", p_.rRod2_ib, "m",
           "from frame_ib to the spherical joint, resolved in frame_ib");
  p_.last.readBranch(r);
  p_.last.readStart(r);
  animation_.sphere(r, r.world().defaultJointLength, kJointColor);
  animation_.length(r, "rod1Diameter", animation_.realValue("sphereDiameter") / 2);
  animation_.color(r, "rod1Color", kRodColor);
  animation_.length(r, "rod2Diameter", animation_.realValue("rod1Diameter"));
  animation_.color(r, "rod2Color", animation_.colorValue("rod1Color"));
  animation_.length(r, "revoluteDiameter", r.world().defaultJointWidth);
  animation_.length(r, "revoluteLength", r.world().defaultJointLength);
  animation_.color(r, "revoluteColor", kJointColor);
  animation_.specular(r);
  animation_.cylinder(r);
  readCheckTotalPower(r, p_.checkTotalPower);
  if (!r.require(p_.last.n.norm() > 0, "n_b", "must not be the zero vector"))
    p_.last.n = Vector3d::UnitZ();
  if (!UniversalAxes::require(r, p_.rod1.n1_a, "rRod1_ia", p_.rod1.rRod_ia)) p_.rod1 = {};
  p_.last.lengthConstraint = p_.rod1.rRod_ia.norm();
}

}  // namespace cardan
