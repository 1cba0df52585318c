/// Robot: what a file says of bodies, joints and what acts on them, before it becomes a model.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/robots/component_names.h"
#include "engine/robots/import_options.h"
#include "engine/robots/xml_document.h"
#include "engine/text/yaml_document.h"
#include "frames/algebra.h"

namespace cardan::robots {

/// Where a frame lies in another one.
struct Pose {
  Vector3d r{0, 0, 0};                ///< [m]  origin, resolved in the other frame
  Matrix3d R = Matrix3d::Identity();  ///< [1]  its columns are the axes of the frame
  /// [rad]  Where R is made of them: roll about x, then pitch about y, then yaw about z, fixed axes.
  std::optional<Vector3d> rpy{};

  bool isTurned(double precision = 0) const { return !R.isIdentity(precision); }
  bool isMoved() const { return r != Vector3d::Zero(); }
  /// The pose of a frame that lies at `inner` in this one.
  Pose operator*(const Pose& inner) const;
  Pose inverse() const { return {-(R.transpose() * r), R.transpose()}; }
};

/// A frame on a body.
struct Place {
  int body = -1;  ///< -1: the world
  Pose pose;      ///< in the body's frame
};

/// Mass, centre and inertia tensor of a body or a part of one.
struct Mass {
  double m = 0;                   ///< [kg]
  Vector3d r_CM{0, 0, 0};         ///< [m]  resolved in the body's frame
  Matrix3d I = Matrix3d::Zero();  ///< [kg.m2]  about r_CM, resolved in the body's frame

  bool isNothing() const { return m == 0 && I.isZero(0); }
  /// Both as one.
  Mass operator+(const Mass& other) const;
};
/// Of a body that lies at `pose`, seen from there.
Mass operator*(const Pose& pose, const Mass& mass);

using Color = std::array<double, 4>;  ///< [1]  red, green, blue, opacity, 0 ... 1
/// Of at least four numbers, each the nearest that it may be.
Color colorFrom(const std::vector<double>& rgba);

enum class Geometry { box, cylinder, sphere, ellipsoid, mesh };

struct Visual {
  Pose pose;
  Geometry geometry = Geometry::box;
  /// [m]  box: edges; cylinder: radius, length; sphere: radius; ellipsoid: axes; mesh: [1] scale
  Vector3d size{0, 0, 0};
  std::string file;  ///< of a mesh, as the robot's file names it
  std::optional<Color> color;
  std::optional<YamlNode> shape;  ///< the arguments of the component; none: not drawn
  const XmlElement* element = nullptr;
};

/// A convex body, or ground, fixed to one that moves or to the world, that others touch.
struct Collider {
  enum class Kind { plane, sphere, capsule, cylinder, ellipsoid, box, hull, heights };
  static bool isGround(Kind k) { return k == Kind::plane || k == Kind::heights; }
  std::string name;       ///< "" if the file gives none
  std::string component;  ///< its name in the model; "": it touches nothing, and is not there
  int body = -1;          ///< -1: the world
  Pose pose;              ///< in the body's frame; z is a plane's normal, and along what is round
  Kind kind = Kind::sphere;
  /// [m]  sphere: radius; capsule, cylinder: radius, length; ellipsoid: half axes; box: edges;
  /// heights: distances along x and y
  Vector3d size{0, 0, 0};
  std::vector<Vector3d> points;                ///< [m]  corners of a hull
  std::vector<std::vector<double>> heights{};  ///< [m]  a row for each y, along x
  double cut = 0;                              ///< [m]  that corners left out stood out of it
  bool isDrawn = false;                        ///< nothing else shows it
  std::optional<Color> color;
  const XmlElement* element = nullptr;
};

/// How two bodies touch, as a contact of Cardan says it.
struct ContactLaw {
  double penetration = 0;  ///< [m]
  double restitution = 0;  ///< [1]
  double mu = 0;           ///< [1]
  double rolling = 0;      ///< [m]

  bool operator==(const ContactLaw&) const = default;
};

/// Which colliders touch, and how; by the names of components and groups.
struct ContactRules {
  struct Group {
    std::string name;
    std::vector<std::string> members;
  };
  struct Pair {
    std::string a, b;
    std::optional<ContactLaw> law;  ///< none: that of all, or of an earlier pair
  };
  std::optional<ContactLaw> law;  ///< of all
  std::vector<Group> groups;
  std::optional<std::vector<Pair>> pairs;  ///< none: all touch
  std::vector<Pair> exclude;
};

enum class JointType { turning, sliding, ball, free, planar, fixed };

struct Joint {
  std::string name;       ///< "" if the file gives none
  std::string component;  ///< its name in the model
  JointType type = JointType::turning;
  std::string word;        ///< what the file calls the type
  Pose origin;             ///< of its frame in the one that it moves in
  Vector3d pos{0, 0, 0};   ///< [m]  of its axis in its frame, which is the body's
  Vector3d axis{0, 0, 1};  ///< [1]  any length but zero, in its frame
  double ref = 0;          ///< [rad] or [m]  of the coordinate, where the file shows the body
  double start = 0;        ///< [rad] or [m]  guess of a coordinate that follows another one
  double damping = 0;      ///< [N.m.s/rad] or [N.s/m]
  double stiffness = 0;    ///< [N.m/rad] or [N/m]
  double springRef = 0;    ///< [rad] or [m]  the coordinate without torque of the spring
  double armature = 0;     ///< [kg.m2] or [kg]
  double friction = 0;     ///< [N.m] or [N]
  bool isLimited = false;
  std::array<double, 2> range{0, 0};                ///< [rad] or [m]
  std::optional<Stops> stops;                       ///< at the ends of the range
  std::array<double, 2> springDamper{0, 0};         ///< [s], [1]  in place of stiffness and damping
  std::array<double, 2> stopReference{0.02, 1};     ///< [s], [1]  time constant, damping ratio
  double stopWidth = 0.95;                          ///< [1]  d_max of its impedance
  std::optional<std::array<double, 2>> driveRange;  ///< [N.m] or [N]  of all drives together
  const XmlElement* element = nullptr;
  const XmlElement *forces = nullptr, *limits = nullptr;  ///< where damping, where the range stands

  bool moves() const { return type != JointType::fixed; }
  bool turns() const { return type == JointType::turning; }
  /// It has one coordinate.
  bool hasAxis() const { return turns() || type == JointType::sliding; }
};

struct Body {
  std::string name;       ///< "" if the file gives none
  std::string component;  ///< its name in the model
  int parent = -1;        ///< -1: the world
  Pose pose;              ///< in the parent's frame, before its joints
  std::vector<Joint> joints;
  bool isLoose = false;  ///< it moves freely without a joint
  Mass mass;
  double liftedWeight = 0;  ///< [1]  the share of its weight that something holds
  SourceMark massAt;
  std::vector<Visual> visuals;
  const XmlElement* element = nullptr;
  const XmlElement* placedBy = nullptr;  ///< what says where it is
};

/// What a coordinate, or the length of a strand, adds to a length [m] or [rad]: coefficient q.
struct Share {
  int joint = -1;
  double coefficient = 1;
  int strand = -1;  ///< in place of a joint
};

enum class EqualityType { connect, weld, sum };

struct Equality {
  struct Term {
    Share of;
    /// Of q, q^2, ..., q as far as it is from the pose of the file; none: q alone.
    std::vector<double> factors{};
  };
  EqualityType type = EqualityType::connect;
  int first = -1, second = -1;  ///< bodies; -1: the world
  Pose inFirst, inSecond;       ///< frames of the bodies that coincide; of a connect: origins
  bool isApart = false;         ///< they do not in the pose that the file shows
  std::vector<Term> terms{};    ///< of a sum: 0 = offset + sum coefficient (factor[0] q + ...)
  double offset = 0;
  bool isMimic = false;  ///< it is a part of its first joint
  const XmlElement* element = nullptr;
};

/// A piece of a tendon along a path: straight, or around what is in its way.
struct Strand {
  struct Around {
    Place place;           ///< of its centre; a cylinder is along z
    bool isRound = false;  ///< a sphere
    double radius = 0;     ///< [m]
    std::optional<Place> side{};
  };
  Place from, to;
  std::optional<Around> around{};
  std::string component{};  ///< its name in the model
};

/// Force and torque on a body at a place, along the axes there, each by its gear.
struct Thrust {
  Place at;
  std::array<double, 6> gears{};
};

/// force = gear (gain u + bias), both [0] + [1] gear q + [2] gear der(q), q a sum of coordinates. In place of u
/// a state may count: der(state) = u, or (u - state)/lag.
struct Actuator {
  std::string name;
  std::vector<Share> along;
  double gear = 1;
  std::optional<Thrust> thrust;  ///< in place of coordinates
  std::array<double, 3> gain{1, 0, 0}, bias{0, 0, 0};
  std::optional<double> lag;  ///< [s]  of the state; 0: it is the integral
  std::optional<std::array<double, 2>> controlRange, forceRange,
      stateRange;  ///< of u, of the force by the gear, of the state
  const XmlElement* element = nullptr;
};

/// Acts on a sum of coordinates or strands: a spring that is slack in between, a damper, stops.
struct Tendon {
  std::string name;
  std::vector<Share> along;
  double stiffness = 0, damping = 0;  ///< [N/m], [N.s/m]
  std::array<double, 2> slack{0, 0};  ///< [m]  between these lengths the spring has no force
  std::optional<Stops> stops;         ///< at the ends of the range
  std::array<double, 2> range{0, 0};  ///< [m]
  const XmlElement* element = nullptr;

  bool acts() const { return stiffness > 0 || damping > 0 || stops; }
};

/// What bodies move in.
struct Fluid {
  double density = 0, viscosity = 0;  ///< [kg/m3], [Pa.s]
  Vector3d wind{0, 0, 0};             ///< [m/s]

  bool isThere() const { return density > 0 || viscosity > 0; }
};

/// A joint, by its body and its place among the body's joints.
struct JointPlace {
  int body = 0;
  int place = 0;
};

struct Robot {
  std::string name;
  Vector3d gravity{0, 0, -9.81};  ///< [m/s2]
  Fluid fluid;
  std::optional<double> nominalLength;  ///< [m]
  std::vector<Body> bodies;             ///< parents before children
  std::vector<Visual> visuals;          ///< of the world
  std::vector<JointPlace> joints;       ///< in the order of the file
  std::vector<Equality> equalities;
  std::vector<Actuator> actuators;
  std::vector<Tendon> tendons;
  std::vector<Strand> strands;  ///< of tendons
  std::vector<Collider> colliders;
  ContactRules contacts;
  ComponentNames names;  ///< those that components have

  // What a model file shows of the file that it comes from.
  bool isComputed = false;  ///< its numbers are not those of the file: 15 of their digits count
  bool drivesComeFirst = false;  ///< what drives a joint stands before the body
  bool numbersShapes = false;    ///< the second shape of a body is shape2, otherwise shape_2
  bool sharesStops = false;      ///< all joints have the same
  const XmlElement* element = nullptr;

  const Joint& joint(int index) const {
    const JointPlace& p = joints[index];
    return bodies[p.body].joints[p.place];
  }
};

/// Of the bodies in the world, as the file shows them, or where the springs of joints are at rest.
std::vector<Pose> posesOf(const Robot& robot, bool atRest = false);
/// Of a body: it has a mass or an inertia, or what it carries.
std::vector<bool> carriesMass(const Robot& robot);

}  // namespace cardan::robots
