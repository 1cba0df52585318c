/// PointMass: a mass without inertia tensor; it floats where nothing holds it.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/one_frame.h"
#include "components/joints/across.h"

namespace cardan {

/// Root of a floating point mass: three freedoms, R = nullRotation.
///
/// Unknowns   r_0 [m], v_0 [m/s], resolved in world
/// Equations  der(r_0) = v_0;  f_a = 0
class PointMotionLaw final : public JointLawOf<PointMotionLaw> {
 public:
  static constexpr int nq = 3, nv = 3;

  template <class S>
  Slide<S> motionAt(const JointState<S>& x) const {
    return {{x.q[0], x.q[1], x.q[2]}, {x.v[0], x.v[1], x.v[2]}, {x.vd[0], x.vd[1], x.vd[2]}};
  }
  template <class S>
  void projectLoad(const Vector3<S>& f_a, const Vector3<S>&, const JointState<S>&, S* tau) const {
    for (int i = 0; i < 3; ++i) tau[i] = f_a[i];
  }
  template <class S>
  void closureAt(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    alignFrames(m, frames::nullRotation(), rows);
  }
  template <class S>
  void measureAt(const RelativeMotion<S>& m, S* q, S* v, S* vd) const {
    for (int i = 0; i < 3; ++i) {
      q[i] = m.r_rel[i];
      v[i] = m.v_rel[i];
      vd[i] = m.a_rel[i];
    }
  }
};

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
