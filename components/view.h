/// View: one evaluation of the model as a component sees it: states of frames, joints and flanges, loads.
/// No names, no allocation, no solver word.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "components/ids.h"
#include "components/world_settings.h"
#include "frames/frames.h"

namespace cardan {

class Past;

/// Motion of a frame A (the older Interfaces' Frame; its S = R.T', v = T v_0, a = T (a_0 - g_0), z
/// = z_a).
///
/// `a_0` is the true acceleration: gravity enters in each body, never here.
template <class S>
struct FrameState {
  Vector3<S> r_0;            ///< [m]       p_WA_W: origin, resolved in world
  frames::Orientation<S> R;  ///<   world -> A; R.w = w_WA_A
  Vector3<S> v_0;            ///< [m/s]     der(r_0), resolved in world
  Vector3<S> a_0;            ///< [m/s2]    der(v_0), resolved in world
  Vector3<S> z_a;            ///< [rad/s2]  der(R.w), resolved in A
};

/// Force and torque about a frame's origin, both resolved in world.
template <class S>
struct Wrench {
  Vector3<S> f_0;  ///< [N]
  Vector3<S> t_0;  ///< [N.m]

  Wrench& operator+=(const Wrench& b) {
    f_0 += b.f_0;
    t_0 += b.t_0;
    return *this;
  }
  void setZero() {
    f_0.setZero();
    t_0.setZero();
  }
  /// The same load about a point that lies `r_0` [m] away from the new point (resolved in world).
  Wrench shifted(const Vector3<S>& r_0) const { return {f_0, t_0 + cross(r_0, f_0)}; }
  Wrench operator-() const { return {-f_0, -t_0}; }
};

/// Coordinates of a joint: positions q, velocities v and their derivatives vd. Of a root that is
/// not in use: null.
template <class S>
struct JointState {
  const S* q;
  const S* v;
  const S* vd;
  const double* chart = nullptr;  ///< what a chart counts q from (JointLaw::chart), or null
};

/// Potential of a one-dimensional connector with its derivatives (phi, w, a | s, v, a | v, -, - |
/// T, -, -).
template <class S>
struct FlangeState {
  S position;
  S velocity;
  S acceleration;
};

template <class S>
class View;

/// Numbers of the model's expressions; known to the engine alone.
template <class S>
struct ExpressionValues;

/// Load on a frame per unit of a multiplier, resolved in world.
struct UnitReaction {
  int multiplier;
  int frame;  ///< FrameId
  Wrench<double> unit;
};

/// Flow at a flange per unit of a multiplier.
struct UnitFlow {
  int multiplier;
  int flange;  ///< FlangeId
  double unit;
};

/// The tables of one evaluation; filled by the engine, read through View.
template <class S>
struct EvaluationTables {
  S time{};
  const WorldSettings* world = nullptr;

  const int* frameNode = nullptr;   ///< FrameId -> node
  FrameState<S>* frames = nullptr;  ///< per node
  Wrench<S>* loads = nullptr;       ///< per node: sum of the connectors' f, t
  Wrench<S>* virtualLoads =
      nullptr;  ///< per node: the same for the stabilising multipliers, or null
  Wrench<S>* connectorLoads = nullptr;  ///< per FrameId, or null where nobody asked for them

  const int* unknownOffset = nullptr;  ///< UnknownId -> index into y
  const int* rowOffset = nullptr;      ///< RowId -> index into residual
  S* y = nullptr;
  S* yp = nullptr;
  S* residual = nullptr;

  const JointState<S>* joints = nullptr;  ///< per JointId
  const int* signalOffset = nullptr;      ///< SignalId -> index into signals
  const S* signals = nullptr;
  const S* signalRates = nullptr;  ///< time derivatives, where asked for at declaration

  const int* flangeNode = nullptr;  ///< FlangeId -> node
  FlangeState<S>* flanges = nullptr;
  S* flangeLoads = nullptr;  ///< per flange node: sum of flows into the components
  S* virtualFlangeLoads = nullptr;
  S* connectorFlows = nullptr;  ///< per FlangeId, or null
  const S* drivingFlows =
      nullptr;  ///< per FlangeId: flow into a component at a flange that it drives
  const S* virtualDrivingFlows = nullptr;

  const int* constraintOffset = nullptr;  ///< ConstraintId -> first multiplier
  const S* multipliers = nullptr;         ///< lambda
  const S* virtualMultipliers = nullptr;  ///< mu (position rows), or null
  S* positionResidues = nullptr;
  S* velocityResidues = nullptr;
  std::vector<UnitReaction>* unitReactions = nullptr;  ///< on frames: noted here where not null
  std::vector<UnitFlow>* unitFlows = nullptr;          ///< at flanges: likewise

  const int* modes = nullptr;               ///< per ModeId
  const std::int32_t* relations = nullptr;  ///< states of the expressions' relations
  ExpressionValues<S>* expressions = nullptr;
  const double* inputs = nullptr;  ///< values of inputs that are numbers
  const double* memory = nullptr;  ///< what MemoryIds point into
  const Past* pasts = nullptr;     ///< per PastId
  /// First View::kStriking, kGiven or 0; behind it three per ImpulseId.
  const double* impulses = nullptr;
  const double* ahead = nullptr;      ///< [s]  see View::ahead
  const double* violation = nullptr;  ///< [1]  see View::contactViolation
  /// The same instant with all quantities as functions of time: lane 0 holds time derivatives.
  /// Results only, else null.
  const View<Dual>* flow = nullptr;
};

/// What a component may read and write while its physics is evaluated for scalar S (double or
/// Dual).
template <class S>
class View {
 public:
  explicit View(EvaluationTables<S>& tables) : t_(tables) {}

  const S& time() const { return t_.time; }
  const WorldSettings& world() const { return *t_.world; }

  /// Motion of the connection set that `f` belongs to.
  const FrameState<S>& frame(FrameId f) const { return t_.frames[node(f)]; }

  /// Force f [N] and torque t [N.m] that act on the component at frame `f`, resolved in that frame
  /// (MSL's f, t).
  void addLoad(FrameId f, const Vector3<S>& force, const Vector3<S>& torque) {
    const auto& R = frame(f).R;
    addLoad0(f, {frames::resolve1(R, force), frames::resolve1(R, torque)});
  }
  /// The same, resolved in world.
  void addLoad0(FrameId f, const Wrench<S>& load) {
    t_.loads[node(f)] += load;
    if (t_.connectorLoads) t_.connectorLoads[f.index] += load;
  }
  /// Load on the component at its connector `f`, resolved in world; only for variables of
  /// Level::Force.
  const Wrench<S>& connectorLoad(FrameId f) const { return t_.connectorLoads[f.index]; }

  /// Coordinates of a joint.
  const JointState<S>& joint(JointId j) const { return t_.joints[j.index]; }

  const S& unknown(UnknownId u, int i = 0) const { return t_.y[t_.unknownOffset[u.index] + i]; }
  const S& rate(UnknownId u, int i = 0) const { return t_.yp[t_.unknownOffset[u.index] + i]; }
  S& row(RowId r, int i = 0) { return t_.residual[t_.rowOffset[r.index] + i]; }

  const S& input(SignalId s, int i = 0) const { return t_.signals[t_.signalOffset[s.index] + i]; }
  Vector3<S> inputVector(SignalId s) const { return {input(s, 0), input(s, 1), input(s, 2)}; }
  /// Time derivative of an input that was declared with Rate::Needed.
  const S& inputRate(SignalId s, int i = 0) const {
    return t_.signalRates[t_.signalOffset[s.index] + i];
  }

  const FlangeState<S>& flange(FlangeId f) const { return t_.flanges[t_.flangeNode[f.index]]; }
  /// Flow (torque, force, current, heat) into the component at flange `f`.
  void addFlow(FlangeId f, const S& flow) {
    t_.flangeLoads[t_.flangeNode[f.index]] += flow;
    if (t_.connectorFlows) t_.connectorFlows[f.index] += flow;
  }
  const S& connectorFlow(FlangeId f) const { return t_.connectorFlows[f.index]; }

  /// Flow (force, torque) into the component at flange `f`, which it drives (Structure::driven).
  const S& drivingFlow(FlangeId f) const { return t_.drivingFlows[f.index]; }
  /// Load on the component at frame `frame` per unit of the flow at the flange `f` that it drives,
  /// resolved in world.
  void transmit(FlangeId f, FrameId frame, const Wrench<S>& unit) {
    const S& flow = t_.drivingFlows[f.index];
    addLoad0(frame, {unit.f_0 * flow, unit.t_0 * flow});
    if (t_.virtualLoads) {
      const S& v = t_.virtualDrivingFlows[f.index];
      t_.virtualLoads[node(frame)] += Wrench<S>{unit.f_0 * v, unit.t_0 * v};
    }
  }

  /// Constraint c, row i: residue g on position level and its time derivative gv.
  void constrain(ConstraintId c, int i, const S& g, const S& gv) {
    const int k = t_.constraintOffset[c.index] + i;
    t_.positionResidues[k] = g;
    t_.velocityResidues[k] = gv;
  }
  /// A row that is no derivative of a position row (rolling): velocity level only.
  void constrainVelocity(ConstraintId c, int i, const S& gv) {
    t_.velocityResidues[t_.constraintOffset[c.index] + i] = gv;
  }
  const S& multiplier(ConstraintId c, int i) const {
    return t_.multipliers[t_.constraintOffset[c.index] + i];
  }
  /// Load on the component at frame `f` per unit of multiplier i of c, resolved in world: the
  /// transpose of the velocity row, stated once for the force and for the stabilising multiplier. A
  /// part whose other loads read the multiplier, too, has frames and flanges, or an unknown.
  void react(ConstraintId c, int i, FrameId f, const Wrench<S>& unit) {
    const int k = t_.constraintOffset[c.index] + i;
    if constexpr (std::is_same_v<S, double>) {
      if (t_.unitReactions) t_.unitReactions->push_back({k, f.index, unit});
    }
    const S& lambda = t_.multipliers[k];
    addLoad0(f, {unit.f_0 * lambda, unit.t_0 * lambda});
    if (t_.virtualLoads) {
      const S& mu = t_.virtualMultipliers[k];
      t_.virtualLoads[node(f)] += Wrench<S>{unit.f_0 * mu, unit.t_0 * mu};
    }
  }
  void react(ConstraintId c, int i, FlangeId f, const S& unit) {
    const int k = t_.constraintOffset[c.index] + i;
    if constexpr (std::is_same_v<S, double>) {
      if (t_.unitFlows) t_.unitFlows->push_back({k, f.index, unit});
    }
    addFlow(f, unit * t_.multipliers[k]);
    if (t_.virtualFlangeLoads) {
      t_.virtualFlangeLoads[t_.flangeNode[f.index]] += unit * t_.virtualMultipliers[k];
    }
  }

  int mode(ModeId m) const { return t_.modes[m.index]; }
  /// Numbers as they were at the last accepted step (Variables::memory).
  const double* remembered(MemoryId m) const { return t_.memory + m.index; }

  /// What a signal was (Structure::past).
  const Past& past(PastId p) const { return t_.pasts[p.index]; }

  /// Bodies strike each other: what forces of a finite size do in that instant is nothing, so that
  /// friction holds nothing either.
  bool isStriking() const { return t_.impulses && t_.impulses[0] == kStriking; }
  /// Between rigid surfaces impulse() acts as a load, and so does that of a friction (AxialFriction) whose
  /// second is not 0; all else as it does in its modes.
  bool forcesAreGiven() const { return t_.impulses && t_.impulses[0] == kGiven; }
  /// EvaluationTables::impulses begins with one of them, or 0.
  static constexpr int kStriking = 1, kGiven = 2;
  /// While they do, and between rigid surfaces of which nobody looks when they touch (ahead()): what is
  /// to act as a load of the component's own [N].
  const double* impulse(ImpulseId i) const { return t_.impulses + 1 + 3 * i.index; }
  /// [s]  Nobody looks for the instants at which surfaces touch and part: for so long they do what they
  /// do by laws that hold on both sides of these. 0: such instants are events.
  double ahead() const { return t_.ahead ? *t_.ahead : 0; }
  /// [1]  The most by which laws of contact have been violated of late (Guards::violate); 0: not.
  double contactViolation() const { return t_.violation ? *t_.violation : 0; }

  const View<Dual>* flow() const { return t_.flow; }

  /// For the model's expressions.
  const EvaluationTables<S>& tables() const { return t_; }

 private:
  int node(FrameId f) const { return t_.frameNode[f.index]; }
  EvaluationTables<S>& t_;
};

}  // namespace cardan
