/// PointMass: a mass without inertia tensor; it floats where nothing holds it.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/one_frame.h"
#include "components/laws/point_motion.h"

namespace cardan {

/// Unknowns   where it is a root: r_0 [m], v_0 [m/s], resolved in world
/// Equations  f = m T(a_0 - g_0);  t = 0
/// Source     MSL 4.0 Parts.PointMass
class PointMass final : public ComponentOf<PointMass> {
 public:
  struct Parameters {
    double m = 1;                  ///< [kg]
    StartVector<3> r_0, v_0, a_0;  ///< [m], [m/s], [m/s2] resolved in world
  };

  PointMass() = default;
  explicit PointMass(const Parameters& p) : p_(p) {}

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

  std::optional<RigidBody> rigidBody() const override {
    return RigidBody{frame_.frame_a, p_.m, Vector3d::Zero(), Matrix3d::Zero()};
  }
  template <class S>
  void physics(View<S>& x) const {
    const FrameState<S>& a = x.frame(frame_.frame_a);
    x.addLoad0(frame_.frame_a,
               {(a.a_0 - x.world().gravityAcceleration(a.r_0)) * p_.m, Vector3<S>::Zero()});
  }

 private:
  Parameters p_;
  Animation animation_;
  PointMotionLaw rootLaw_;
  OneFrame_a frame_;
};

}  // namespace cardan
