/// JointInertia: how heavily a robot's joints move in the pose that the file shows.
#pragma once

#include <memory>
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
class JointInertias {
 public:
  explicit JointInertias(const Robot& robot);
  JointInertias(const JointInertias&) = delete;
  JointInertias& operator=(const JointInertias&) = delete;
  ~JointInertias();

  const JointInertia& operator[](int joint) const { return joints_[joint]; }
  /// Force by acceleration of a sum of coordinates, while all joints give way; 0 where nothing resists.
  double free(const std::vector<Share>& sum) const;

 private:
  class MassMatrix;
  std::unique_ptr<MassMatrix> matrix_;
  std::vector<JointInertia> joints_;
};

}  // namespace cardan::robots::mjcf
