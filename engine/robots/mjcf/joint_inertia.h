/// JointInertia: how heavily a robot's joints move in the pose that the file shows.
#pragma once

#include <vector>

#include "engine/robots/robot.h"

namespace cardan::robots::mjcf {

/// Torque by acceleration [kg.m2], force by acceleration [kg]; means over the freedoms of a joint.
struct JointInertia {
  double held = 0;  ///< while all other joints are held: the mass matrix's diagonal
  double free = 0;  ///< while all other joints give way: 1 / (M^-1)_jj; 0 where nothing resists
};

/// Of the robot's joints, armatures among them; equalities do not count.
/// Source  R. Featherstone, Rigid Body Dynamics Algorithms, 2008, tables 6.2 and 6.3 (composite
///         bodies, factors L'DL along the branches)
std::vector<JointInertia> jointInertias(const Robot& robot);

}  // namespace cardan::robots::mjcf
