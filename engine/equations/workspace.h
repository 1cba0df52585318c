/// Workspace: all numbers of one evaluation of the equations.
#pragma once

#include <vector>

#include "components/view.h"
#include "engine/equations/body_tree.h"
#include "engine/equations/expression_values.h"
#include "engine/equations/signal_graph.h"

namespace cardan {

/// All numbers of one evaluation with scalar S, in the order in which they are visited. No
/// allocation after construction.
template <class S>
struct Workspace {
  std::vector<S> y, yp, residual;
  std::vector<S> virtualRates;        ///< G^T mu in v-space
  std::vector<FrameState<S>> frames;  ///< of the nodes, then those that clusters have of their own
  std::vector<Wrench<S>> loads, virtualLoads;  ///< likewise
  std::vector<BodyTree::Body>
      bodies;  ///< of clusters, for doubles: in place of most frames and loads
  std::vector<Wrench<S>> connectorLoads;
  std::vector<JointState<S>> joints;
  std::vector<S> measured;
  std::vector<S> signals, signalRates;
  std::vector<FlangeState<S>> flanges, sources;
  std::vector<S> flangeLoads, virtualFlangeLoads, connectorFlows, drivingFlows, virtualDrivingFlows;
  std::vector<S> sourceFlows, virtualSourceFlows;
  std::vector<S> multipliers, virtualMultipliers, positionResidues, velocityResidues;
  std::vector<UnitReaction> unitReactions;  ///< of parts on frames; doubles alone have them
  std::vector<UnitFlow> unitFlows;          ///< at flanges: likewise
  std::vector<double> heldFlows;  ///< connectorFlows that belong to the motion that is held
  ExpressionValues<S> expressions;
  SignalsOfTime ofTime;
  EvaluationTables<S> tables;
  const int* frameOfNode = nullptr;  ///< index into frames and loads, as the last evaluation had it
  int placed = -1;  ///< ClusterTree::version() for which the parts of the world were placed
};

class ClusterTree;

/// What an evaluation is for.
struct Purpose {
  bool loads = true;             ///< false: motion and constraint residues alone
  bool constraintsOnly = false;  ///< loads of constraints alone, at the motion that was held
  bool everyFrame = true;        ///< false: frames and loads of merged parts may stay as they were
  bool kinematicRows = true;     ///< false: the Newton matrix states these rows itself
  bool inertia = true;           ///< false: what moves the bodies is left to BodyAccelerations (by
                                 ///< clusters, for doubles)
  bool virtualRates = false;     ///< G^T mu also without kinematic rows, which need it
  bool connectorLoads = false;   ///< record the load on every connector (results)
  bool measure = false;          ///< coordinates of cut joints (results, start)
  bool motion = true;            ///< false: what the unknowns are is all that is read (results)
  /// Motion alone, of the frames that these read (results); no constraint residues either.
  const ClusterTree* motionOf = nullptr;
};
/// All that conditions, events and results may read, at an instant of a run.
inline constexpr Purpose kWithLoads{
    .kinematicRows = false, .connectorLoads = true, .measure = true};

}  // namespace cardan
