/// Equilibrium: where a model rests, or what of it rests while the rest moves steadily.
#pragma once

#include <string>
#include <vector>

#include "engine/analysis/linear_model.h"

namespace cardan {

struct EquilibriumOptions {
  /// Globs: coordinates that may move; none: all. Of the others those that the constraints leave
  /// independent are held where the start puts them.
  std::vector<std::string> free{};
  /// Globs: velocities that stay what they are at the start.
  std::vector<std::string> steady{};
};

/// What an actuator has to add to hold a coordinate, or to keep its speed.
struct HoldingForce {
  std::string name;  ///< "drive(j.phi)"
  double value;
  std::string unit;  ///< "N", "N.m"
  bool keeps;        ///< a speed
};

/// A state that would not stay where it is.
struct RestlessState {
  std::string name;
  double rate;
  std::string unit;  ///< of the state
};

struct Equilibrium {
  MotionPoint point;  ///< where the search ended; accelerations as the forces of `held` leave them
  bool found = false;
  int iterations = 0;
  bool moves = false;  ///< a steady motion
  /// The motion turns the directions of what acts, so that nothing is known of its stability.
  bool turning = false;
  int unstable = 0;  ///< directions in which it would leave, with what is held held
  int zeros = 0;     ///< eigenvalues of zero, likewise
  std::vector<HoldingForce> held;
  std::vector<RestlessState> unbalanced;  ///< worst first
  /// Parts (contacts, stops, friction) whose modes are not those of the point: no place has its own.
  std::vector<std::string> unfit;
};

/// From `start` on, at its time and with the modes of its parts; where these lead to no rest or do not fit
/// the one found, with those of each place on the way, if this leads to a rest: one that is stable before
/// others. Conditions of expressions are those of the point that is found (AnalysisError where none has its
/// own). Velocities are zero, but for those that are to stay and those that constraints and drives tie to
/// them; independent ones do not change, and nothing else does.
///
/// The way leads downhill: steps of Newton's method of a fifth of the model's own units at most where
/// the stiffness is positive, elsewhere implicit ones in time, velocities taken away after each, short
/// enough to go down the potential. So it ends where it is stable; a start at an unstable point stays
/// there. Where this leads nowhere (forces without a potential, controllers), Newton's method goes
/// anywhere. Of directions in which nothing changes the rates, none is moved. Throws ModelError for
/// names that match nothing, AnalysisError where speeds cannot stay.
Equilibrium findEquilibrium(Simulation& simulation, const MotionPoint& start,
                            const EquilibriumOptions& options = {});

/// "cardan equilibrium": why there is none, by the states that do not rest.
std::string explainNoEquilibrium(const Equilibrium& e);
/// The warning that names Equilibrium::unfit; "": there are none.
std::string warningOfUnfit(const Equilibrium& e);

}  // namespace cardan
