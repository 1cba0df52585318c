#include "engine/equations/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/equations/equations.h"
#include "engine/equations/held_values.h"
#include "engine/model_file/parameter_binding.h"
#include "engine/structure/matrix_limit.h"
#include "engine/structure/mechanical_totals.h"
#include "engine/structure/mixture.h"
#include "engine/structure/open_ends.h"
#include "engine/structure/violation_result.h"

namespace cardan {
namespace {

/// Per edge: the model says where one of its coordinates, or all of it, starts.
std::vector<bool> startIsGiven(const FlatModel& b, const VariableTable& variables) {
  std::set<std::string> given;
  for (const VariableTable::Start& s : variables.starts()) {
    if (s.given || s.fixed) given.insert(variables.nameOf(s.of));
  }
  std::set<int> instances;
  for (const VariableTable::Initial& i : variables.initials()) {
    if (i.info.given || i.info.fixed) instances.insert(i.instance);
  }
  std::vector<bool> result;
  for (const FlatModel::Edge& e : b.edges) {
    const std::string prefix = b.instanceOf(e).name + ".";
    result.push_back(instances.contains(e.instance) ||
                     std::ranges::any_of(e.positions, [&](const UnknownInfo& q) {
                       return given.contains(prefix + q.name);
                     }));
  }
  return result;
}

/// What acts at the axis of a joint finds no coordinate where this closes a loop.
void checkAxes(const FlatModel& b, const SpanningTree& spanningTree, Diagnostics& diagnostics) {
  for (const FlatModel::AxisBinding& a : b.axes) {
    for (int cut : spanningTree.cuts) {
      if (cut != a.joint.index) continue;
      const int instance = b.edges[cut].instance;
      const bool asked = b.edges[cut].policy == CutPolicy::always;
      diagnostics.error(
          b.instances[instance].at,
          b.typeAndName(instance) +
              (asked ? ": 'cut: true' of a joint whose axis is in use, by a flange, friction or "
                       "limits, leaves nothing that these could act on: cut a joint free of them"
                     : ": its axis is in use, by a flange, friction or limits, as are those of all "
                       "joints of its loop: one of them has to be free of them"));
    }
  }
}

/// A free point has no orientation to balance torques with: no joint or rigid part may hang on it.
void checkFreePoints(const FlatModel& b, const SpanningTree& spanningTree,
                     Diagnostics& diagnostics) {
  for (const SpanningTree::TreeEdge& t : spanningTree.tree) {
    const FlatModel::Edge& point = b.edges[t.edge];
    if (!point.isRoot || point.law->positions() == 0 || point.law->velocities() > 0) continue;
    auto report = [&](int edge) {
      const FlatModel::Edge& e = b.edges[edge];
      diagnostics.error(b.instanceOf(point).at,
                        fmt::format("{}: nothing with mass holds '{}', which line forces meet and "
                                    "to which {} is connected: attach a Body or a PointMass",
                                    b.typeAndName(point.instance), b.frames[point.b.index].name,
                                    b.typeAndName(e.instance)));
    };
    for (const SpanningTree::TreeEdge& other : spanningTree.tree) {
      if (other.near == t.far) report(other.edge);
    }
    for (int cut : spanningTree.cuts) {
      const FlatModel::Edge& e = b.edges[cut];
      for (FrameId f : {e.a, e.b}) {
        if (spanningTree.nodeOfFrame[f.index] == t.far) report(cut);
      }
    }
  }
}

/// A point near the start at which no derivative vanishes by chance.
Workspace<Dual> genericPoint(const Layout& layout, const Equations& equations) {
  Workspace<Dual> w = equations.makeWorkspace<Dual>();
  for (size_t i = 0; i < w.y.size(); ++i) {
    w.y[i] = Dual(layout.unknowns[i].start + 0.1 + 0.01 * static_cast<double>(i % 7));
    w.yp[i] = Dual(0.3);
  }
  return w;
}

/// A coordinate without inertia whose velocity nobody reads is algebraic: found by its column of
/// dF/dy'.
void classifyMassless(Layout& layout, const PotentialNetwork& network, const Equations& equations) {
  const bool any = std::ranges::any_of(network.sources, [](const PotentialNetwork::Source& s) {
    return s.kind == PotentialNetwork::SourceKind::massless;
  });
  if (!any && layout.freePoints.empty()) return;
  Workspace<Dual> w = genericPoint(layout, equations);
  const auto isRead = [&](size_t p) {
    w.yp[p].setLane(0, 1);
    equations.evaluate(w, {});
    w.yp[p].setLane(0, 0);
    return std::ranges::any_of(w.residual, [](const Dual& r) { return !(r.lane(0) == 0); });
  };
  for (size_t s = 0; s < network.sources.size(); ++s) {
    if (network.sources[s].kind != PotentialNetwork::SourceKind::massless) continue;
    const size_t p = layout.positionOfSource[s];
    layout.unknowns[p].differential = isRead(p);
  }
  // A damper at a free point reads its velocity in every direction, sooner or later.
  for (const Layout::FreePoint& f : layout.freePoints) {
    const bool differential = isRead(f.x) || isRead(f.x + 1) || isRead(f.x + 2);
    for (int i = 0; i < 3; ++i) layout.unknowns[f.x + i].differential = differential;
  }
}

/// Names constraints with rows of a position or a velocity that read what they must not.
void refuseWrongLevels(const Layout& layout, const FlatModel& b, const std::vector<bool>& position,
                       const std::vector<bool>& velocity, Diagnostics& diagnostics) {
  for (size_t c = 0; c < b.constraints.size(); ++c) {
    const FlatModel::Constraint& constraint = b.constraints[c];
    bool tooHigh = false, force = false;
    for (int i = 0; i < constraint.positionRows + constraint.velocityRows; ++i) {
      const size_t k = layout.constraintOffset[c] + i;
      tooHigh = tooHigh || (i < constraint.positionRows && position[k]);
      force = force || velocity[k];
    }
    if (!tooHigh && !force) continue;
    diagnostics.error(
        b.instances[constraint.instance].at,
        fmt::format("{}: the {} that is prescribed here depends on {}, so that no acceleration "
                    "follows from it; prescribe {}, or filter the signal",
                    b.typeAndName(constraint.instance), tooHigh ? "position" : "velocity",
                    tooHigh ? "velocities or forces" : "accelerations or forces",
                    tooHigh ? "the velocity" : "the acceleration"));
  }
}

/// A position row must read positions and a velocity row velocities: a motion that is prescribed by
/// a signal of a higher level is no constraint. Finds the rows that read rates of followed signals.
void checkConstraintLevels(const Layout& layout, Equations& equations, Diagnostics& diagnostics) {
  if (layout.nlambda == 0) return;
  Workspace<Dual> w = genericPoint(layout, equations);
  std::vector<bool> position(layout.nlambda), velocity(position);
  // All of a kind in one direction.
  const auto seedAll = [&](std::vector<Dual>& x, int first, int count, int lane, double on) {
    for (int i = 0; i < count; ++i) x[first + i].setLane(lane, on * mixtureWeight(i));
  };
  const auto reads = [](const Dual& x, int lane) { return !(x.lane(lane) == 0); };
  const auto seedMotion = [&](double on) {
    seedAll(w.y, layout.nq, layout.nv, 0, on);
    seedAll(w.yp, layout.nq, layout.nv, 1, on);
  };
  seedMotion(1);
  equations.evaluate(w, {.kinematicRows = false});
  seedMotion(0);
  for (int k = 0; k < layout.nlambda; ++k) {
    position[k] = reads(w.positionResidues[k], 0);
    velocity[k] = reads(w.velocityResidues[k], 1);
  }
  std::vector<bool> readsVelocities;
  for (const Equations::Follower& f : equations.followers())
    readsVelocities.push_back(reads(w.residual[f.row], 0));
  seedAll(w.y, layout.lambdaOffset(), layout.nlambda, 0, 1);
  equations.evaluate(w, {.kinematicRows = false});
  seedAll(w.y, layout.lambdaOffset(), layout.nlambda, 0, 0);
  for (int k = 0; k < layout.nlambda; ++k) {
    position[k] = position[k] || reads(w.positionResidues[k], 0);
    velocity[k] = velocity[k] || reads(w.velocityResidues[k], 0);
  }
  for (size_t i = 0; i < equations.followers().size(); ++i) {
    Dual& rate = w.yp[equations.followers()[i].unknown];
    rate.setLane(0, 1);
    equations.evaluate(w, {.kinematicRows = false});
    rate.setLane(0, 0);
    for (int k = 0; k < layout.nlambda; ++k) {
      if (!reads(w.velocityResidues[k], 0)) continue;
      equations.readsPrescribed[k] = true;
      // What such a row holds the position at is the signal that the unknown follows.
      if (readsVelocities[i]) position[k] = true;
    }
  }
  refuseWrongLevels(layout, equations.flatModel(), position, velocity, diagnostics);
}

/// The matrices of accelerations and of constraints between edges are full on each island: refused before
/// the memory is asked for. (Those of the accelerations are not formed where they are eliminated over the tree,
/// and without such constraints each edge is on its own.)
void checkSize(const Equations& equations, Diagnostics& diagnostics) {
  const Layout& l = equations.layout();
  const Islands& islands = equations.islands();
  const bool overTree = l.recursionPays() && l.nx == 0 && l.nlambda == 0;
  std::vector<double> rows(islands.count()), columns(rows), all(rows);
  for (int i = 0; i < l.muOffset(); ++i) {
    const int island = islands.unknowns.setOf[i];
    if (i < l.nq) ++columns[island];
    if (i >= l.nq && !overTree) ++all[island];
    if (i >= l.lambdaOffset()) ++rows[island];
  }
  for (const Layout::TreeJoint& step : l.tree) {
    if (step.nq > 0 && l.nlambda > 0) rows[islands.unknowns.setOf[step.q]] += step.nq - step.nv;
  }
  std::pair<double, double> most{0, 0};
  for (int s = 0; s < islands.count(); ++s) {
    for (const auto& size : {std::pair(rows[s], columns[s]), std::pair(all[s], all[s])})
      if (size.first * size.second > most.first * most.second) most = size;
  }
  refuseTooLarge(most.first, most.second, l.size(), equations.flatModel(), diagnostics);
}

}  // namespace

Assembly::Assembly(const WorldSettings& world, std::vector<NamedComponent> components,
                   const std::vector<ConnectionStatement>& connections, Diagnostics& diagnostics,
                   const SignalContext* context)
    : flatModel(makeFlatModel(world, std::move(components), connections, diagnostics,
                              context ? context->additions : nullptr)),
      variables(flatModel, diagnostics) {
  const int errors = diagnostics.errorCount();
  checkConnections(
      flatModel,
      [this](const std::string& name) {
        const auto elements = variables.elements(name);
        return !elements.empty() && variables[elements.front().variable].info.output;
      },
      diagnostics);
  const bool isWhole = diagnostics.errorCount() == errors && !(context && context->incomplete);
  if (isWhole) {
    spanningTree = makeTopology(flatModel, startIsGiven(flatModel, variables), diagnostics);
    network = makeFlangeNetwork(flatModel, diagnostics);
    checkAxes(flatModel, spanningTree, diagnostics);
    checkFreePoints(flatModel, spanningTree, diagnostics);
    if (context) checkOpenEnds(flatModel, spanningTree, network, diagnostics);
  }
  std::vector<std::string> ownVariables;
  if (context) {
    for (const VariableDescription& v : context->model.variables) ownVariables.push_back(v.name);
    for (const ModelParameter& p : context->model.parameters) ownVariables.push_back(p.name);
  }
  addMechanicalTotals(variables, ownVariables);
  addViolationResult(variables, flatModel, ownVariables);
  if (context) {
    if (context->addVariables) context->addVariables(variables, flatModel);
    std::vector<const InputBinding*> bindings;
    for (const FlatModel::Input& in : flatModel.inputs)
      bindings.push_back(context->binding(in.name));
    std::vector<GivenInput> given;
    if (context->given) given = *context->given;
    signals = std::make_unique<SignalGraph>(flatModel, network, spanningTree, variables,
                                            context->parameters, context->model, bindings,
                                            context->equations, std::move(given), diagnostics);
  } else {
    signals = std::make_unique<SignalGraph>(variables);
  }
  if (!isWhole) return;
  layout = makeLayout(flatModel, spanningTree, network, diagnostics);
  if (diagnostics.errorCount() > 0) return;
  equations = std::make_unique<Equations>(flatModel, spanningTree, network, *signals, layout);
  checkSize(*equations, diagnostics);
  equations->state.memory = variables.memoryStart();
  if (const HeldValues* held = variables.held()) equations->state.held = held->start();
  equations->alwaysMeasure = signals->readsLoads() || !signals->empty();
  classifyMassless(layout, network, *equations);
  checkConstraintLevels(layout, *equations, diagnostics);
  if (diagnostics.errorCount() > 0) {
    equations.reset();
    return;
  }
}

Assembly::~Assembly() = default;

}  // namespace cardan
