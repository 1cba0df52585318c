/// What resists the motion of a joint with one freedom: its friction and its stops.
#pragma once

#include "components/component.h"
#include "components/one_dimensional/axis.h"
#include "components/structure.h"

namespace cardan::one_dimensional {

/// `friction: {...}` of a joint: sliding friction constant + mu radius load, load = force between
/// the frames that the joint does not let through.
struct JointFrictionParameters {
  double mu = 0;        ///< [1]        >= 0
  double radius = 0;    ///< [m]        >= 0, of a bearing; [1] 1 along an axis
  double constant = 0;  ///< [N.m | N]  >= 0
  double peak = 1;      ///< [1]        >= 1, largest friction when stuck over sliding friction

  bool isOfLoad() const { return mu > 0 && radius > 0; }
  bool isUsed() const { return isOfLoad() || constant > 0; }
  /// `turns`: of a bearing, which has a radius, and whose friction is a torque.
  void read(ParameterReader& r, bool turns);
};

/// `limits: {...}` of a joint: elastic stops at both ends, or at one.
struct JointLimitsParameters {
  double min = 0, max = 0;  ///< [rad | m]
  double c = 0;             ///< [N.m/rad | N/m]      > 0
  double d = 0;             ///< [N.m.s/rad | N.s/m]  >= 0
  bool hasMin = false, hasMax = false;

  bool isUsed() const { return hasMin || hasMax; }
  template <class Axis>
  void read(ParameterReader& r);
};

/// Spring and damper of a stop beyond its limit, which push only.
///
/// Equations  beyond the limit by u: flow = c u + d der(u) against u, 0 where that would pull;
///            energy = c u^2/2;  lossPower = (flow - c u) der(u)
template <class S>
struct StopPush {
  S flow{0};       ///< [N.m | N]  against u
  S energy{0};     ///< [J]
  S lossPower{0};  ///< [W]

  static StopPush of(double c, double d, const S& u, const S& u_d, bool released) {
    const S flow = released ? S(0.0 * u) : S(c * u + d * u_d);
    return {flow, 0.5 * c * u * u, (flow - c * u) * u_d};
  }
};

/// Declares the parts "friction" and "limits" of a joint with one coordinate, as far as they are
/// used, at its flange "axis" if it has one; `load`: the joint's variable of the force that friction
/// comes from.
template <class Axis>
void declareDrag(Structure& s, JointId joint, bool hasAxisFlange,
                 const JointFrictionParameters& friction, const JointLimitsParameters& limits,
                 const char* load);

}  // namespace cardan::one_dimensional
