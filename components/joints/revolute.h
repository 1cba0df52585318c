/// Revolute joint: frame_b turns about the axis n, which is fixed in frame_a and in frame_b.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/laws/axis_law.h"
#include "components/one_dimensional/joint_drag.h"

namespace cardan {

/// Unknowns   phi [rad], w [rad/s]
/// Equations  der(phi) = w;  0 = tau + e.t_b   (d'Alembert along the free axis)
/// Source     MSL 4.0 Joints.Revolute
class Revolute final : public ComponentOf<Revolute>,
                       public JointLawOf<Revolute>,
                       public TurningLaw {
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

  Revolute() : Revolute(Parameters()) {}
  explicit Revolute(const Parameters& p) : TurningLaw(p.n, p.phi_offset), p_(p) {}

  void read(ParameterReader& r) override;
  void parametersChanged() override { setAxis(p_.n, p_.phi_offset); }
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

  AxisMotion axisMotion() const override { return {AxisMotion::Kind::turn, axis_.e, offset_}; }

  /// Its place in the model, once declared.
  JointId joint() const { return frames_.joint; }

  std::string closureName(int row) const override;

 private:
  Parameters p_;
  Animation animation_;

  TwoTreeFrames frames_;
};

}  // namespace cardan
