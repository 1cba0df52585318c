/// Loops: what closes where, which of its closure equations say nothing new, for the reader of
/// `cardan check`.
#pragma once

#include <string>
#include <vector>

#include "engine/initialisation/initial_report.h"
#include "engine/structure/layout.h"

namespace cardan {

/// What closes a loop: a cut joint, or a component that constrains its frame_b against its frame_a.
struct Closure {
  int instance;
  int row;                         ///< its first multiplier
  int a, b;                        ///< nodes
  bool moves = false;              ///< it is a joint with freedoms of its own
  std::vector<std::string> names;  ///< of its equations on position level
};
std::vector<Closure> closuresOf(const FlatModel& flatModel, const Layout& layout,
                                const std::vector<int>& nodeOfFrame);

/// Steps of Layout::tree that can move in the loop, from `a` up and down to `b`.
std::vector<int> stepsOfLoop(const Layout& layout, const Closure& closure);

/// `nodeOfFrame` as in SpanningTree; `redundantRows` are multipliers, sorted.
std::vector<LoopReport> describeLoops(const FlatModel& flatModel, const Layout& layout,
                                      const std::vector<int>& nodeOfFrame,
                                      const std::vector<int>& redundantRows);

}  // namespace cardan
