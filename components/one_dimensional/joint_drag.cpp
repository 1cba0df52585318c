#include "components/one_dimensional/joint_drag.h"

#include "components/laws/relation.h"
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

/// Friction of a joint against its own motion, a part of the joint at its axis.
///
/// Equations  tau_c = constant + mu radius load
template <class Axis>
class JointFriction final : public CoulombFriction<Axis, JointFriction<Axis>> {
 public:
  explicit JointFriction(const JointFrictionParameters& p) : p_(p) { this->peak_ = p.peak; }

  void read(ParameterReader&) override {}
  void declare(Structure& s) override {
    flange_ = s.flange("flange", Axis::domain);
    if (p_.isOfLoad()) load_ = s.input("load", 1);
    s.inertia(flange_);
    this->declareFriction(s, p_.constant);
  }
  void describe(Variables& v) const override {
    this->describeFriction(v, p_.isOfLoad() ? std::vector{load_} : kReadsNothing);
  }

  /// Its place in the model, once declared.
  FlangeId flange() const { return flange_; }

  template <class S>
  FlangeState<S> slip(const View<S>& x) const {
    return x.flange(flange_);
  }
  template <class S>
  void load(View<S>& x, const S& tau) const {
    x.addFlow(flange_, tau);
  }
  template <class S>
  S sliding(const View<S>& x, const S&) const {
    return p_.isOfLoad() ? S(p_.constant + p_.mu * p_.radius * x.input(load_)) : S(p_.constant);
  }
  template <class S>
  bool pressed(const View<S>&) const {
    return true;
  }

 private:
  JointFrictionParameters p_;
  FlangeId flange_;
  SignalId load_;
};

/// Stops of a joint with one freedom: see StopPush.
///
/// Modes      above max, below min; released: the damper would pull
template <class Axis>
class JointStops final : public ComponentOf<JointStops<Axis>> {
 public:
  explicit JointStops(const JointLimitsParameters& p) : p_(p) {}

  void read(ParameterReader&) override {}
  void declare(Structure& s) override {
    flange_ = s.flange("flange", Axis::domain);
    above_.declare(s, "above");
    below_.declare(s, "below");
    released_.declare(s, "released");
  }
  void describe(Variables& v) const override {
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
  void guards(const View<double>& x, Guards& g) const override {
    above_.guard(x, g, p_.hasMax ? beyond(x, 1) : -1);
    below_.guard(x, g, p_.hasMin ? beyond(x, -1) : -1);
    if (const int side = sideOf(x); side != 0 && p_.d > 0) {
      released_.guard(x, g, pull(x, side), p_.c * beyond(x, side));
    } else {
      g.crossing(1);
    }
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const bool above = p_.hasMax && above_.update(m, beyond(x, 1));
    const bool below = p_.hasMin && below_.update(m, beyond(x, -1));
    const int side = above_.isSet(m) ? 1 : below_.isSet(m) ? -1 : 0;
    const bool touches = side != 0 && p_.d > 0;
    const bool released = touches ? released_.update(m, pull(x, side), p_.c * beyond(x, side))
                                  : released_.update(m, -1, 0);
    return above || below || released;
  }

  /// Its place in the model, once declared.
  FlangeId flange() const { return flange_; }

  template <class S>
  void physics(View<S>& x) const {
    if (const int side = sideOf(x); side != 0) x.addFlow(flange_, side * push(x).flow);
  }

 private:
  template <class S>
  int sideOf(const View<S>& x) const {
    return above_.holds(x) ? 1 : below_.holds(x) ? -1 : 0;
  }
  /// How far beyond the limit of this side, and how fast farther.
  template <class S>
  S beyond(const View<S>& x, int side) const {
    return side * (x.flange(flange_).position - (side > 0 ? p_.max : p_.min));
  }
  template <class S>
  StopPush<S> push(const View<S>& x) const {
    const int side = sideOf(x);
    if (side == 0) return {};
    return StopPush<S>::of(p_.c, p_.d, beyond(x, side), S(side * x.flange(flange_).velocity),
                           released_.beyond(x));
  }
  /// [N.m | N]  what the damper is short of the spring when it pulls.
  double pull(const View<double>& x, int side) const {
    return -p_.c * beyond(x, side) - side * p_.d * x.flange(flange_).velocity;
  }

  JointLimitsParameters p_;
  FlangeId flange_;
  Relation above_, below_;
  Kink released_;
};

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
template void declareDrag<RotationalAxis>(Structure&, JointId, bool, const JointFrictionParameters&,
                                          const JointLimitsParameters&, const char*);
template void declareDrag<TranslationalAxis>(Structure&, JointId, bool,
                                             const JointFrictionParameters&,
                                             const JointLimitsParameters&, const char*);

}  // namespace cardan::one_dimensional
