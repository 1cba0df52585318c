/// Structure: what a component declares once per model: connectors, unknowns, equations, edges. No
/// numbers of the run.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "components/ids.h"
#include "components/joint_law.h"
#include "components/world_settings.h"

namespace cardan {

class Component;

/// An unknown or a joint coordinate.
struct UnknownInfo {
  std::string name;  ///< inside the component ("phi", "r_0[2]")
  std::string unit;
  std::string description;
  double start = 0;    ///< guess where no start value is given
  double nominal = 1;  ///< typical size, for the error weights
};

/// Appends the elements name[1], name[2], name[3] of a vector.
inline void addVector(std::vector<UnknownInfo>& list, const std::string& name,
                      const std::string& unit, const std::string& description) {
  for (const char* i : {"[1]", "[2]", "[3]"}) list.push_back({name + i, unit, description});
}

/// Which kind of part may float, in the order in which floating roots are looked for.
enum class RootRank { enforced, body, freeMotion, pointMass, freePoint };

/// How gladly a joint is cut where a loop must be opened somewhere.
enum class CutPolicy {
  normal,  ///< joints with many freedoms first
  never,   ///< its coordinates are used (axis flange), or it has states by request
  always,  ///< it only closes loops (constraint joints), or the user said `cut: true`
};

/// Whether an input's time derivative is read as well (a prescribed motion).
enum class Rate { NotNeeded, Needed };

/// sum_i coefficient_i * potential_i = constant among one-dimensional connectors (gears, inertias,
/// supports).
struct Affine {
  std::vector<std::pair<FlangeId, double>> terms;
  double constant = 0;
};

/// Potential of a flange as a function of the motion of frames.
class DrivenPotential {
 public:
  virtual ~DrivenPotential() = default;
  virtual FlangeState<double> evaluate(const View<double>& x) const = 0;
  virtual FlangeState<Dual> evaluate(const View<Dual>& x) const = 0;
};
template <class F>
class DrivenPotentialOf final : public DrivenPotential {
 public:
  explicit DrivenPotentialOf(F f) : f_(std::move(f)) {}
  FlangeState<double> evaluate(const View<double>& x) const override { return f_(x); }
  FlangeState<Dual> evaluate(const View<Dual>& x) const override { return f_(x); }

 private:
  F f_;
};

class Structure {
 public:
  virtual ~Structure() = default;

  virtual const WorldSettings& world() const = 0;

  // Connectors
  virtual FrameId frame(const std::string& name) = 0;
  /// The world frame, for parts that are fixed in it without a connection (MSL's Fixed, World).
  virtual FrameId worldFrame() = 0;
  virtual FlangeId flange(const std::string& name, Domain domain) = 0;
  virtual SignalId input(const std::string& name, int size, Rate rate = Rate::NotNeeded) = 0;

  // Mechanics
  /// An edge from a to b whose relative motion `law` describes; in the tree or cut, as the engine
  /// chooses.
  virtual JointId joint(FrameId a, FrameId b, const JointLaw& law,
                        std::vector<UnknownInfo> positions, std::vector<UnknownInfo> velocities,
                        CutPolicy policy = CutPolicy::normal) = 0;
  /// An edge without coordinates: `closure` holds a and b together, wherever the tree runs.
  virtual void cut(FrameId a, FrameId b, const ClosureLaw& closure) = 0;
  /// Frame `f` may be the root of a floating part: a joint from world that is used where nothing
  /// holds the part.
  virtual JointId root(FrameId f, const JointLaw& law, std::vector<UnknownInfo> positions,
                       std::vector<UnknownInfo> velocities, RootRank rank) = 0;
  /// Says that a part with mass sits at `f` (a joint that carries none is singular), so that loads
  /// there depend on accelerations.
  virtual void inertia(FrameId f) = 0;
  /// A constraint that a component states itself in evaluate(): `positionRows` rows with a residue
  /// on position level in `unit`, then `velocityRows` on velocity level only.
  virtual ConstraintId constraint(const std::string& name, const std::string& unit,
                                  int positionRows, int velocityRows) = 0;

  // One-dimensional parts
  virtual void affine(Affine relation) = 0;
  /// The potential of `f` is coordinate k of joint j (axis flange).
  virtual void axis(FlangeId f, JointId j, int k) = 0;
  /// The potential of `f` is given (ground, fixed flange).
  virtual void ground(FlangeId f, double potential) = 0;
  /// The potential's acceleration is read or inertia sits there: its coordinate has position and
  /// velocity states. Of a heat port or pin: its potential's rate is read, so that it is a state.
  virtual void inertia(FlangeId f) = 0;
  /// The component gives the potential of `f` itself, from the motion of its frames:
  /// potential(const View<S>&) -> FlangeState<S>. What the other parts at the flange (springs,
  /// masses, motors, also over gears) put on it comes back through View::transmit, in physics().
  template <class F>
  void driven(FlangeId f, F potential) {
    addDriven(f, std::make_unique<DrivenPotentialOf<F>>(std::move(potential)));
  }

  // Equations of the component's own
  virtual UnknownId unknown(const UnknownInfo& info, Kind kind) = 0;
  virtual RowId row(const std::string& name, int size = 1) = 0;

  // Events
  virtual ModeId mode(const std::string& name, int start) = 0;
  /// A number in two modes, by the halves of its bits (Held). `isFollowed`: transition() finds it from inputs,
  /// time and modes of the component alone, and derivatives follow it.
  virtual NumberId number(const std::string& name, double start, bool /*isFollowed*/ = true) {
    const HalvesOfNumber h = HalvesOfNumber::of(start);
    const ModeId high = mode(name, h.high);
    return {high, mode(name, h.low)};
  }

  /// A record of the scalar input `signal` over the last `longest` [s]; the mode `stretch` is the
  /// stretch of it that is read.
  virtual PastId past(SignalId signal, ModeId stretch, double longest) = 0;
  /// Impulses between two surfaces, where bodies strike (Component::blow).
  virtual ImpulseId impulse() = 0;
  /// Something outside of the model that transitions drive (Modes::outside): only runs take it along.
  virtual OutsideId outside() { return {}; }

  // Composites
  /// Adds an inner part "name" (MSL's inner name), made of its constructor's arguments.
  template <class Part, class... Arguments>
  Part& part(const std::string& name, Arguments&&... arguments) {
    auto made = std::make_unique<Part>(std::forward<Arguments>(arguments)...);
    Part& result = *made;
    addPart(name, std::move(made));
    return result;
  }
  /// Connects two connectors of parts or of this component, by names relative to it
  /// ("body.frame_a", "frame_b").
  virtual void connect(const std::string& a, const std::string& b) = 0;

  /// Rejects the declaration: "Type 'instance': TEXT", at the component's place in the file.
  virtual void error(const std::string& text) = 0;

 protected:
  virtual void addDriven(FlangeId f, std::unique_ptr<DrivenPotential> potential) = 0;
  virtual void addPart(const std::string& name, std::unique_ptr<Component> component) = 0;
};

}  // namespace cardan
