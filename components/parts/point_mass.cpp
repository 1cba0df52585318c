#include "components/parts/point_mass.h"

#include "components/interfaces/coordinate.h"
#include "components/interfaces/picture.h"

namespace cardan {

void PointMass::read(ParameterReader& r) {
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

void PointMass::declare(Structure& s) {
  frame_.declare(s);
  if (p_.m > 0) s.inertia(frame_.frame_a);
  std::vector<UnknownInfo> positions, velocities;
  addVector(positions, "r_0", "m", "position of frame_a");
  addVector(velocities, "v_0", "m/s", "velocity of frame_a");
  s.root(frame_.frame_a, rootLaw_, std::move(positions), std::move(velocities),
         RootRank::pointMass);
}

void PointMass::describe(Variables& v) const {
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

void PointMass::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  picture::sphere(s, animation_, frame_.frame_a);
}

}  // namespace cardan
