/// Massless parts between two flanges whose force is a function of their relative motion: spring,
/// damper, both.
#pragma once

#include "components/component.h"
#include "components/one_dimensional/axis.h"
#include "components/one_dimensional/flanges.h"

namespace cardan::one_dimensional {

/// `stateSelect` and the nominal relative position of a part whose relative motion MSL may take as
/// states.
template <class Axis>
void readRelativeStates(ParameterReader& r, MotionStart& start);

/// The result tau (f) of a part between two flanges: what acts at flange_b.
template <class Axis, class F>
void describeFlow(Variables& v, Level level, F f) {
  v.scalar({Axis::flow, Axis::flowUnit,
            std::string(Axis::flowWord) + " between the flanges (= flange_b's)", level},
           f);
}

template <class S>
struct LossyLoad {
  S flow;  ///< [N.m | N]  at flange_b
  S lost;  ///< [N.m | N]  part of it
};

/// What the parts below share that lose a part of their force as heat: load(x) of the class says both.
template <class Axis, class Derived>
class LossyForce : public ComponentOf<Derived> {
 public:
  void declare(Structure& s) override {
    flanges_.declare(s, Axis::domain);
    heat_.declare(s);
  }
  void describe(Variables& v) const override {
    describeRelativeMotion<Axis>(v, start_, flanges_);
    describeFlow<Axis>(v, Level::Velocity, [this](const auto& x) { return self().load(x).flow; });
    v.scalar({"lossPower", "W", "power that leaves through the heat port", Level::Velocity},
             [this](const auto& x) { return self().load(x).lost * flanges_.motion(x).velocity; });
  }

  template <class S>
  void physics(View<S>& x) const {
    const LossyLoad<S> load = self().load(x);
    flanges_.addFlow(x, load.flow);
    heat_.addLoss(x, S(load.lost * flanges_.motion(x).velocity));
  }

 protected:
  void readMotion(ParameterReader& r) {
    readRelativeStates<Axis>(r, start_);
    heat_.read(r);
  }
  const Derived& self() const { return static_cast<const Derived&>(*this); }

  MotionStart start_;
  TwoFlanges flanges_;
  HeatPort heat_;
};

/// Energy of a spring, for the sum over the model.
template <class S>
MechanicalSums<S> springEnergy(double c, const S& stretch) {
  MechanicalSums<S> sum;
  sum.potentialEnergy = 0.5 * c * stretch * stretch;
  return sum;
}

}  // namespace cardan::one_dimensional
