/// MSL's totalPower: the power that flows into an ideal component, which must be zero.
#pragma once

#include <initializer_list>

#include "components/interfaces/describe.h"

namespace cardan {

/// Power of the load at a component's frames [W]; only in variables of Level::Force.
template <class S>
S framePower(const View<S>& x, std::initializer_list<FrameId> frames) {
  S power(0);
  for (FrameId f : frames) {
    const FrameState<S>& frame = x.frame(f);
    const Wrench<S>& load = x.connectorLoad(f);
    const Vector3<S> w_0 = frames::resolve1(frame.R, frames::angularVelocity2(frame.R));
    power += dot(load.f_0, frame.v_0) + dot(load.t_0, w_0);
  }
  return power;
}

/// Power of the flow at a component's flange [W]; only in variables of Level::Force.
template <class S>
S flangePower(const View<S>& x, FlangeId f) {
  return x.connectorFlow(f) * x.flange(f).velocity;
}

/// Parameter `checkTotalPower`.
inline void readCheckTotalPower(ParameterReader& r, bool& check) {
  r.boolean("checkTotalPower", check, "totalPower is computed; else it is zero");
}

/// Variable `totalPower`, f(const View<S>&) -> S [W] where it is to be computed.
template <class F>
void describeTotalPower(Variables& v, bool check, F f) {
  if (check) {
    v.scalar({"totalPower", "W", "power that flows into the component; zero", Level::Force}, f);
  } else {
    describe::scalar(v, "totalPower", "W", "not computed: checkTotalPower is false",
                     [] { return 0.0; });
  }
}

}  // namespace cardan
