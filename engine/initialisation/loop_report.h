/// Loops: what closes where, which of its closure equations say nothing new, for the reader of
/// `cardan check`.
#pragma once

#include <string>
#include <vector>

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

/// One loop of the model, opened at one component.
struct LoopReport {
  std::string cut;                  ///< the component that closes it ("j4")
  std::vector<std::string> joints;  ///< that move in it, in the order of the loop, `cut` the last
  int closures = 0;                 ///< equations of `cut` on position level
  std::vector<std::string> redundant;  ///< those among them that the others imply
  /// Coordinates (indices into y) of the joints of the tree in it, without those that an assembly
  /// of joints holds: it chooses its branch itself.
  std::vector<int> coordinates;

  /// "loop over j1, j2, j3, j4"
  std::string name() const;
  /// "loop over j1, j2, j3, j4, opened at j4: 3 of 5 closure equations are redundant: ..."
  std::string format() const;
};

/// `nodeOfFrame` as in SpanningTree; `redundantRows` are multipliers, sorted.
std::vector<LoopReport> describeLoops(const FlatModel& flatModel, const Layout& layout,
                                      const std::vector<int>& nodeOfFrame,
                                      const std::vector<int>& redundantRows);

}  // namespace cardan
