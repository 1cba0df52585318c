/// Revolute joint: frame_b turns about the axis n, which is fixed in frame_a and in frame_b.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/laws/closure_rows.h"
#include "components/laws/joint_axis.h"
#include "components/one_dimensional/joint_drag.h"

namespace cardan {

/// Unknowns   phi [rad], w [rad/s]
/// Equations  der(phi) = w;  0 = tau + e.t_b   (d'Alembert along the free axis)
/// Source     MSL 4.0 Joints.Revolute
class Revolute final : public ComponentOf<Revolute>, public JointLawOf<Revolute> {
 public:
  static constexpr int nq = 1, nv = 1;

  struct Parameters {
    bool useAxisFlange = false;
    Vector3d n{0, 0, 1};  ///< [1]  axis of rotation, any length but zero, resolved in frame_a
    Coordinate phi{"phi", "rad", "angle"};
    Coordinate w{"w", "rad/s", "angular velocity"};
    Coordinate a{"a", "rad/s2", "angular acceleration"};
    double phi_offset = 0;  ///< [rad]  angle between the frames where phi = 0; MSL 3.2.3 has it
    bool cut = false;       ///< only closes a loop
    bool thrust = true;     ///< friction comes from the force along the axis, too
    one_dimensional::JointFrictionParameters friction;
    one_dimensional::JointLimitsParameters limits;

    /// Of a part that turns about n and starts as the coordinates of the joint around it say.
    static Parameters about(const Vector3d& n, const Coordinate& phi, const Coordinate& w,
                            const Coordinate& a);
  };

  Revolute() = default;
  explicit Revolute(const Parameters& p) : p_(p) {}

  void read(ParameterReader& r) override;
  void parametersChanged() override { axis_.set(p_.n); }
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

  AxisMotion axisMotion() const override {
    return {AxisMotion::Kind::turn, axis_.e, p_.phi_offset};
  }

  /// Its place in the model, once declared.
  JointId joint() const { return frames_.joint; }

  template <class S>
  Turn<S> motionAt(const JointState<S>& x) const {
    return {frames::planarRotation(axis_.e, S(x.q[0] + p_.phi_offset), x.v[0]), axis_.e * x.vd[0]};
  }
  template <class S>
  void projectLoad(const Vector3<S>& /*f_a*/, const Vector3<S>& t_b, const JointState<S>&,
                   S* tau) const {
    tau[0] = dot(axis_.e, t_b);
  }
  /// Cut: common origin, and the axis of frame_b parallel to that of frame_a.
  template <class S>
  void closureAt(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    rows.pinned(m);
    alignAxis(m, axis_, rows);
  }
  template <class S>
  void measureAt(const RelativeMotion<S>& m, S* q, S* v, S* vd) const {
    q[0] = nearestTurn(S(axis_.angle(m.R_rel) - p_.phi_offset), value(q[0]));
    v[0] = dot(axis_.e, frames::angularVelocity2(m.R_rel));
    vd[0] = dot(axis_.e, m.z_rel);
  }
  std::string closureName(int row) const override;

 private:
  Parameters p_;
  Animation animation_;

  JointAxis axis_{p_.n};
  TwoTreeFrames frames_;
};

}  // namespace cardan
