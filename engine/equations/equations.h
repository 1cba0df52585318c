/// Equations: the residual of the DAE by two sweeps over the tree, for double and Dual.
#pragma once

#include <span>
#include <vector>

#include "engine/equations/cluster_tree.h"
#include "engine/equations/islands.h"
#include "engine/equations/run_state.h"
#include "engine/equations/signal_graph.h"
#include "engine/equations/workspace.h"
#include "engine/structure/layout.h"

namespace cardan {

/// The equations of one run of a model: the structure is the model's, the state is its own. A copy
/// is another run.
class Equations {
 public:
  Equations(const FlatModel& flatModel, const SpanningTree& spanningTree,
            const PotentialNetwork& network, const SignalGraph& signals, const Layout& layout);

  template <class S>
  Workspace<S> makeWorkspace() const;

  /// Residual of the DAE at w.y, w.yp and w.tables.time into w.residual; with it every frame's
  /// motion and load.
  template <class S>
  void evaluate(Workspace<S>& w, Purpose purpose) const;
  /// The same at (t, y, yp), put into `w` first.
  void evaluateAt(Workspace<double>& w, double t, std::span<const double> y,
                  std::span<const double> yp, Purpose purpose = kWithLoads) const;
  /// Takes the motion that was evaluated in `from` (by clusters, at the same point) into `w`, as a
  /// constant: for evaluations of Purpose::constraintsOnly.
  void holdMotion(Workspace<Dual>& w, const Workspace<double>& from) const;

  const Layout& layout() const { return layout_; }
  const FlatModel& flatModel() const { return flatModel_; }
  const PotentialNetwork& network() const { return network_; }
  const SignalGraph& signals() const { return signals_; }
  const ClusterTree& clusters() const { return clusters_; }
  /// Clusters for the motion of the variables of these instances alone (Purpose::motionOf).
  ClusterTree clustersOf(std::vector<bool> instances) const;
  /// To be called when parameters of components have changed (free parameters of the start).
  void parametersChanged() { clusters_.place(); }
  int nodes() const { return nodes_; }
  const std::vector<int>& nodeOfFrame() const { return frameNode_; }
  const Islands& islands() const { return islands_; }

  /// True: signals read the coordinates of cut joints, so they are measured in every evaluation.
  bool alwaysMeasure = false;
  /// Unknown that follows a signal, y - signal = 0, because its rate has a part in the motion.
  struct Follower {
    int unknown;  ///< index into y
    int row;      ///< index into the residual
  };
  const std::vector<Follower>& followers() const { return followers_; }

  /// Unknowns (indices into y) that are positions of flanges and points without inertia, where no
  /// equation reads their velocity: forces alone place them.
  std::vector<int> positionsWithoutInertia() const;

  /// Per multiplier: its velocity row reads the rate of a follower (a motion prescribed by a signal
  /// of the state).
  std::vector<bool> readsPrescribed;
  /// What a run changes. A workspace reads it where it was made: it belongs to one run.
  RunState state;
  /// Back to the references of the start.
  void resetCharts();
  /// Takes the multipliers of `y` as the reference.
  void referToMultipliers(const std::vector<double>& y);

  /// Per multiplier: its position row is in metres (else rad or a number).
  std::vector<bool> isLength;
  /// Expressions that the motion feels may bend where no event tells of it.
  bool bendsUnseen = false;
  /// What a row may miss by is the tolerance times this: position row [m | rad], velocity row
  /// [m/s | rad/s]. The force [N | N.m] is typical for its multiplier.
  double positionScale(int multiplier) const {
    return isLength[multiplier] ? state.scales.length : 1;
  }
  double velocityScale(int multiplier) const {
    return positionScale(multiplier) / state.scales.time;
  }

 private:
  Purpose completed(Purpose purpose) const;
  template <class S>
  void placeJoints(Workspace<S>& w) const;
  template <class S>
  void fillTables(Workspace<S>& w) const;
  template <class S>
  void findMotion(Workspace<S>& w, Purpose purpose) const;
  template <class S>
  void clearLoads(Workspace<S>& w, const Purpose& purpose, bool flows) const;
  template <class S>
  void takeMultipliers(Workspace<S>& w) const;
  template <class S>
  void kinematicRows(Workspace<S>& w) const;
  template <class S>
  void rootsToLeaves(Workspace<S>& w) const;
  template <class S>
  void measureCutJoints(Workspace<S>& w) const;
  template <class S>
  void flangeStates(Workspace<S>& w) const;
  template <class S>
  void flangeFlows(Workspace<S>& w, bool record) const;
  template <class S>
  void flangeRows(Workspace<S>& w) const;
  template <class S>
  void cutJoints(Workspace<S>& w, bool record) const;
  template <class S>
  void leavesToRoots(Workspace<S>& w, bool record) const;
  template <class S>
  void constraintRows(Workspace<S>& w) const;

  const FlatModel& flatModel_;
  const PotentialNetwork& network_;
  const SignalGraph& signals_;
  const Layout& layout_;
  int nodes_;
  std::vector<int> frameNode_;
  std::vector<int> everyNode_;  ///< 0, 1, ...: nodes where none are merged
  ClusterTree clusters_;
  std::vector<const Component*> constraining_;       ///< components with constraint rows
  std::vector<const Component*> constrainingAlone_;  ///< those of them that drive no flange
  std::vector<const Component*> evaluated_;  ///< components with physics, in the order of the model
  std::vector<const Component*> unmerged_;   ///< those whose loads the clusters do not know
  std::vector<const Component*>
      driving_;  ///< those that drive a flange: they need its flow, so they come last
  /// A node of the network that moves, with its terms: they stand one after the other.
  struct MovingNode {
    int node;
    double constant;
    int firstTerm, lastTerm;
  };
  std::vector<MovingNode> movingNodes_;
  std::vector<PotentialNetwork::Term> terms_;
  std::vector<int> velocityOfJoint_;  ///< JointId -> offset into v, -1: not in the tree
  std::vector<Follower> followers_;
  std::vector<int> outerFrames_;   ///< frames of composites, inner ones first
  std::vector<int> outerFlanges_;  ///< likewise
  Islands islands_;
};

}  // namespace cardan
