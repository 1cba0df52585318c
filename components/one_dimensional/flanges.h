/// Connectors of one-dimensional parts: flange and support, two flanges, heat port; and their
/// relative motion.
#pragma once

#include <string>

#include "components/parameter_reader.h"
#include "components/structure.h"
#include "components/variables.h"
#include "components/view.h"

namespace cardan::one_dimensional {

/// Motion of flange b relative to flange a.
template <class S>
[[gnu::always_inline]] inline FlangeState<S> relative(const View<S>& x, FlangeId a, FlangeId b) {
  const FlangeState<S>& p = x.flange(a);
  const FlangeState<S>& q = x.flange(b);
  return {q.position - p.position, q.velocity - p.velocity, q.acceleration - p.acceleration};
}

/// Support of a part: a connector, or ground.
struct Support {
  bool used = false;
  FlangeId flange;  ///< valid where used

  void read(ParameterReader& r, std::string_view name = "useSupport") {
    r.boolean(name, used, "there is a support flange; else the housing is fixed");
  }
  void declare(Structure& s, Domain domain, const char* name = "support") {
    if (used) flange = s.flange(name, domain);
  }
  /// Motion of `f` relative to the support.
  template <class S>
  FlangeState<S> motion(const View<S>& x, FlangeId f) const {
    return used ? relative(x, flange, f) : x.flange(f);
  }
  /// A flow at a flange of the part, and its reaction on the housing.
  template <class S>
  void addFlow(View<S>& x, FlangeId f, const S& flow) const {
    x.addFlow(f, flow);
    if (used) x.addFlow(flange, -flow);
  }
  template <class S>
  void react(View<S>& x, ConstraintId c, FlangeId f) const {
    x.react(c, 0, f, S(1.0));
    if (used) x.react(c, 0, flange, S(-1.0));
  }
};

/// Where losses go (MSL's conditional heat port).
struct HeatPort {
  bool used = false;
  FlangeId port;  ///< valid where used

  void read(ParameterReader& r) {
    r.boolean("useHeatPort", used, "there is a heat port; losses flow out of it");
  }
  void declare(Structure& s) {
    if (used) port = s.flange("heatPort", Domain::Thermal);
  }
  template <class S>
  void addLoss(View<S>& x, const S& lossPower) const {
    if (used) x.addFlow(port, -lossPower);
  }
};

/// flange_a and flange_b.
struct TwoFlanges {
  FlangeId a, b;

  void declare(Structure& s, Domain domain) {
    a = s.flange("flange_a", domain);
    b = s.flange("flange_b", domain);
  }
  template <class S>
  FlangeState<S> motion(const View<S>& x) const {
    return relative(x, a, b);
  }
  /// The flow at flange_b, and the opposite at flange_a.
  template <class S>
  void addFlow(View<S>& x, const S& flow) const {
    x.addFlow(b, flow);
    x.addFlow(a, -flow);
  }
};

/// Start values of a motion: position, velocity, acceleration under Axis' names.
struct MotionStart {
  StartValue position, velocity, acceleration;

  template <class Axis>
  void readPosition(ParameterReader& r) {
    r.start(Axis::position, position, Axis::positionUnit, Axis::positionWord);
  }
  template <class Axis>
  void read(ParameterReader& r) {
    readPosition<Axis>(r);
    r.start(Axis::velocity, velocity, Axis::velocityUnit, Axis::velocityWord);
    r.start(Axis::acceleration, acceleration, Axis::accelerationUnit, Axis::accelerationWord);
  }
  /// The same for phi_rel, w_rel, a_rel.
  template <class Axis>
  void readRelative(ParameterReader& r) {
    r.start(Axis::position_rel, position, Axis::positionUnit, Axis::positionWord);
    r.start(Axis::velocity_rel, velocity, Axis::velocityUnit, Axis::velocityWord);
    r.start(Axis::acceleration_rel, acceleration, Axis::accelerationUnit, Axis::accelerationWord);
  }
  void select(StateSelect s) {
    for (StartValue* x : {&position, &velocity}) {
      if (x->stateSelect == StateSelect::defaultSelect) x->stateSelect = s;
    }
  }
};

/// Variables phi, w, a of f(const View<S>&) -> FlangeState<S>, the first `count` of them, with
/// their start values.
template <class Axis, class F>
void describeMotion(Variables& v, const MotionStart& start, const std::string& about, F f,
                    int count = 3) {
  v.scalar({Axis::position, Axis::positionUnit, std::string(Axis::positionWord) + about,
            Level::Position},
           [f](const auto& x) { return f(x).position; });
  v.start(Axis::position, start.position);
  if (count < 2) return;
  v.scalar({Axis::velocity, Axis::velocityUnit, std::string(Axis::velocityWord) + about,
            Level::Velocity},
           [f](const auto& x) { return f(x).velocity; });
  v.start(Axis::velocity, start.velocity);
  if (count < 3) return;
  v.scalar({Axis::acceleration, Axis::accelerationUnit, std::string(Axis::accelerationWord) + about,
            Level::Acceleration},
           [f](const auto& x) { return f(x).acceleration; });
  v.start(Axis::acceleration, start.acceleration);
}

/// The same for phi_rel, w_rel, a_rel between two flanges.
template <class Axis>
void describeRelativeMotion(Variables& v, const MotionStart& start, const TwoFlanges& flanges,
                            int count = 3) {
  const std::string about = " of flange_b relative to flange_a";
  v.scalar({Axis::position_rel, Axis::positionUnit, Axis::positionWord + about, Level::Position},
           [flanges](const auto& x) { return flanges.motion(x).position; });
  v.start(Axis::position_rel, start.position);
  if (count < 2) return;
  v.scalar({Axis::velocity_rel, Axis::velocityUnit, Axis::velocityWord + about, Level::Velocity},
           [flanges](const auto& x) { return flanges.motion(x).velocity; });
  v.start(Axis::velocity_rel, start.velocity);
  v.scalar({Axis::acceleration_rel, Axis::accelerationUnit, Axis::accelerationWord + about,
            Level::Acceleration},
           [flanges](const auto& x) { return flanges.motion(x).acceleration; });
  v.start(Axis::acceleration_rel, start.acceleration);
}

}  // namespace cardan::one_dimensional
