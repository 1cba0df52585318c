#include "components/parts/fixed_rotation.h"

#include <algorithm>
#include <numbers>

#include "components/interfaces/describe.h"
#include "components/interfaces/picture.h"

namespace cardan {

void FixedRotation::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  readCut(r, p_.cut);
  r.vector("r", p_.r, "m", "from frame_a to frame_b, resolved in frame_a");
  r.enumeration("rotationType", p_.rotationType,
                {{"RotationAxis", RotationTypes::RotationAxis},
                 {"TwoAxesVectors", RotationTypes::TwoAxesVectors},
                 {"PlanarRotationSequence", RotationTypes::PlanarRotationSequence}},
                "which parameters describe the rotation");
  r.vector("n", p_.n, "1", "RotationAxis: axis, resolved in frame_a and frame_b");
  r.real("angle", p_.angle, "deg", "RotationAxis: angle about n from frame_a to frame_b");
  r.vector("n_x", p_.n_x, "1", "TwoAxesVectors: along the x-axis of frame_b, resolved in frame_a");
  r.vector("n_y", p_.n_y, "1", "TwoAxesVectors: along the y-axis of frame_b, resolved in frame_a");
  r.integers("sequence", p_.sequence, "PlanarRotationSequence: axes of the three rotations");
  r.vector("angles", p_.angles, "deg",
           "PlanarRotationSequence: angles about the axes of `sequence`");
  animation_.shape(r, p_.r, kRodColor);
  animation_.specular(r);

  if (!r.require(std::ranges::all_of(p_.sequence, [](int i) { return 1 <= i && i <= 3; }),
                 "sequence", "must consist of 1, 2 and 3")) {
    p_.sequence = {1, 2, 3};
  }
  if (p_.rotationType == RotationTypes::RotationAxis) {
    r.require(p_.n.norm() > 0, "n", "must not be the zero vector");
  }
}

void FixedRotation::parametersChanged() {
  constexpr double degree = std::numbers::pi / 180;
  switch (p_.rotationType) {
    case RotationTypes::RotationAxis:
      R_rel_ = frames::planarRotation(p_.n.normalized(), p_.angle * degree, 0.0);
      break;
    case RotationTypes::TwoAxesVectors:
      R_rel_ = frames::from_nxy(p_.n_x, p_.n_y);
      break;
    case RotationTypes::PlanarRotationSequence:
      R_rel_ = frames::axesRotations(p_.sequence, p_.angles * degree, Vector3d::Zero());
      break;
  }
}

void FixedRotation::declare(Structure& s) { frames_.declareRigid(s, *this, p_.cut); }

void FixedRotation::describe(Variables& v) const {
  describe::orientation(v, "R_rel", "rotation from frame_a to frame_b",
                        [this](const auto&) { return R_rel_; });
  describe::orientation(v, "R_rel_inv", "rotation from frame_b to frame_a",
                        [this](const auto&) { return frames::inverseRotation(R_rel_); });
}

void FixedRotation::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  s.add(picture::shape(animation_, frames_.frame_a));
}

}  // namespace cardan
