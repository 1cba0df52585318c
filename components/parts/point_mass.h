/// PointMass: a mass without inertia tensor; it floats where nothing holds it.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/coordinate.h"
#include "components/interfaces/one_frame.h"
#include "components/interfaces/picture.h"
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

  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    r.real("m", p_.m, "kg", "mass", kNotNegative);
    animation_.sphere(r, r.world().defaultBodyDiameter, "world.defaultBodyDiameter", kBodyColor);
    animation_.specular(r);
    StateSelect select = StateSelect::avoid;
    readStateSelect(r, "stateSelect", select);
    r.start("r_0", p_.r_0, "m", "position of frame_a, resolved in world");
    r.start("v_0", p_.v_0, "m/s", "velocity of frame_a, resolved in world");
    r.start("a_0", p_.a_0, "m/s2", "acceleration of frame_a, resolved in world");
    for (StartVector<3>* s : {&p_.r_0, &p_.v_0}) {
      if (s->stateSelect == StateSelect::defaultSelect) s->stateSelect = select;
    }
  }
  void declare(Structure& s) override {
    frame_.declare(s);
    if (p_.m > 0) s.inertia(frame_.frame_a);
    std::vector<UnknownInfo> positions, velocities;
    addVector(positions, "r_0", "m", "position of frame_a");
    addVector(velocities, "v_0", "m/s", "velocity of frame_a");
    s.root(frame_.frame_a, rootLaw_, std::move(positions), std::move(velocities),
           RootRank::pointMass);
  }
  void describe(Variables& v) const override {
    const FrameId a = frame_.frame_a;
    v.start("r_0", p_.r_0);
    v.start("v_0", p_.v_0);
    v.start("a_0", p_.a_0);
    frame_.describeMotion(v);
    v.mechanics([this, a](const auto& x) {
      const auto& frame = x.frame(a);
      MechanicalSums<std::decay_t<decltype(x.time())>> sum;
      sum.kineticEnergy = 0.5 * p_.m * dot(frame.v_0, frame.v_0);
      sum.potentialEnergy = p_.m * x.world().gravityPotential(frame.r_0);
      sum.p_0 = frame.v_0 * p_.m;
      sum.L_0 = cross(frame.r_0, sum.p_0);
      return sum;
    });
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    picture::sphere(s, animation_, frame_.frame_a);
  }

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
