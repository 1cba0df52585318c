/// Links that fixed joints hold together, made into one.
#pragma once

#include <vector>

#include "engine/urdf/kinematic_tree.h"
#include "engine/urdf/robot.h"

namespace cardan::urdf {

/// Every link on a fixed joint becomes part of the link below it: mass, inertia, shapes, and the
/// joints that it carries. Returns for every link the one that it has become part of, or itself.
std::vector<int> mergeFixedJoints(Robot& robot, const KinematicTree& tree);

}  // namespace cardan::urdf
