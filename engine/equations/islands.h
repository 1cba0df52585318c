/// Islands: the parts of a model that nothing but the world and time holds together.
#pragma once

#include <vector>

#include "engine/equations/signal_graph.h"
#include "engine/structure/block_matrix.h"
#include "engine/structure/layout.h"

namespace cardan {

/// No row of one island depends on an unknown of another. So matrices of derivatives are of blocks, and one
/// direction of a dual serves all islands at once.
///
/// On one island are: what a joint carries that is itself carried, up to the world; all that the frames and
/// flanges of a component move with, its unknowns and its rows. Where signals of the state feed the motion,
/// or the file has equations of its own, all is one island.
struct Islands {
  Islands() = default;
  Islands(const FlatModel& flatModel, const SpanningTree& spanningTree,
          const PotentialNetwork& network, const SignalGraph& signals, const Layout& layout);

  int count() const { return unknowns.sets(); }
  Partition unknowns;           ///< the elements of y
  Partition rows;               ///< the elements of the residual
  std::vector<int> ofInstance;  ///< one of them where nothing that an instance sees has unknowns
};

}  // namespace cardan
