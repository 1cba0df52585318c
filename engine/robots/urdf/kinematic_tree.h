/// KinematicTree: the links of a robot as a tree of joints, and what follows which joint.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/robots/urdf/reader.h"

namespace cardan::robots::urdf {

/// Indices into the links and joints of a file.
struct KinematicTree {
  /// How a joint's coordinate follows that of another one: q = multiplier q_leader + offset.
  struct Follower {
    int leader = -1;  ///< joint that follows none itself; -1: it stands still, at `offset`
    double multiplier = 1;
    double offset = 0;  ///< [rad] or [m]
  };

  int root = -1;              ///< link
  std::vector<int> parentOf;  ///< of a joint: link
  std::vector<int> childOf;   ///< of a joint: link
  std::vector<int> jointTo;   ///< of a link: the joint that carries it, -1 for the root
  std::vector<int> order;     ///< links, from the root outwards, branch by branch
  std::vector<std::optional<Follower>> followers;  ///< of a joint
};

/// Nothing, and everything that is wrong in `diagnostics`, where the joints make no tree.
std::optional<KinematicTree> makeTree(const Parts& parts, Diagnostics& diagnostics);

}  // namespace cardan::robots::urdf
