/// Robot: what a URDF file says of links and joints, before it becomes a model.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/text/xml_document.h"
#include "frames/types.h"

namespace cardan::urdf {

/// Where a frame lies in another one: turned by `rpy`, its origin at `r`.
struct Pose {
  Vector3d r{0, 0, 0};  ///< [m]    origin, resolved in the other frame
  Vector3d rpy{0, 0,
               0};  ///< [rad]  roll about x, then pitch about y, then yaw about z, all fixed axes
  std::optional<Matrix3d> composed;  ///< instead of rpy: the rotation of several poses in a row

  /// [1]  its columns are the axes of the frame, resolved in the other one.
  Matrix3d rotation() const;
  bool isTurned() const;
  bool isMoved() const { return r != Vector3d::Zero(); }
  /// The pose of a frame that lies at `inner` in this one.
  Pose operator*(const Pose& inner) const;
};

enum class Geometry { box, cylinder, sphere, ellipsoid, mesh };

struct Visual {
  Pose pose;
  Geometry geometry = Geometry::box;
  Vector3d size{
      0, 0, 0};  ///< [m]  box: edges; cylinder: radius, length; sphere: radius; ellipsoid: axes;
                 ///< mesh: [1] scale
  std::string file;                            ///< of a mesh, as the URDF names it
  std::optional<std::array<double, 4>> color;  ///< [1]  red, green, blue, opacity, 0 ... 1
  const XmlElement* element = nullptr;
};

struct Link {
  std::string name;
  double m = 0;            ///< [kg]
  Vector3d r_CM{0, 0, 0};  ///< [m]      resolved in the link's frame
  Matrix3d I =
      Matrix3d::Zero();  ///< [kg.m2]  about the centre of mass, resolved in the link's frame
  SourceMark inertiaAt;
  std::vector<Visual> visuals;
  const XmlElement* element = nullptr;

  bool isMassless() const { return m == 0 && I.isZero(0); }
};

enum class JointType { revolute, continuous, prismatic, fixed, floating, planar };
const char* nameOf(JointType type);

struct Limit {
  double lower = 0, upper = 0;  ///< [rad] or [m]
  const XmlElement* element = nullptr;
};

/// q = multiplier q_joint + offset
struct Mimic {
  std::string joint;
  double multiplier = 1;
  double offset = 0;  ///< [rad] or [m]
  SourceMark at;
};

struct Joint {
  std::string name;
  JointType type = JointType::fixed;
  std::string parent, child;
  SourceMark parentAt, childAt;
  Pose pose;               ///< of the joint's frame in the parent link's
  Vector3d axis{1, 0, 0};  ///< [1]  any length but zero, resolved in the joint's frame
  double damping = 0;      ///< [N.m.s/rad] or [N.s/m]
  double friction = 0;     ///< [N.m] or [N]
  const XmlElement* dynamics = nullptr;
  std::optional<Limit> limit;
  std::optional<Mimic> mimic;
  const XmlElement* element = nullptr;

  bool moves() const { return type != JointType::fixed; }
  bool turns() const { return type == JointType::revolute || type == JointType::continuous; }
  bool slides() const { return type == JointType::prismatic; }
  /// It has one coordinate.
  bool hasAxis() const { return turns() || slides(); }
};

struct Robot {
  std::string name;
  std::vector<Link> links;    ///< in the order of the file
  std::vector<Joint> joints;  ///< in the order of the file
  const XmlElement* element = nullptr;
};

}  // namespace cardan::urdf
