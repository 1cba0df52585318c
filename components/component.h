/// Component: one instance of a catalogue class.
#pragma once

#include <memory>
#include <optional>

#include "components/ids.h"
#include "components/parameter_reader.h"
#include "components/structure.h"
#include "components/variables.h"
#include "components/view.h"

namespace cardan {

class Outside;
class Shapes;
class StartProposal;
class Surface;

/// The inertia of a component that is nothing else, pulled by uniform gravity at its centre of mass:
/// bodies that move together can be added up.
struct RigidBody {
  FrameId frame;  ///< it is fixed in
  double m = 0;   ///< [kg]
  Vector3d r_CM;  ///< [m]      origin of `frame` to centre of mass, resolved in `frame`
  Matrix3d I;     ///< [kg.m2]  about the centre of mass, resolved in `frame`
};

/// Zero-crossing functions and the next time event of a component.
class Guards {
 public:
  virtual ~Guards() = default;
  /// A zero crossing of `g` is an event.
  virtual void crossing(double g) = 0;
  /// The integration stops exactly at `time` [s].
  virtual void timeEvent(double time) = 0;
  /// The run ends here, as planned.
  virtual void terminate(const std::string& why) = 0;
  /// The run cannot go on: an error.
  virtual void fail(const std::string& why) { terminate(why); }
  /// A law of contact does not hold here, by `size` [1] of what it is about: told and recorded, no
  /// error unless the user wants one.
  virtual void violate(double /*size*/, const std::string& /*what*/) {}
  /// What a signal was `ago` [s] is read: a longer step reads of itself.
  virtual void readsPast(PastId /*past*/, double /*ago*/) {}
};

/// Two rigid surfaces as an impact finds them.
struct ImpactPair {
  static constexpr double kApproach = 1e-7;  ///< [m/s]  slower approaches are no blows
  ImpulseId impulse;
  bool closed = false;  ///< they touch
  double gap = 0;       ///< [m]    between them along the normal; < 0: they overlap
  Vector3d v{0, 0, 0};  ///< [m/s]  at which they part, and slip in two directions across the normal
  double e = 0;         ///< [1]    restitution
  double v_rest = 0;    ///< [m/s]  what approaches slower has none
  double mu = 0;        ///< [1]    friction
  bool rests = false;   ///< they are held together, though the motion may have drifted a little
  bool drifts = false;  ///< v[0] is such a drift alone
  /// They rest, and want to know Modes::openMobility where their normal force is open.
  bool sharesLoad = false;
  /// Nobody looks for the instant (View::ahead): forces push them apart that act over that time.
  bool pushed = false;

  /// [1]  of an approach with that speed [m/s]
  double restitutionAt(double speed) const { return speed < v_rest ? 0 : e; }
  /// [m/s]  v without what the integration alone has made of it.
  Vector3d motion() const { return {drifts ? 0 : v[0], v[1], v[2]}; }
};

/// Friction along one axis, of an element that hardly slips or sticks: what holds it and what it bears
/// is found together with rigid surfaces that move it.
struct AxialFriction {
  ImpulseId impulse;
  double v = 0;  ///< [m/s | rad/s]  minus the slip: what friction, the first of the impulse, drives
  double most = 0;  ///< [N | N.m]      friction
};

/// Modes as a transition may change them, and what it may ask about the event.
class Modes {
 public:
  virtual ~Modes() = default;
  virtual int get(ModeId m) const = 0;
  virtual void set(ModeId m, int mode) = 0;
  /// Largest residue of the equations of motion in the modes in force, each scaled to magnitude 1:
  /// not 0 where they contradict each other, so that a mode which locks a motion cannot be kept.
  virtual double contradiction() const { return 0; }
  /// A differential unknown of the component takes another value at this event.
  virtual void reinit(UnknownId /*u*/, double /*value*/) {}
  /// The values with which the event was entered, before anything jumped; null: there are none, as at the
  /// start.
  virtual const View<double>* before() const { return nullptr; }
  /// The last pass over an event, in which nothing else changes any more: what MSL calls pre(u), the
  /// value before the event, follows there.
  virtual bool isQuiet() const { return false; }
  /// The equations of the modes in force leave unknowns of the component open against those of other
  /// components: together they hold what each of them could.
  virtual bool isUndetermined() const { return false; }
  /// [1/kg]  Where that is so of the normal forces of rigid surfaces: how a force between the
  /// component's own moves them apart, the most of all that share a load with them. 0 elsewhere.
  virtual double openMobility() const { return 0; }
  /// Of rigid surfaces that touch: no force between them moves anything, as joints hold both.
  virtual bool isGuided() const { return false; }
  /// Loads of the component that move nothing, as joints hold its bodies, and how much of its unknown u each
  /// of them has. None where its unknowns are open against those of others, too.
  virtual int openLoads() const { return 0; }
  virtual double openLoad(int /*load*/, UnknownId /*u*/) const { return 0; }
  /// [N]  Where modes that were tried one by one did not agree: force between the component's rigid surfaces,
  /// in the directions of ImpactPair::v, that satisfies the laws of all of them together, or the friction
  /// along its axis (0); null: not asked.
  virtual const Vector3d* solvedForce() const { return nullptr; }
  /// See Guards::violate.
  virtual void violate(double /*size*/, const std::string& /*what*/) {}
  /// The place of what the component drives outside of the model, for it to fill and to use; null: it is
  /// only asked whether it would change anything, and nothing outside may happen.
  virtual std::shared_ptr<Outside>* outside(OutsideId /*o*/) { return nullptr; }
  /// What is outside has failed, and the run cannot go on; or says something of note, told once.
  virtual void fail(const std::string& /*why*/) {}
  virtual void warn(const std::string& /*text*/) {}
};

/// Life of a component: read() its parameters and parametersChanged(), declare() its structure,
/// describe() its variables, then evaluate() its physics at every evaluation. Ids are members, set
/// in declare().
class Component {
 public:
  virtual ~Component() = default;

  /// Parameters, by MSL's names and with MSL's defaults.
  virtual void read(ParameterReader& r) = 0;
  virtual void declare(Structure& s) = 0;
  virtual void describe(Variables& v) const = 0;

  /// Loads, rows and constraints. Kinematics of all frames and signals are known.
  virtual void evaluate(View<double>& x) const = 0;
  virtual void evaluate(View<Dual>& x) const = 0;
  /// False: evaluate() does nothing and is not called.
  virtual bool evaluates() const = 0;

  /// The rigid body that all of evaluate() is about, where gravity is uniform; none: it is more, or
  /// something else. Parameters may change its numbers.
  virtual std::optional<RigidBody> rigidBody() const { return std::nullopt; }

  /// The World component gives its settings here; others give nothing.
  virtual const WorldSettings* worldSettings() const { return nullptr; }

  /// What follows from the parameters: called after read(), and again when one was changed (an
  /// unknown parameter, solved for at the start). Values that break a rule come here, too.
  virtual void parametersChanged() {}

  virtual void guards(const View<double>&, Guards&) const {}
  /// Changes modes at an event; true if something changed.
  virtual bool transition(const View<double>&, Modes&) const { return false; }
  /// Where touching is no event (View::ahead): a step was taken, and modes follow what it came to, as
  /// states do (Modes::reinit) that their law does not let go so far.
  virtual void follow(const View<double>&, Modes&) const {}
  /// In the modes in force it loads nothing, and its own unknowns keep their values: their rows say so.
  virtual bool rests(const View<double>&) const { return false; }
  /// A component between rigid surfaces: how they meet. False: it has none.
  virtual bool blow(const View<double>&, ImpactPair&) const { return false; }
  /// A friction along one axis. False: it has none, or slips so fast that it does not stick.
  virtual bool axialFriction(const View<double>&, AxialFriction&) const { return false; }
  /// What it may say about the start beyond start values; null: nothing.
  virtual StartProposal* startProposal() { return nullptr; }
  /// Where others may touch it; null: nowhere.
  virtual const Surface* surface() const { return nullptr; }
  /// What it looks like; called once, after declare().
  virtual void picture(Shapes&) const {}
};

/// Writes evaluate() for double and Dual from one template `template <class S> void
/// physics(View<S>& x) const` of Derived; a class without one has nothing to evaluate.
template <class Derived, class Base = Component>
class ComponentOf : public Base {
 public:
  void evaluate(View<double>& x) const final { evaluateAs(x); }
  void evaluate(View<Dual>& x) const final { evaluateAs(x); }
  bool evaluates() const final { return hasPhysics(); }
  void describe(Variables&) const override {}

 private:
  static constexpr bool hasPhysics() {
    return requires(const Derived& d, View<double>& x) { d.physics(x); };
  }
  template <class S>
  void evaluateAs(View<S>& x) const {
    if constexpr (hasPhysics()) static_cast<const Derived&>(*this).physics(x);
  }
};

}  // namespace cardan
