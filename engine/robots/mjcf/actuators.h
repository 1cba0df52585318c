/// Actuators: the force that follows from an input, by the rules of each kind.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/robots/mjcf/values.h"

namespace cardan::robots::mjcf {

/// What all kinds of actuators are made of: force = gain(l, l') u + bias(l, l'), l = gear q; in place of u a
/// state that follows it.
struct ActuatorSettings {
  std::string dynamics = "none", gainType = "fixed", biasType = "none";
  double timeConstant = 1;  ///< [s]  of the state
  std::array<double, 3> gain{1, 0, 0}, bias{0, 0, 0};
  std::array<double, 6> gear{1};    ///< the first one alone but at a site
  double inheritedRange = 0;        ///< [1]  the control's by the joint's
  double armature = 0;              ///< [kg.m2], [kg]  at its own side of the gear
  std::array<double, 3> damping{};  ///< by powers of the speed; [N.m.s/rad], [N.s/m]
  int group = 0;
  std::array<double, 2> controlRange{0, 0}, forceRange{0, 0}, stateRange{0, 0};
  std::string controlLimited = "auto", forceLimited = "auto", stateLimited = "auto";

  /// Sets what an element of any kind says, as MuJoCo does: also what its kind implies.
  void apply(const XmlElement& e, const std::string& owner, Diagnostics& diagnostics);
  /// What there is nothing for; "" where it is all understood.
  std::string whyNot() const;
  /// What it acts on moves less easily by it.
  bool loadsJoints() const { return armature != 0 || damping != decltype(damping){}; }
  bool hasState() const { return dynamics != "none"; }
  /// Its force depends on no length or speed.
  bool isFree() const {
    return gainType == "fixed" && (biasType == "none" || (bias[1] == 0 && bias[2] == 0));
  }

 private:
  void applyKind(const XmlElement& e, const std::string& owner, Diagnostics& diagnostics);
};

/// The limits that a range and its `limited` make; nothing where there are none.
std::optional<std::array<double, 2>> limitsOf(const std::string& limited,
                                              const std::array<double, 2>& range);

}  // namespace cardan::robots::mjcf
