/// What an equilibrium is asked for, and what it says besides the point.
#pragma once

#include <string>
#include <vector>

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

}  // namespace cardan
