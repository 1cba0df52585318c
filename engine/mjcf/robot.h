/// Robot: what an MJCF file says of bodies, joints and what acts on them, before it becomes a model.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/text/xml_document.h"
#include "engine/urdf/robot.h"

namespace cardan::mjcf {

/// Where a frame lies in another one.
struct Pose {
  Vector3d r{0, 0, 0};                ///< [m]  origin, resolved in the other frame
  Matrix3d R = Matrix3d::Identity();  ///< [1]  its columns are the axes of the frame

  /// The pose of a frame that lies at `inner` in this one.
  Pose operator*(const Pose& inner) const { return {r + R * inner.r, R * inner.R}; }
  Pose inverse() const { return {-(R.transpose() * r), R.transpose()}; }
};

/// Mass, centre and inertia tensor of a body or a part of one.
struct Mass {
  double m = 0;            ///< [kg]
  Vector3d r_CM{0, 0, 0};  ///< [m]  resolved in the body's frame
  Matrix3d I =
      Matrix3d::Zero();  ///< [kg.m2]  about the centre of mass, resolved in the body's frame

  /// Both as one.
  Mass operator+(const Mass& other) const;
};

enum class JointType { hinge, slide, ball, free };
const char* nameOf(JointType type);

struct Joint {
  std::string name;  ///< "" if the file gives none
  JointType type = JointType::hinge;
  Vector3d pos{0, 0, 0};   ///< [m]  in the body's frame
  Vector3d axis{0, 0, 1};  ///< [1]  any length but zero, in the body's frame
  double ref = 0;          ///< [rad] or [m]  of the coordinate, where the file shows the body
  double damping = 0;      ///< [N.m.s/rad] or [N.s/m]
  double stiffness = 0;    ///< [N.m/rad] or [N/m]
  double springRef = 0;    ///< [rad] or [m]  the coordinate without torque of the spring
  double armature = 0;     ///< [kg.m2] or [kg]
  double friction = 0;     ///< [N.m] or [N]
  bool isLimited = false;
  std::array<double, 2> range{0, 0};  ///< [rad] or [m]
  const XmlElement* element = nullptr;

  bool hasAxis() const { return type == JointType::hinge || type == JointType::slide; }
  bool turns() const { return type == JointType::hinge; }
};

struct Body {
  std::string name;
  int parent = -1;  ///< -1: the world
  Pose pose;        ///< in the parent's frame
  std::vector<Joint> joints;
  Mass mass;
  SourceMark massAt;
  std::vector<urdf::Visual> visuals;
  const XmlElement* element = nullptr;
};

enum class EqualityType { connect, weld, joint };

struct Equality {
  EqualityType type = EqualityType::connect;
  int first = -1, second = -1;   ///< bodies (-1: the world), or joints as `JointPlace`s
  Vector3d anchor{0, 0, 0};      ///< [m]  in the frame of the first body
  bool hasPose = false;          ///< of a weld: as given, else as the file shows them
  Pose pose;                     ///< of the second body in the first one
  double offset = 0, ratio = 1;  ///< q1 - ref1 = offset + ratio (q2 - ref2)
  const XmlElement* element = nullptr;
};

/// force = gear (gain u + bias_0 + bias_1 gear q + bias_2 gear der(q))
struct Actuator {
  std::string name;
  int joint = -1;
  double gear = 1;
  double gain = 1;
  std::array<double, 3> bias{0, 0, 0};
  const XmlElement* element = nullptr;
};

/// A joint, by its body and its place among the body's joints.
struct JointPlace {
  int body = 0;
  int place = 0;
};

struct Robot {
  std::string name;
  Vector3d gravity{0, 0, -9.81};      ///< [m/s2]
  std::vector<Body> bodies;           ///< parents before children
  std::vector<urdf::Visual> visuals;  ///< of the world
  std::vector<JointPlace> joints;     ///< in the order of the file
  std::vector<Equality> equalities;
  std::vector<Actuator> actuators;
  const XmlElement* element = nullptr;

  const Joint& joint(int index) const {
    const JointPlace& p = joints[index];
    return bodies[p.body].joints[p.place];
  }
};

}  // namespace cardan::mjcf
