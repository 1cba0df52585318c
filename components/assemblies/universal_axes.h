/// UniversalAxes: a universal joint whose second axis is perpendicular to the first one and to a
/// line that leaves its centre.
#pragma once

#include <string>

#include "components/joints/revolute.h"
#include "components/start_proposal.h"

namespace cardan {

/// Parts   revolute_1 (axis n1_a): frame_a to the intermediate frame; revolute_2 (axis e2_ia): to
///         frame_ia, which is fixed to the line
/// Source  MSL 4.0 Joints.UniversalSpherical, Joints.Assemblies.JointUPS
struct UniversalAxes {
  Vector3d n1_a{0, 0, 1};      ///< [1]  axis 1, any length but zero, resolved in frame_a
  Vector3d eLine_ia{1, 0, 0};  ///< [1]  unit vectors, resolved in frame_ia: along the line,
  Vector3d e2_ia{0, 1, 0};     ///< [1]  along axis 2,
  Vector3d e3_ia{0, 0, 1};     ///< [1]  perpendicular to both

  /// False, with an error, where axis 1 and the line do not span a plane; `axis` and `line` name
  /// their parameters.
  static bool require(ParameterReader& r, const char* axis, const Vector3d& n1_a, const char* line,
                      const Vector3d& line_ia) {
    const bool hasAxis = r.require(n1_a.norm() > 0, axis, "must not be the zero vector");
    const bool hasLine = r.require(line_ia.norm() > 0, line, "must not be the zero vector");
    return hasAxis && hasLine &&
           r.require(cross(n1_a.normalized(), line_ia.normalized()).norm() > 1e-10, axis,
                     std::string("must not be parallel to ") + line);
  }
  void set(const Vector3d& n1_a_, const Vector3d& line_ia) {
    n1_a = n1_a_;
    eLine_ia = line_ia.normalized();
    e2_ia = cross(n1_a, eLine_ia).normalized();
    e3_ia = cross(eLine_ia, e2_ia);
  }

  /// Adds the parts between the frames "frame_a" and "frame_ia" of the component.
  void declare(Structure& s) {
    Revolute::Parameters axis1, axis2;
    axis1.n = n1_a;
    axis2.n = e2_ia;
    revolute_1_ = s.part<Revolute>("revolute_1", axis1).joint();
    revolute_2_ = s.part<Revolute>("revolute_2", axis2).joint();
    s.connect("frame_a", "revolute_1.frame_a");
    s.connect("revolute_1.frame_b", "revolute_2.frame_a");
    s.connect("revolute_2.frame_b", "frame_ia");
  }

  /// Angles with which the line has the direction of `line_a` and axis 2 that of n1_a x line_a.
  void propose(Proposal& p, const Vector3d& line_a) const {
    const Vector3d e1 = n1_a.normalized(), n2_a = cross(e1, line_a);
    if (!(n2_a.norm() > kSingular * line_a.norm())) return;
    const double phi1 = frames::planarRotationAngle(e1, n2_a.normalized(), e2_ia);
    const auto R_1 = frames::planarRotation(e1, phi1, 0.0);
    const double phi2 =
        frames::planarRotationAngle(e2_ia, frames::resolve2(R_1, line_a).normalized(), eLine_ia);
    p.position(revolute_1_, 0, phi1);
    p.position(revolute_2_, 0, phi2);
  }

 private:
  static constexpr double kSingular = 1e-5;  // sine of the angle between axis 1 and the line

  JointId revolute_1_, revolute_2_;
};

}  // namespace cardan
