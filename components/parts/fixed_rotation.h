/// FixedRotation: a massless rigid offset, translated and then turned.
#pragma once

#include <algorithm>
#include <numbers>

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/describe.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/laws/closure_rows.h"

namespace cardan {

enum class RotationTypes { RotationAxis, TwoAxesVectors, PlanarRotationSequence };

/// Equations  r_0b = r_0a + T_a' r;  R_b = absoluteRotation(R_a, R_rel), R_rel constant
///            f_a + T_rel' f_b = 0;  t_a + T_rel' t_b - r x f_a = 0
/// Source     MSL 4.0 Parts.FixedRotation
class FixedRotation final : public ComponentOf<FixedRotation>, public JointLawOf<FixedRotation> {
 public:
  static constexpr int nq = 0, nv = 0;

  struct Parameters {
    Vector3d r{0, 0, 0};  ///< [m]   p_AB_A
    RotationTypes rotationType = RotationTypes::RotationAxis;
    Vector3d n{1, 0, 0};    ///< [1]   axis, any length but zero, the same in frame_a and frame_b
    double angle = 0;       ///< [deg] about n
    Vector3d n_x{1, 0, 0};  ///< [1]   along the x-axis of frame_b, resolved in frame_a
    Vector3d n_y{0, 1, 0};  ///< [1]   says in which half plane its y-axis lies, resolved in frame_a
    frames::Sequence sequence{1, 2, 3};
    Vector3d angles{0, 0, 0};  ///< [deg] about the axes of `sequence`
    bool cut = false;          ///< only closes a loop
  };

  FixedRotation() = default;
  explicit FixedRotation(const Parameters& p) : p_(p) { parametersChanged(); }

  void read(ParameterReader& r) override {
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
    r.vector("n_x", p_.n_x, "1",
             "TwoAxesVectors: along the x-axis of frame_b, resolved in frame_a");
    r.vector("n_y", p_.n_y, "1",
             "TwoAxesVectors: along the y-axis of frame_b, resolved in frame_a");
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
  void declare(Structure& s) override { frames_.declareRigid(s, *this, p_.cut); }
  void describe(Variables& v) const override {
    describe::orientation(v, "R_rel", "rotation from frame_a to frame_b",
                          [this](const auto&) { return R_rel_; });
    describe::orientation(v, "R_rel_inv", "rotation from frame_b to frame_a",
                          [this](const auto&) { return frames::inverseRotation(R_rel_); });
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    s.add(picture::shape(animation_, frames_.frame_a));
  }
  void parametersChanged() override {
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

  template <class S>
  Placement motionAt(const JointState<S>&) const {
    return {p_.r, R_rel_};
  }
  template <class S>
  void closureAt(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    holdRigidly(m, p_.r, R_rel_, rows);
  }
  std::string closureName(int row) const override { return rigidName(row); }

 private:
  Parameters p_;
  Animation animation_;
  frames::Orientation<double> R_rel_ = frames::nullRotation();  ///< a -> b
  TwoTreeFrames frames_;
};

}  // namespace cardan
