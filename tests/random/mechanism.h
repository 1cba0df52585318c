/// Mechanism: a random model with what must hold in each of its rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frames/rotations.h"

namespace cardan::random {

/// What a joint leaves to the frames on its two sides.
enum class Closure {
  Revolute,     ///< same origin, n alike in both
  Prismatic,    ///< same orientation, no distance across n
  Cylindrical,  ///< n alike, no distance across n
  Universal,    ///< same origin, n of frame_a at a fixed angle to n_b of frame_b
  Planar,       ///< n alike, no distance along n
  Spherical,    ///< same origin
  Rod           ///< origins at a fixed distance
};

struct ClosureCheck {
  Closure closure = Closure::Spherical;
  std::string frame_a, frame_b;  ///< connectors
  Vector3d n{0, 0, 1};           ///< [1]  unit vector
  Vector3d n_b{0, 1, 0};         ///< [1]  unit vector, of a universal joint
  double length = 0;             ///< [m]  of a rod
};

/// Coulomb friction: stuck, and then within its limit, or sliding against the slip.
struct FrictionCheck {
  std::string name;  ///< component
  bool rotational = true;
};

/// A gap is closed exactly where it is shorter than s_rel0, and then only pushes.
struct GapCheck {
  std::string name;   ///< component
  double s_rel0 = 0;  ///< [m]
  double c = 0;       ///< [N/m]
};

/// A number that is `above` where `quantity` is greater than the threshold, else `below`.
struct SwitchCheck {
  std::string value, quantity;  ///< columns; quantity "time" is time itself
  double threshold = 0, above = 0, below = 0;
};

/// A truth value that must be true where `quantity` > high and false where it is < low.
struct HysteresisCheck {
  std::string value, quantity;  ///< columns
  double low = 0, high = 0;
};

struct Mechanism {
  std::uint64_t seed = 0;
  std::string text;                 ///< the model file
  double stop = 1;                  ///< [s]
  std::vector<std::string> bodies;  ///< whose r_0, v_0 and w_a are compared
  std::vector<std::string> axes;    ///< further signals that are compared
  /// Column with the energy that has left the model; empty: energy is not judged.
  std::string loss;
  std::vector<ClosureCheck> closures;
  std::vector<FrictionCheck> frictions;
  std::vector<GapCheck> gaps;
  std::vector<SwitchCheck> switches;
  std::vector<HysteresisCheck> hystereses;
};

/// The mechanism of a seed: the same text on every machine up to the last digits of sin and cos.
Mechanism randomMechanism(std::uint64_t seed);

}  // namespace cardan::random
