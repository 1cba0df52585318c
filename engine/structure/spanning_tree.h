/// SpanningTree: connection sets of frames, the spanning tree over them and the edges left over as
/// cut joints.
#pragma once

#include <vector>

#include "engine/structure/flat_model.h"

namespace cardan {

struct SpanningTree {
  /// An edge of the tree, in an order in which `near` is always known before `far`.
  struct TreeEdge {
    int edge;      ///< index into FlatModel::edges
    int near;      ///< node towards the world
    int far;       ///< node that the edge places
    bool forward;  ///< near is at frame_a; false: the tree enters at frame_b
  };

  int nodes = 0;                 ///< node 0 is the world; numbered in the order of the tree
  std::vector<int> nodeOfFrame;  ///< frame connector -> node
  std::vector<TreeEdge> tree;
  std::vector<int> cuts;    ///< edges that close loops, in the order of the model
  std::vector<int> unused;  ///< root edges of parts that something holds
};

/// Grows the tree from the world: rigid parts and joints with few freedoms first, so that joints
/// with many are cut; among equals those that `startIsGiven` (per edge), so that guesses are kept,
/// then those near the world, so that loops are short and neighbours independent; then one root for
/// every part that nothing holds. Errors: a part that nothing places.
SpanningTree makeTopology(const FlatModel& flatModel, const std::vector<bool>& startIsGiven,
                          Diagnostics& diagnostics);

}  // namespace cardan
