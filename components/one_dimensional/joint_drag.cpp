#include "components/one_dimensional/joint_drag.h"

#include <type_traits>

#include "components/one_dimensional/friction.h"

namespace cardan::one_dimensional {

void JointFrictionParameters::read(ParameterReader& r, bool turns) {
  const bool given = r.isGiven("friction");
  r.begin("friction");
  r.real("mu", mu, "1", "friction coefficient of the force between the frames", kNotNegative);
  if (turns) {
    r.real("radius", radius, "m", "radius of the bearing, at which that friction acts",
           kNotNegative);
    r.require(!(mu > 0) || radius > 0, "mu", "needs a radius greater than 0");
  } else {
    radius = 1;
  }
  r.real(turns ? "torque" : "force", constant, turns ? "N.m" : "N",
         "sliding friction without any load", kNotNegative);
  r.real("peak", peak, "1", "largest friction when stuck over sliding friction", Range{1});
  r.end();
  r.require(!given || isUsed() || mu > 0, "friction",
            turns ? "must have mu and radius, or torque" : "must have mu, or force");
}

template <class Axis>
void JointLimitsParameters::read(ParameterReader& r) {
  const bool given = r.isGiven("limits");
  r.begin("limits");
  r.real("min", min, Axis::positionUnit, "lower stop; none where not given");
  r.real("max", max, Axis::positionUnit, "upper stop; none where not given");
  hasMin = r.isGiven("min");
  hasMax = r.isGiven("max");
  r.real("c", c, Axis::stiffnessUnit, "stiffness of the stops", kPositive);
  r.real("d", d, Axis::dampingUnit, "damping of the stops, which never pulls", kNotNegative);
  r.require(!(hasMin && hasMax) || min <= max, "max", "must not be less than min");
  r.require(!isUsed() || r.isGiven("c"), hasMax ? "max" : "min", "needs a stiffness c");
  r.end();
  r.require(!given || isUsed(), "limits", "must have min, or max, or both");
}

template <class Axis>
void JointStops<Axis>::declare(Structure& s) {
  flange_ = s.flange("flange", Axis::domain);
  above_.declare(s, "above");
  below_.declare(s, "below");
  released_.declare(s, "released");
}

template <class Axis>
void JointStops<Axis>::describe(Variables& v) const {
  v.scalar({Axis::flow, Axis::flowUnit,
            std::string(Axis::flowWord) + " of the stops against the joint", Level::Velocity},
           [this](const auto& x) { return sideOf(x) * push(x).flow; });
  v.scalar({"lossPower", "W", "power that the stops' damping takes", Level::Velocity},
           [this](const auto& x) { return push(x).lossPower; });
  v.mechanics([this](const auto& x) {
    MechanicalSums<std::decay_t<decltype(x.time())>> sum;
    sum.potentialEnergy = push(x).energy;
    return sum;
  });
}

template <class Axis>
void JointStops<Axis>::guards(const View<double>& x, Guards& g) const {
  above_.guard(x, g, p_.hasMax ? beyond(x, 1) : -1);
  below_.guard(x, g, p_.hasMin ? beyond(x, -1) : -1);
  if (const int side = sideOf(x); side != 0 && p_.d > 0) {
    released_.guard(x, g, pull(x, side), p_.c * beyond(x, side));
  } else {
    g.crossing(1);
  }
}

template <class Axis>
bool JointStops<Axis>::transition(const View<double>& x, Modes& m) const {
  const bool above = p_.hasMax && above_.update(m, beyond(x, 1));
  const bool below = p_.hasMin && below_.update(m, beyond(x, -1));
  const int side = above_.isSet(m) ? 1 : below_.isSet(m) ? -1 : 0;
  const bool touches = side != 0 && p_.d > 0;
  const bool released = touches ? released_.update(m, pull(x, side), p_.c * beyond(x, side))
                                : released_.update(m, -1, 0);
  return above || below || released;
}

template <class Axis>
void declareDrag(Structure& s, JointId joint, bool hasAxisFlange,
                 const JointFrictionParameters& friction, const JointLimitsParameters& limits,
                 const char* load) {
  std::string at = hasAxisFlange ? "axis" : "";
  const auto attach = [&](const std::string& flange, FlangeId id) {
    if (at.empty()) {
      s.axis(id, joint, 0);
      at = flange;
    } else {
      s.connect(at, flange);
    }
  };
  if (friction.isUsed()) {
    auto& part = s.part<JointFriction<Axis>>("friction", friction);
    attach("friction.flange", part.flange());
    if (friction.isOfLoad()) s.connect(load, "friction.load");
  }
  if (limits.isUsed()) {
    auto& part = s.part<JointStops<Axis>>("limits", limits);
    attach("limits.flange", part.flange());
  }
}

template void JointLimitsParameters::read<RotationalAxis>(ParameterReader&);
template void JointLimitsParameters::read<TranslationalAxis>(ParameterReader&);
template class JointStops<RotationalAxis>;
template class JointStops<TranslationalAxis>;
template void declareDrag<RotationalAxis>(Structure&, JointId, bool, const JointFrictionParameters&,
                                          const JointLimitsParameters&, const char*);
template void declareDrag<TranslationalAxis>(Structure&, JointId, bool,
                                             const JointFrictionParameters&,
                                             const JointLimitsParameters&, const char*);

}  // namespace cardan::one_dimensional
