/// Prismatic joint: frame_b slides along the axis n, which is fixed in frame_a and in frame_b.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/laws/axis_law.h"
#include "components/one_dimensional/joint_drag.h"

namespace cardan {

/// Unknowns   s [m], v [m/s]
/// Equations  der(s) = v;  0 = f + e.f_b   (d'Alembert along the free axis)
/// Source     MSL 4.0 Joints.Prismatic
class Prismatic final : public ComponentOf<Prismatic>,
                        public JointLawOf<Prismatic>,
                        public SlidingLaw {
 public:
  static constexpr int nq = 1, nv = 1;

  struct Parameters {
    bool useAxisFlange = false;
    Vector3d n{1, 0, 0};  ///< [1]  axis of translation, any length but zero, resolved in frame_a
    Coordinate s{"s", "m", "distance between frame_a and frame_b"};
    Coordinate v{"v", "m/s", "velocity"};
    Coordinate a{"a", "m/s2", "acceleration"};
    double s_offset = 0;  ///< [m]  distance between the frames where s = 0; MSL 3.2.3 has it
    bool cut = false;     ///< only closes a loop
    one_dimensional::JointFrictionParameters friction;
    one_dimensional::JointLimitsParameters limits;

    /// Of a part that slides along n and starts as the coordinates of the joint around it say.
    static Parameters along(const Vector3d& n, const Coordinate& s, const Coordinate& v,
                            const Coordinate& a);
  };

  Prismatic() : Prismatic(Parameters()) {}
  explicit Prismatic(const Parameters& p) : SlidingLaw(p.n, p.s_offset), p_(p) {}

  void read(ParameterReader& r) override;
  void parametersChanged() override { setAxis(p_.n, p_.s_offset); }
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

  AxisMotion axisMotion() const override { return {AxisMotion::Kind::slide, axis_.e, offset_}; }

  std::string closureName(int row) const override;

 private:
  Parameters p_;
  Animation animation_;

  TwoTreeFrames frames_;
};

}  // namespace cardan
