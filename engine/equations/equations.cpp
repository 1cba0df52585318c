#include "engine/equations/equations.h"

#include <algorithm>

#include "components/chart.h"

namespace cardan {

namespace {

void setValue(double& x, double value) { x = value; }
void setValue(Dual& x, double value) { x.v = value; }

/// Instances with flanges whose force they put on one that is driven.
std::vector<bool> drivingInstances(const FlatModel& flatModel) {
  std::vector<bool> drives(flatModel.instances.size(), false);
  for (const FlatModel::Driven& d : flatModel.driven) {
    drives[flatModel.flanges[d.flange.index].instance] = true;
  }
  return drives;
}

/// Per constraint row: it is a length or a velocity along one.
std::vector<bool> lengthRows(const FlatModel& flatModel, const PotentialNetwork& network,
                             const Layout& layout) {
  std::vector<bool> isLength(layout.nlambda, false);
  for (size_t i = 0; i < flatModel.constraints.size(); ++i) {
    const FlatModel::Constraint& c = flatModel.constraints[i];
    for (int k = 0; k < c.positionRows + c.velocityRows; ++k) {
      isLength[layout.constraintOffset[i] + k] = c.unit == "m" || c.unit == "m/s";
    }
  }
  for (size_t i = 0; i < network.relations.size(); ++i) {
    const PotentialNetwork::Relation& r = network.relations[i];
    isLength[layout.firstRelation + i] =
        !r.terms.empty() && network.sources[r.terms.front().source].domain == Domain::Translational;
  }
  return isLength;
}

/// Connectors that have others inside, those of parts first: a composite's are declared before them.
template <class Connectors>
std::vector<int> outerOnes(const Connectors& connectors) {
  std::vector<int> outer;
  for (int i = std::ssize(connectors) - 1; i >= 0; --i) {
    if (!connectors[i].inner.empty()) outer.push_back(i);
  }
  return outer;
}

/// A composite's connector shows the sum of the loads on the connectors inside and of its own.
template <class Connectors, class Load>
void sumInner(const std::vector<int>& outer, const Connectors& connectors,
              std::vector<Load>& loads) {
  for (const int o : outer) {
    for (const int inner : connectors[o].inner) loads[o] += loads[inner];
  }
}

/// What a run begins with, but for charts.
void makeReady(RunState& state, const FlatModel& flatModel, const SignalGraph& signals,
               const Layout& layout) {
  state.inputs = signals.numbers();
  for (const FlatModel::Mode& m : flatModel.modes) state.modes.push_back(m.start);
  state.pasts.resize(flatModel.pasts.size());
  state.outsides.resize(flatModel.outsides.size());
  state.impulses.assign(1 + 3 * flatModel.impulses.size(), 0.0);
  for (const Layout::Unknown& u : layout.unknowns) state.nominals.push_back(u.nominal);
  state.regularisation.assign(layout.nlambda, 1e-12);  // until the start is known
  state.positionRegularisation = state.regularisation;
  state.stabiliserWeights.assign(layout.nv, 1.0);
  state.forces.assign(layout.nlambda, 1.0);
  state.multiplierReference.assign(layout.nlambda, 0.0);
  state.redundant.assign(layout.nlambda, false);
}

}  // namespace

Equations::Equations(const FlatModel& flatModel, const SpanningTree& spanningTree,
                     const PotentialNetwork& network, const SignalGraph& signals,
                     const Layout& layout)
    : flatModel_(flatModel),
      network_(network),
      signals_(signals),
      layout_(layout),
      nodes_(spanningTree.nodes),
      frameNode_(spanningTree.nodeOfFrame),
      clusters_(flatModel, layout, frameNode_, nodes_,
                signals.instancesRead(flatModel.instances.size(), SignalGraph::Scope::motion)) {
  const std::vector<bool> drives = drivingInstances(flatModel);
  for (size_t i = 0; i < flatModel.instances.size(); ++i) {
    const Component* c = flatModel.instances[i].component;
    if (!c->evaluates()) continue;
    (drives[i] ? driving_ : evaluated_).push_back(c);
    if (!drives[i] && !clusters_.isMerged(i)) unmerged_.push_back(c);
  }
  for (const FlatModel::Constraint& c : flatModel.constraints) {
    const size_t i = c.instance;
    const Component* owner = flatModel.instances[i].component;
    if (!constraining_.empty() && constraining_.back() == owner) continue;
    constraining_.push_back(owner);
    if (!drives[i]) constrainingAlone_.push_back(owner);
  }
  for (int i = 0; i < nodes_; ++i) everyNode_.push_back(i);
  for (int n = 0; n < std::ssize(network.nodes); ++n) {
    const PotentialNetwork::Node& node = network.nodes[n];
    if (node.terms.empty()) continue;
    const int first = count(terms_);
    terms_.insert(terms_.end(), node.terms.begin(), node.terms.end());
    movingNodes_.push_back({n, node.constant, first, count(terms_)});
  }
  makeReady(state, flatModel, signals, layout);
  state.charts.assign(layout.chartSize, 0.0);
  resetCharts();
  velocityOfJoint_.assign(flatModel.edges.size(), -1);
  for (int i = 0; i < layout.edges; ++i) {
    velocityOfJoint_[layout.tree[i].edge] = layout.tree[i].v;
  }
  for (size_t i = 0; i < signals.sources().size(); ++i) {
    const SignalSource& s = signals.sources()[i];
    if (!s.follows) continue;
    for (int k = 0; k < s.size; ++k) {
      followers_.push_back(
          {layout.unknownOffset[s.unknown] + k, layout.rowOffset[signals.rowOf(i)] + k});
    }
  }
  readsPrescribed.assign(layout.nlambda, false);
  isLength = lengthRows(flatModel, network, layout);
  outerFrames_ = outerOnes(flatModel.frames);
  outerFlanges_ = outerOnes(flatModel.flanges);
  islands_ = Islands(flatModel, spanningTree, network, signals, layout);
}

std::vector<int> Equations::positionsWithoutInertia() const {
  std::vector<int> result;
  const auto add = [&](int i) {
    if (!layout_.unknowns[i].differential) result.push_back(i);
  };
  for (const Layout::FreePoint& f : layout_.freePoints) {
    for (int i = 0; i < 3; ++i) add(f.x + i);
  }
  for (size_t s = 0; s < network_.sources.size(); ++s) {
    const PotentialNetwork::Source& source = network_.sources[s];
    const bool isMechanical =
        source.domain == Domain::Rotational || source.domain == Domain::Translational;
    if (isMechanical && source.kind == PotentialNetwork::SourceKind::massless)
      add(layout_.positionOfSource[s]);
  }
  return result;
}

template <class S>
Workspace<S> Equations::makeWorkspace() const {
  Workspace<S> w;
  const size_t n = layout_.size();
  const size_t frames = clusters_.frames();
  const size_t nlambda = layout_.nlambda;
  w.y.assign(n, S(0));
  w.yp.assign(n, S(0));
  w.residual.assign(n, S(0));
  w.virtualRates.assign(layout_.nv, S(0));
  w.signals.assign(signals_.slots(), S(0));
  w.signalRates.assign(signals_.slots(), S(0));
  FrameState<S> still;
  still.r_0.setZero();
  still.R = frames::nullRotation<S>();
  still.v_0.setZero();
  still.a_0.setZero();
  still.z_a.setZero();
  w.frames.assign(frames, still);
  Wrench<S> none;
  none.setZero();
  w.loads.assign(frames, none);
  w.virtualLoads.assign(layout_.nlambda > 0 ? frames : 0, none);
  w.connectorLoads.assign(flatModel_.frames.size(), none);
  w.measured.assign(layout_.measuredSize, S(0));
  w.multipliers.assign(nlambda, S(0));
  w.virtualMultipliers.assign(nlambda, S(0));
  w.positionResidues.assign(nlambda, S(0));
  w.velocityResidues.assign(nlambda, S(0));

  w.joints.resize(flatModel_.edges.size());
  for (const PotentialNetwork::Node& node : network_.nodes)
    w.flanges.push_back({S(node.constant), S(0), S(0)});
  w.sources.assign(network_.sources.size(), FlangeState<S>{S(0), S(0), S(0)});
  w.flangeLoads.assign(network_.nodes.size(), S(0));
  w.virtualFlangeLoads.assign(layout_.nlambda > 0 ? network_.nodes.size() : 0, S(0));
  w.connectorFlows.assign(flatModel_.flanges.size(), S(0));
  w.drivingFlows.assign(flatModel_.flanges.size(), S(0));
  w.virtualDrivingFlows.assign(flatModel_.flanges.size(), S(0));
  w.sourceFlows.assign(network_.sources.size(), S(0));
  w.virtualSourceFlows.assign(network_.sources.size(), S(0));
  placeJoints(w);
  fillTables(w);
  return w;
}

/// Where each joint finds its coordinates.
template <class S>
void Equations::placeJoints(Workspace<S>& w) const {
  for (const Layout::TreeJoint& s : layout_.tree) {
    if (!s.law) continue;
    S* v = w.y.data() + layout_.nq + s.v;
    w.joints[s.edge] = {w.y.data() + s.q, v, w.yp.data() + layout_.nq + s.v,
                        s.chart < 0 ? nullptr : state.charts.data() + s.chart};
  }
  for (const Layout::FreePoint& f : layout_.freePoints) {
    S* rate = w.yp.data() + f.x;
    w.joints[f.edge] = {w.y.data() + f.x, rate, rate};
  }
  for (const Layout::CutJoint& c : layout_.cutJoints) {
    if (!c.law) continue;
    S* q = w.measured.data() + c.measured;
    S* v = q + c.law->positions();
    w.joints[c.edge] = {q, v, v + c.law->velocities()};
  }
}

/// Where a component finds what it reads and writes; vectors of `state` are assigned to, never moved.
template <class S>
void Equations::fillTables(Workspace<S>& w) const {
  EvaluationTables<S>& t = w.tables;
  t.world = flatModel_.world;
  t.frameNode = frameNode_.data();
  t.frames = w.frames.data();
  t.loads = w.loads.data();
  t.virtualLoads = w.virtualLoads.empty() ? nullptr : w.virtualLoads.data();
  t.unknownOffset = layout_.unknownOffset.data();
  t.rowOffset = layout_.rowOffset.data();
  t.y = w.y.data();
  t.yp = w.yp.data();
  t.residual = w.residual.data();
  t.joints = w.joints.data();
  t.signalOffset = signals_.offsets().data();
  t.signals = w.signals.data();
  t.signalRates = w.signalRates.data();
  t.flangeNode = network_.nodeOfFlange.data();
  t.flanges = w.flanges.data();
  t.flangeLoads = w.flangeLoads.data();
  t.virtualFlangeLoads = w.virtualFlangeLoads.empty() ? nullptr : w.virtualFlangeLoads.data();
  t.drivingFlows = w.drivingFlows.data();
  t.virtualDrivingFlows = w.virtualDrivingFlows.data();
  t.constraintOffset = layout_.constraintOffset.data();
  t.multipliers = w.multipliers.data();
  t.virtualMultipliers = w.virtualMultipliers.data();
  t.positionResidues = w.positionResidues.data();
  t.velocityResidues = w.velocityResidues.data();
  t.modes = state.modes.data();
  t.relations = state.relations.data();
  t.inputs = state.inputs.data();
  t.memory = state.memory.data();
  t.pasts = state.pasts.data();
  t.impulses = state.impulses.data();
  t.ahead = &state.ahead;
  t.violation = &state.contactViolation;
}

ClusterTree Equations::clustersOf(std::vector<bool> instances) const {
  const std::vector<bool> bySignals =
      signals_.instancesRead(instances.size(), SignalGraph::Scope::results);
  for (size_t i = 0; i < instances.size(); ++i) instances[i] = instances[i] || bySignals[i];
  return {flatModel_, layout_, frameNode_, nodes_, instances, ClusterTree::Scope::motion};
}

/// What the wishes of `purpose` ask for besides.
inline Purpose Equations::completed(Purpose purpose) const {
  if (purpose.motionOf) {
    purpose.loads = purpose.constraintsOnly = purpose.everyFrame = purpose.connectorLoads = false;
    purpose.measure = purpose.measure || alwaysMeasure;
    return purpose;
  }
  purpose.connectorLoads = purpose.connectorLoads || (purpose.loads && signals_.readsFrameLoads());
  purpose.measure = purpose.measure || alwaysMeasure;
  purpose.everyFrame = purpose.everyFrame || purpose.connectorLoads;
  purpose.constraintsOnly = purpose.constraintsOnly && !purpose.connectorLoads;
  if (purpose.constraintsOnly) purpose.everyFrame = false;
  return purpose;
}

template <class S>
void Equations::evaluate(Workspace<S>& w, Purpose wished) const {
  w.tables.expressions = &w.expressions;
  w.tables.unitReactions = &w.unitReactions;
  w.tables.unitFlows = &w.unitFlows;
  w.expressions.held = state.held.data();
  if (!wished.motion) return;
  const Purpose purpose = completed(wished);
  const bool flows = purpose.connectorLoads || signals_.readsLoads();
  const ClusterTree& clusters = purpose.motionOf ? *purpose.motionOf : clusters_;
  w.tables.frameNode = (purpose.everyFrame ? frameNode_ : clusters.frameOfId()).data();
  w.frameOfNode = (purpose.everyFrame ? everyNode_ : clusters.frameOfNode()).data();
  if (purpose.constraintsOnly) {
    for (S& r : w.residual) r = S(0);
  } else {
    findMotion(w, purpose);
  }
  if (purpose.motionOf) return;
  clearLoads(w, purpose, flows);
  takeMultipliers(w);
  w.unitReactions.clear();
  w.unitFlows.clear();

  View<S> view(w.tables);
  if (!purpose.loads) {
    for (const Component* c : constraining_) c->evaluate(view);
    flangeFlows(w, false);
    cutJoints(w, false);
    return;
  }
  const auto& components = purpose.constraintsOnly ? constrainingAlone_
                           : purpose.everyFrame    ? evaluated_
                                                   : unmerged_;
  for (const Component* c : components) c->evaluate(view);
  flangeFlows(w, flows);
  for (const Component* c : driving_) c->evaluate(view);
  cutJoints(w, purpose.connectorLoads);
  for (const Layout::FreePoint& f : layout_.freePoints)
    std::copy_n(w.loads[f.node].f_0.data(), 3, &w.residual[f.x]);
  if (purpose.everyFrame) {
    leavesToRoots(w, purpose.connectorLoads);
  } else {
    clusters_.leavesToRoots(w, purpose.inertia && !purpose.constraintsOnly);
  }
  flangeRows(w);
  constraintRows(w);
  if (purpose.connectorLoads) sumInner(outerFrames_, flatModel_.frames, w.connectorLoads);
  if (flows) sumInner(outerFlanges_, flatModel_.flanges, w.connectorFlows);
  if (purpose.constraintsOnly) {
    for (size_t i = 0; i < w.heldFlows.size(); ++i) setValue(w.connectorFlows[i], w.heldFlows[i]);
  }
  if (!purpose.constraintsOnly || signals_.readsLoads()) signals_.rows(w.tables);
  if (layout_.still) w.residual[0] = w.yp[0];
  if (purpose.kinematicRows) kinematicRows(w);
}

/// Before components add theirs.
template <class S>
void Equations::clearLoads(Workspace<S>& w, const Purpose& purpose, bool flows) const {
  const bool virtuals = purpose.loads && ((purpose.kinematicRows && layout_.nmu > 0) ||
                                          (purpose.virtualRates && layout_.nlambda > 0));
  w.tables.virtualLoads = virtuals ? w.virtualLoads.data() : nullptr;
  w.tables.virtualFlangeLoads = virtuals ? w.virtualFlangeLoads.data() : nullptr;
  if (purpose.everyFrame) {
    for (Wrench<S>& l : w.loads) l.setZero();
    if (virtuals) {
      for (Wrench<S>& l : w.virtualLoads) l.setZero();
    }
  } else {
    clusters_.clearLoads(w);
  }
  if (virtuals) {
    for (S& f : w.virtualFlangeLoads) f = S(0);
  }
  w.tables.connectorLoads = purpose.connectorLoads ? w.connectorLoads.data() : nullptr;
  if (purpose.connectorLoads) {
    for (Wrench<S>& l : w.connectorLoads) l.setZero();
  }
  for (S& f : w.flangeLoads) f = S(0);
  w.tables.connectorFlows = flows ? w.connectorFlows.data() : nullptr;
  if (flows) {
    for (S& f : w.connectorFlows) f = S(0);
  }
}

template <class S>
void Equations::takeMultipliers(Workspace<S>& w) const {
  for (int i = 0; i < layout_.nlambda; ++i) {
    const size_t k = i;
    w.multipliers[k] = w.y[layout_.lambdaOffset() + i];
    if (const int m = layout_.muOfLambda[k]; m >= 0) {
      w.virtualMultipliers[k] = w.y[layout_.muOffset() + m];
    }
  }
}

/// der(q) of the joints in the tree, from their velocities less what keeps loops closed.
template <class S>
void Equations::kinematicRows(Workspace<S>& w) const {
  for (const int moving : layout_.moving) {
    const Layout::TreeJoint& s = layout_.tree[moving];
    const S* v = w.y.data() + layout_.nq + s.v;
    S corrected[6];
    if (layout_.nmu > 0) {
      for (int i = 0; i < s.nv; ++i)
        corrected[i] = v[i] - state.stabiliserWeights[s.v + i] * w.virtualRates[s.v + i];
      v = corrected;
    }
    if (s.plain && s.law) {
      for (int i = 0; i < s.nv; ++i) w.residual[s.q + i] = w.yp[s.q + i] - v[i];
    } else if (s.law) {
      s.law->kinematics(w.y.data() + s.q, w.yp.data() + s.q, v, w.residual.data() + s.q);
    } else {
      w.residual[s.q] = w.yp[s.q] - v[0];
    }
  }
}

/// Everything that is known before the loads.
template <class S>
void Equations::findMotion(Workspace<S>& w, Purpose purpose) const {
  if (purpose.everyFrame) {
    rootsToLeaves(w);
  } else {
    (purpose.motionOf ? *purpose.motionOf : clusters_).rootsToLeaves(w);
  }
  if (purpose.measure) measureCutJoints(w);
  flangeStates(w);
  if (w.ofTime.changes != state.changes) w.ofTime.forget(state.changes);
  w.ofTime.scales = state.scales;
  const bool results = purpose.everyFrame || purpose.motionOf;
  signals_.evaluate(w.tables, w.signals.data(), w.signalRates.data(), w.ofTime,
                    results ? SignalGraph::Scope::results : SignalGraph::Scope::motion);
}

void Equations::holdMotion(Workspace<Dual>& w, const Workspace<double>& from) const {
  clusters_.holdMotion(w, from);
  const auto take = [](const FlangeState<double>& f) -> FlangeState<Dual> {
    return {Dual(f.position), Dual(f.velocity), Dual(f.acceleration)};
  };
  for (size_t i = 0; i < w.flanges.size(); ++i) w.flanges[i] = take(from.flanges[i]);
  for (size_t i = 0; i < w.sources.size(); ++i) w.sources[i] = take(from.sources[i]);
  for (size_t i = 0; i < w.measured.size(); ++i) w.measured[i] = Dual(from.measured[i]);
  if (signals_.readsLoads()) w.heldFlows = from.connectorFlows;
  for (size_t i = 0; i < w.signals.size(); ++i) {
    w.signals[i] = Dual(from.signals[i]);
    w.signalRates[i] = Dual(from.signalRates[i]);
  }
}

/// Motion of every frame from the coordinates (TreeJoint).
template <class S>
void Equations::rootsToLeaves(Workspace<S>& w) const {
  for (int i = 0; i < layout_.edges; ++i) {
    const Layout::TreeJoint& s = layout_.tree[i];
    const FrameState<S>& near = w.frames[s.near];
    FrameState<S>& far = w.frames[s.far];
    const JointState<S>& x = w.joints[s.edge];
    if (s.forward) {
      s.law->forward(near, x, far);
    } else {
      s.law->backward(near, x, far);
    }
  }
}

/// Coordinates of the joints that are not in the tree.
template <class S>
void Equations::measureCutJoints(Workspace<S>& w) const {
  for (const Layout::CutJoint& c : layout_.cutJoints) {
    if (!c.law) continue;
    S* q = w.measured.data() + c.measured;
    S* v = q + c.law->positions();
    if (!state.measured.empty())
      std::copy_n(state.measured.data() + c.measured, c.law->positions(), q);
    c.law->measure(relativeMotion(w.frames[w.frameOfNode[c.a]], w.frames[w.frameOfNode[c.b]]), q, v,
                   v + c.law->velocities());
  }
}

/// Potentials of the one-dimensional nodes from their sources.
template <class S>
void Equations::flangeStates(Workspace<S>& w) const {
  if (network_.nodes.empty()) return;
  const View<S> view(w.tables);
  for (size_t i = 0; i < network_.sources.size(); ++i) {
    const PotentialNetwork::Source& source = network_.sources[i];
    const size_t index = source.index;
    FlangeState<S>& potential = w.sources[i];
    switch (source.kind) {
      case PotentialNetwork::SourceKind::joint: {
        const FlatModel::AxisBinding& a = flatModel_.axes[index];
        const JointState<S>& x = w.joints[a.joint.index];
        potential = {x.q[a.coordinate], x.v[a.coordinate], x.vd[a.coordinate]};
        break;
      }
      case PotentialNetwork::SourceKind::driven:
        potential = flatModel_.driven[index].potential->evaluate(view);
        break;
      case PotentialNetwork::SourceKind::inertial: {
        const size_t v = layout_.velocityOfSource[i];
        potential = {w.y[layout_.positionOfSource[i]], w.y[v], w.yp[v]};
        break;
      }
      case PotentialNetwork::SourceKind::massless: {
        const size_t p = layout_.positionOfSource[i];
        potential = {w.y[p], w.yp[p], S(0)};
        break;
      }
    }
  }
  for (const MovingNode& n : movingNodes_) {
    FlangeState<S> sum{S(n.constant), S(0), S(0)};
    for (int k = n.firstTerm; k < n.lastTerm; ++k) {
      const PotentialNetwork::Term& t = terms_[k];
      const FlangeState<S>& s = w.sources[t.source];
      sum.position += t.coefficient * s.position;
      sum.velocity += t.coefficient * s.velocity;
      sum.acceleration += t.coefficient * s.acceleration;
    }
    w.flanges[n.node] = sum;
  }
}

/// Flows that the parts take at the nodes, gathered at the sources; what a driving component gets
/// of them.
template <class S>
void Equations::flangeFlows(Workspace<S>& w, bool record) const {
  if (network_.nodes.empty()) return;
  auto gather = [&](const std::vector<S>& loads, std::vector<S>& flows) {
    for (S& f : flows) f = S(0);
    for (const MovingNode& n : movingNodes_) {
      for (int k = n.firstTerm; k < n.lastTerm; ++k)
        flows[terms_[k].source] += terms_[k].coefficient * loads[n.node];
    }
  };
  gather(w.flangeLoads, w.sourceFlows);
  const bool virtuals = w.tables.virtualLoads;
  if (virtuals) gather(w.virtualFlangeLoads, w.virtualSourceFlows);
  for (size_t r = 0; r < network_.relations.size(); ++r) {
    const PotentialNetwork::Relation& relation = network_.relations[r];
    const size_t k = layout_.firstRelation + r;
    S g = S(-relation.constant), gv = S(0);
    for (const PotentialNetwork::Term& t : relation.terms) {
      const size_t s = t.source;
      g += t.coefficient * w.sources[s].position;
      gv += t.coefficient * w.sources[s].velocity;
      w.sourceFlows[s] += t.coefficient * w.multipliers[k];
      if (virtuals) w.virtualSourceFlows[s] += t.coefficient * w.virtualMultipliers[k];
    }
    w.positionResidues[k] = g;
    w.velocityResidues[k] = gv;
  }
  for (size_t i = 0; i < network_.sources.size(); ++i) {
    const PotentialNetwork::Source& source = network_.sources[i];
    if (source.kind != PotentialNetwork::SourceKind::driven) continue;
    const size_t f = flatModel_.driven[source.index].flange.index;
    w.drivingFlows[f] = -w.sourceFlows[i];
    if (virtuals) w.virtualDrivingFlows[f] = -w.virtualSourceFlows[i];
  }
  if (record) {
    for (const PotentialNetwork::RelationFlow& r : network_.relationFlows) {
      w.connectorFlows[r.flange] += r.factor * w.flangeLoads[r.node];
    }
  }
}

/// The flows of one-dimensional parts in the dynamic rows of joints and in the rows of own
/// coordinates.
template <class S>
void Equations::flangeRows(Workspace<S>& w) const {
  const bool virtuals = w.tables.virtualLoads;
  for (size_t i = 0; i < network_.sources.size(); ++i) {
    const PotentialNetwork::Source& source = network_.sources[i];
    switch (source.kind) {
      case PotentialNetwork::SourceKind::joint: {
        const FlatModel::AxisBinding& a = flatModel_.axes[source.index];
        const int v = velocityOfJoint_[a.joint.index];
        if (v < 0) break;  // a cut joint: reported at assembly
        w.residual[layout_.nq + v + a.coordinate] += w.sourceFlows[i];
        if (virtuals) w.virtualRates[v + a.coordinate] += w.virtualSourceFlows[i];
        break;
      }
      case PotentialNetwork::SourceKind::driven:
        break;
      case PotentialNetwork::SourceKind::inertial: {
        const size_t v = layout_.velocityOfSource[i];
        w.residual[v] = w.sourceFlows[i];
        if (virtuals) w.virtualRates[v - layout_.nq] = w.virtualSourceFlows[i];
        break;
      }
      case PotentialNetwork::SourceKind::massless:
        w.residual[layout_.positionOfSource[i]] = w.sourceFlows[i];
        break;
    }
  }
}

/// Residues of the joints that close loops, and their reactions on both frames (CutJoint).
template <class S>
void Equations::cutJoints(Workspace<S>& w, bool record) const {
  const bool virtually = w.tables.virtualLoads;
  for (const Layout::CutJoint& c : layout_.cutJoints) {
    if (c.rows == 0) continue;
    const size_t frame_a = w.frameOfNode[c.a], frame_b = w.frameOfNode[c.b];
    const FrameState<S>&a = w.frames[frame_a], &b = w.frames[frame_b];
    const RelativeMotion<S> m = relativeMotion(a, b);
    ClosureRows<S> rows;
    c.closure->closure(m, rows);
    const Vector3<S>& w_rel = frames::angularVelocity2(m.R_rel);
    Wrench<S> real, virtuals;
    real.setZero();
    virtuals.setZero();
    for (int i = 0; i < c.rows; ++i) {
      const size_t k = c.row + i;
      const auto& row = rows.rows[i];
      w.positionResidues[k] = row.g;
      w.velocityResidues[k] = dot(row.lin, m.v_rel) + dot(row.ang, w_rel);
      real.f_0 += row.lin * w.multipliers[k];
      real.t_0 += row.ang * w.multipliers[k];
      if (!virtually) continue;
      virtuals.f_0 += row.lin * w.virtualMultipliers[k];
      virtuals.t_0 += row.ang * w.virtualMultipliers[k];
    }
    auto apply = [&](Wrench<S> l, std::vector<Wrench<S>>& loads) {
      l.f_0 = frames::resolve1(a.R, l.f_0);
      l.t_0 = frames::resolve1(b.R, l.t_0);
      const Wrench<S> on_a = -l.shifted(b.r_0 - a.r_0);
      loads[frame_b] += l;
      loads[frame_a] += on_a;
      return std::pair{on_a, l};
    };
    const auto [on_a, on_b] = apply(real, w.loads);
    if (virtually) apply(virtuals, w.virtualLoads);
    if (record) {
      const FlatModel::Edge& e = flatModel_.edges[c.edge];
      w.connectorLoads[e.a.index] += on_a;
      w.connectorLoads[e.b.index] += on_b;
    }
  }
}

/// Loads carried to the world; what a joint leaves free must balance (d'Alembert).
template <class S>
void Equations::leavesToRoots(Workspace<S>& w, bool record) const {
  S tau[6];
  for (int i = layout_.edges; i-- > 0;) {
    const Layout::TreeJoint& s = layout_.tree[i];
    const FrameState<S>& a = w.frames[s.a];
    const FrameState<S>& b = w.frames[s.b];
    const JointState<S>& x = w.joints[s.edge];
    const Vector3<S> arm = w.frames[s.far].r_0 - w.frames[s.near].r_0;
    auto pass = [&](std::vector<Wrench<S>>& loads, S* projected) {
      const Wrench<S>& far = loads[s.far];
      const Wrench<S> near = far.shifted(arm);
      // The joint carries `near` at its near end; what is left of the load at frame_b drives its
      // coordinates.
      if (s.nv > 0) s.law->project(a, b, x, s.forward ? far : -near, projected);
      loads[s.near] += near;
      return near;
    };
    const Wrench<S> near = pass(w.loads, tau);
    for (int k = 0; k < s.nv; ++k) w.residual[layout_.nq + s.v + k] = tau[k];
    if (w.tables.virtualLoads) pass(w.virtualLoads, w.virtualRates.data() + s.v);
    if (record) {
      const FlatModel::Edge& e = flatModel_.edges[s.edge];
      const Wrench<S> far = -w.loads[s.far];
      w.connectorLoads[e.a.index] += s.forward ? near : far;
      w.connectorLoads[e.b.index] += s.forward ? far : near;
    }
  }
}

void Equations::resetCharts() {
  for (const Layout::TreeJoint& s : layout_.tree) {
    if (s.chart >= 0) s.law->chart().chart->start(state.charts.data() + s.chart);
  }
}

void Equations::referToMultipliers(const std::vector<double>& y) {
  std::copy_n(y.begin() + layout_.lambdaOffset(), layout_.nlambda,
              state.multiplierReference.begin());
}

/// G v - eps (lambda - lambda_ref) = 0 and g - eps mu = 0.
template <class S>
void Equations::constraintRows(Workspace<S>& w) const {
  for (int i = 0; i < layout_.nlambda; ++i) {
    const size_t k = i;
    const bool active = !state.redundant[k];
    w.residual[layout_.lambdaOffset() + i] =
        active ? w.velocityResidues[k] -
                     state.regularisation[k] * (w.multipliers[k] - state.multiplierReference[k])
               : w.multipliers[k];
    if (const int m = layout_.muOfLambda[k]; m >= 0) {
      w.residual[layout_.muOffset() + m] =
          active ? w.positionResidues[k] - state.positionRegularisation[k] * w.virtualMultipliers[k]
                 : w.virtualMultipliers[k];
    }
  }
}

void Equations::evaluateAt(Workspace<double>& w, double t, std::span<const double> y,
                           std::span<const double> yp, Purpose purpose) const {
  std::ranges::copy(y, w.y.begin());
  std::ranges::copy(yp, w.yp.begin());
  w.tables.time = t;
  evaluate(w, purpose);
}

template Workspace<double> Equations::makeWorkspace() const;
template Workspace<Dual> Equations::makeWorkspace() const;
template void Equations::evaluate(Workspace<double>&, Purpose) const;
template void Equations::evaluate(Workspace<Dual>&, Purpose) const;

}  // namespace cardan
