#include "engine/robots/urdf/vocabulary.h"

namespace cardan::robots::urdf {
namespace {

constexpr const char* kTable = R"(
robot:
  + name
  - version
link: robot
  + name
  - type
inertial: link
origin: inertial visual collision joint sensor
  + xyz rpy quat_xyzw
mass: inertial
  + value
inertia: inertial
  + ixx ixy ixz iyy iyz izz
visual: link
  + name
collision: link
  + name
  - group
geometry: visual collision
box: geometry
  + size
cylinder capsule: geometry
  + radius length
sphere: geometry
  + radius
mesh: geometry
  + filename scale
material: robot visual collision
  + name
color: material
  + rgba
texture: material - shapes have one colour
  - filename
collision_checking self_collision_checking contact contact_coefficients: link - settings of the contacts of another simulator
  *
verbose: collision
  *
joint: robot
  + name type
parent child: joint
  + link
axis: joint
  + xyz
dynamics: joint
  + damping friction
  - D K mu_coulomb mu_viscous
limit: joint
  + lower upper effort velocity
  - acceleration deceleration jerk command_effort current gear_velocity
mimic: joint
  + joint multiplier offset
calibration: joint - belongs to the robot's control, and not to its mechanics
  - rising falling reference_position
safety_controller: joint - belongs to the robot's control, and not to its mechanics
  - soft_lower_limit soft_upper_limit k_position k_velocity
transmission: robot - what drives a joint is no part of its mechanics: connect a drive to its axis
  *
gazebo mujoco: robot link joint - settings of another simulator
  *
sensor: robot link - sensors of a robot take no part in its motion
  *
ros2_control ros_control: robot - belongs to the robot's control, and not to its mechanics
  *
)";

}  // namespace

const XmlVocabulary& vocabulary() {
  static const XmlVocabulary table(kTable);
  return table;
}

}  // namespace cardan::robots::urdf
