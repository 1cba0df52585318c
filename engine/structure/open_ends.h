/// Open ends: connectors of the user's components that are connected to nothing.
#pragma once

#include <string>
#include <vector>

#include "engine/structure/flat_model.h"
#include "engine/structure/potential_network.h"
#include "engine/structure/spanning_tree.h"

namespace cardan {

/// Names of frames and flanges without a connection, in the order of the model. Most are meant: the
/// last body of a chain has one.
std::vector<std::string> openEnds(const FlatModel& flatModel);

/// Those that can hardly be meant: a warning for a flange or a joint's frame that nothing balances,
/// an error where nothing can determine the motion.
void checkOpenEnds(const FlatModel& flatModel, const SpanningTree& spanningTree,
                   const PotentialNetwork& network, Diagnostics& diagnostics);

}  // namespace cardan
