/// Prismatic joint: frame_b slides along the axis n, which is fixed in frame_a and in frame_b.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/laws/closure_rows.h"
#include "components/laws/joint_axis.h"
#include "components/one_dimensional/joint_drag.h"

namespace cardan {

/// Unknowns   s [m], v [m/s]
/// Equations  der(s) = v;  0 = f + e.f_b   (d'Alembert along the free axis)
/// Source     MSL 4.0 Joints.Prismatic
class Prismatic final : public ComponentOf<Prismatic>, public JointLawOf<Prismatic> {
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

  Prismatic() = default;
  explicit Prismatic(const Parameters& p) : p_(p) {}

  void read(ParameterReader& r) override;
  void parametersChanged() override { axis_.set(p_.n); }
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

  AxisMotion axisMotion() const override { return {AxisMotion::Kind::slide, axis_.e, p_.s_offset}; }

  template <class S>
  Slide<S> motionAt(const JointState<S>& x) const {
    return {axis_.e * S(x.q[0] + p_.s_offset), axis_.e * x.v[0], axis_.e * x.vd[0]};
  }
  template <class S>
  void projectLoad(const Vector3<S>& f_a, const Vector3<S>& /*t_b*/, const JointState<S>&,
                   S* tau) const {
    tau[0] = dot(axis_.e, f_a);
  }
  /// Cut: no displacement across the axis, parallel axes.
  template <class S>
  void closureAt(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    keepOnAxis(m, axis_, rows);
    alignFrames(m, frames::nullRotation(), rows);
  }
  template <class S>
  void measureAt(const RelativeMotion<S>& m, S* q, S* v, S* vd) const {
    q[0] = dot(axis_.e, m.r_rel) - p_.s_offset;
    v[0] = dot(axis_.e, m.v_rel);
    vd[0] = dot(axis_.e, m.a_rel);
  }
  std::string closureName(int row) const override;

 private:
  Parameters p_;
  Animation animation_;

  JointAxis axis_{p_.n};
  TwoTreeFrames frames_;
};

}  // namespace cardan
