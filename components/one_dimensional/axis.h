/// The two kinds of one-dimensional motion: names, units and signs by which MSL's Rotational and
/// Translational differ. Physics that is the same for both is written once, for either of them.
#pragma once

#include "components/ids.h"

namespace cardan::one_dimensional {

/// Turning about a fixed axis: phi [rad], tau [N.m].
struct RotationalAxis {
  static constexpr Domain domain = Domain::Rotational;

  static constexpr const char* position = "phi";
  static constexpr const char* velocity = "w";
  static constexpr const char* acceleration = "a";
  static constexpr const char* flow = "tau";

  static constexpr const char* positionUnit = "rad";
  static constexpr const char* velocityUnit = "rad/s";
  static constexpr const char* accelerationUnit = "rad/s2";
  static constexpr const char* flowUnit = "N.m";

  static constexpr const char* positionWord = "angle";
  static constexpr const char* velocityWord = "angular velocity";
  static constexpr const char* accelerationWord = "angular acceleration";
  static constexpr const char* flowWord = "torque";

  // Variables of parts between two flanges
  static constexpr const char* position_rel = "phi_rel";
  static constexpr const char* velocity_rel = "w_rel";
  static constexpr const char* acceleration_rel = "a_rel";

  // Parameters of springs and dampers
  static constexpr const char* position_rel0 = "phi_rel0";
  static constexpr const char* positionNominal = "phi_nominal";
  static constexpr const char* stiffnessUnit = "N.m/rad";
  static constexpr const char* dampingUnit = "N.m.s/rad";

  // Parts with inertia, fixed parts
  static constexpr const char* inertia = "J";
  static constexpr const char* inertiaUnit = "kg.m2";
  static constexpr const char* inertiaWord = "moment of inertia";
  static constexpr const char* fixedPosition = "phi0";
  /// Shift from flange_a to flange_b of a rigid part without inertia, and whether one with inertia
  /// has it too.
  static constexpr const char* shift = "deltaPhi";
  static constexpr bool inertiaHasShift = false;

  // Prescribed motion
  static constexpr const char* position_ref = "phi_ref";
  static constexpr const char* velocity_ref = "w_ref";
  static constexpr const char* acceleration_ref = "a_ref";
  static constexpr const char* velocityFixed = "w_fixed";
  static constexpr const char* position_start = "phi_start";
  static constexpr const char* velocity_start = "w_start";
  static constexpr const char* acceleration_start = "a_start";
  static constexpr const char* use_position_start = "use_phi_start";
  static constexpr const char* use_velocity_start = "use_w_start";
  static constexpr const char* use_acceleration_start = "use_a_start";
  static constexpr const char* position_flange = "phi_flange";
  static constexpr const char* velocity_flange = "w_flange";

  // Prescribed torque
  static constexpr const char* flowConstant = "tau_constant";
  static constexpr const char* flowNominal = "tau_nominal";
  static constexpr const char* velocityNominal = "w_nominal";
  static constexpr const char* flowDirection = "TorqueDirection";
  static constexpr const char* velocityRegular = "w0";
  static constexpr const char* stepFlow = "stepTorque";
  static constexpr const char* offsetFlow = "offsetTorque";
  /// Sign of the variable `tau` of a source against the torque that accelerates its flange.
  static constexpr double sourceSign = 1;

  // Friction
  static constexpr const char* frictionTable = "tau_pos";
  static constexpr const char* flow0 = "tau0";
  static constexpr const char* flow0_max = "tau0_max";
  static constexpr const char* velocity_relfric = "w_relfric";
  static constexpr const char* velocitySmall = "w_small";
};

/// Sliding along a fixed axis: s [m], f [N].
struct TranslationalAxis {
  static constexpr Domain domain = Domain::Translational;

  static constexpr const char* position = "s";
  static constexpr const char* velocity = "v";
  static constexpr const char* acceleration = "a";
  static constexpr const char* flow = "f";

  static constexpr const char* positionUnit = "m";
  static constexpr const char* velocityUnit = "m/s";
  static constexpr const char* accelerationUnit = "m/s2";
  static constexpr const char* flowUnit = "N";

  static constexpr const char* positionWord = "position";
  static constexpr const char* velocityWord = "velocity";
  static constexpr const char* accelerationWord = "acceleration";
  static constexpr const char* flowWord = "force";

  static constexpr const char* position_rel = "s_rel";
  static constexpr const char* velocity_rel = "v_rel";
  static constexpr const char* acceleration_rel = "a_rel";

  static constexpr const char* position_rel0 = "s_rel0";
  static constexpr const char* positionNominal = "s_nominal";
  static constexpr const char* stiffnessUnit = "N/m";
  static constexpr const char* dampingUnit = "N.s/m";

  static constexpr const char* inertia = "m";
  static constexpr const char* inertiaUnit = "kg";
  static constexpr const char* inertiaWord = "mass";
  static constexpr const char* fixedPosition = "s0";
  static constexpr const char* shift = "L";
  static constexpr bool inertiaHasShift = true;

  static constexpr const char* position_ref = "s_ref";
  static constexpr const char* velocity_ref = "v_ref";
  static constexpr const char* acceleration_ref = "a_ref";
  static constexpr const char* velocityFixed = "v_fixed";
  static constexpr const char* position_start = "s_start";
  static constexpr const char* velocity_start = "v_start";
  static constexpr const char* acceleration_start = "a_start";
  static constexpr const char* use_position_start = "use_s_start";
  static constexpr const char* use_velocity_start = "use_v_start";
  static constexpr const char* use_acceleration_start = "use_a_start";
  static constexpr const char* position_flange = "s_flange";
  static constexpr const char* velocity_flange = "v_flange";

  static constexpr const char* flowConstant = "f_constant";
  static constexpr const char* flowNominal = "f_nominal";
  static constexpr const char* velocityNominal = "v_nominal";
  static constexpr const char* flowDirection = "ForceDirection";
  static constexpr const char* velocityRegular = "v0";
  static constexpr const char* stepFlow = "stepForce";
  static constexpr const char* offsetFlow = "offsetForce";
  static constexpr double sourceSign = -1;  ///< MSL: f = flange.f

  static constexpr const char* frictionTable = "f_pos";
  static constexpr const char* flow0 = "f0";
  static constexpr const char* flow0_max = "f0_max";
  static constexpr const char* velocity_relfric = "v_relfric";
  static constexpr const char* velocitySmall = "v_small";
};

}  // namespace cardan::one_dimensional
