/// Loops: what closes where, which of its closure equations say nothing new, for the reader of
/// `cardan check`.
#pragma once

#include <string>
#include <vector>

#include "engine/layout.h"
#include "engine/topology.h"

namespace cardan {

/// One loop of the model, opened at one joint.
struct LoopReport {
  std::string cut;                  ///< the joint that closes it ("j4")
  std::vector<std::string> joints;  ///< that move in it, in the order of the loop, `cut` the last
  int closures = 0;                 ///< equations of the cut joint
  std::vector<std::string> redundant;  ///< those among them that the others imply
  /// Coordinates (indices into y) of the joints of the tree in it.
  std::vector<int> coordinates;

  /// "loop over j1, j2, j3, j4, opened at j4: 3 of 5 closure equations are redundant: ..."
  std::string format() const;
};

std::vector<LoopReport> describeLoops(const Blueprint& blueprint, const Topology& topology,
                                      const Layout& layout, const std::vector<int>& redundantRows);

}  // namespace cardan
