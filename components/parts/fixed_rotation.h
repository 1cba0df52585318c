/// FixedRotation: a massless rigid offset, translated and then turned.
#pragma once

#include "components/animation.h"
#include "components/component.h"
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

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;
  void parametersChanged() override;

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
