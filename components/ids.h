/// Handles that a component gets when it declares itself; plain indices, resolved once at assembly.
#pragma once

#include <bit>
#include <cstdint>
#include <iterator>

namespace cardan {

/// Number of elements as an int, the type of every index.
template <class Elements>
int count(const Elements& elements) {
  return std::ssize(elements);
}

/// A handle to one declared thing of kind Tag.
template <class Tag>
struct Id {
  int index = -1;
  bool valid() const { return index >= 0; }
};

using FrameId = Id<struct FrameTag>;    ///< frame connector (MSL's Frame_a, Frame_b, Frame_resolve)
using FlangeId = Id<struct FlangeTag>;  ///< one-dimensional connector: flange, pin, heat port
using SignalId = Id<struct SignalTag>;  ///< signal input
using UnknownId = Id<struct UnknownTag>;  ///< unknown of the DAE that a component owns
using RowId = Id<struct RowTag>;          ///< equation of the DAE that a component owns
using JointId = Id<struct JointTag>;      ///< edge of the connection graph: joint, rigid part, root
using ConstraintId = Id<struct ConstraintTag>;  ///< constraint with multipliers
using ModeId = Id<struct ModeTag>;              ///< discrete mode, frozen during a step
using MemoryId = Id<struct MemoryTag>;          ///< numbers kept from the last accepted step
using PastId = Id<struct PastTag>;              ///< record of what a signal was
using ImpulseId = Id<struct ImpulseTag>;        ///< three impulses between two surfaces
using OutsideId = Id<struct OutsideTag>;        ///< what a run drives outside of the model

/// A number that changes at events only, in two modes.
struct NumberId {
  ModeId high, low;
};
/// A number as these two have it, by the halves of its bits.
struct HalvesOfNumber {
  int high, low;
  static HalvesOfNumber of(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    return {std::bit_cast<int>(static_cast<std::uint32_t>(bits >> 32)),
            std::bit_cast<int>(static_cast<std::uint32_t>(bits))};
  }
  double number() const {
    return std::bit_cast<double>(std::uint64_t{std::bit_cast<std::uint32_t>(high)} << 32 |
                                 std::bit_cast<std::uint32_t>(low));
  }
};

/// What a term reads besides constants; gives the order of evaluation and finds cycles.
enum class Level { Constant, Time, Position, Velocity, Acceleration, Force };

/// Of an unknown that a component owns.
enum class Kind {
  Differential,  ///< its derivative appears: in the error test
  Rated,         ///< likewise, and its row is der(u) less what time, positions, velocities and such
                 ///< unknowns make of it; nobody else reads that derivative
  Algebraic,     ///< force-like or multiplier-like: out of the error test
};

/// Physical domain of a one-dimensional connector (potential; flow).
enum class Domain {
  Rotational,     ///< phi [rad]; tau [N.m]
  Translational,  ///< s [m]; f [N]
  Electrical,     ///< v [V]; i [A]
  Thermal,        ///< T [K]; Q_flow [W]
};

}  // namespace cardan
