/// RevoluteWithLengthConstraint: the revolute joint of a joint assembly, whose angle follows from
/// the length of a rod.
#pragma once

#include "components/component.h"
#include "components/interfaces/two_tree_frames.h"

namespace cardan {

/// Unknowns   phi [rad], w [rad/s]
/// Equations  frame_b turns about n by phi + phi_offset;  0 = tau + e.t_b
///            A cos(angle) + B sin(angle) + C = 0 at the start, of whose two solutions the one
///            nearest to phi_offset + phi_guess
/// Source     MSL 4.0 Joints.Internal.RevoluteWithLengthConstraint
///
/// The constraint itself is stated by the rod. MSL keeps the branch of the start for ever and stops
/// where the two meet; here the angle goes on continuously.
class RevoluteWithLengthConstraint final : public ComponentOf<RevoluteWithLengthConstraint>,
                                           public JointLawOf<RevoluteWithLengthConstraint> {
 public:
  static constexpr int nq = 1, nv = 1;
  static constexpr const char* kName = "revolute";  ///< MSL's inner name in the assemblies
  static constexpr Domain kDomain = Domain::Rotational;

  struct Parameters {
    Vector3d n{0, 0, 1};          ///< [1]    axis, any length but zero, resolved in frame_a
    double lengthConstraint = 1;  ///< [m]    length of the rod
    double phi_offset = 0;        ///< [rad]  angle between the frames where phi = 0
    double phi_guess = 0;         ///< [rad]  chooses the branch
    StartValue phi;               ///< [rad]

    /// phi_offset and phi_guess, which the file states in degrees.
    void readBranch(ParameterReader& r);
    /// The start value, under the inner name.
    void readStart(ParameterReader& r);
  };

  explicit RevoluteWithLengthConstraint(const Parameters& p) : p_(p) { setAxis(p.n); }

  void read(ParameterReader&) override {}
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  /// Axis n, any length but zero.
  void setAxis(const Vector3d& n);
  /// phi at which the ends of the rod, at r_a from frame_a and at r_b from frame_b, each resolved
  /// there, have the distance lengthConstraint; the nearest possible one, where there is none [m].
  double solve(const Vector3d& r_a, const Vector3d& r_b);

  JointId joint() const { return frames_.joint; }
  /// Effect on the coordinate of a force at r_b, resolved in frame_b: e x r_b.
  Vector3d lever(const Vector3d& r_b) const { return cross(e_, r_b); }
  static constexpr const char* kLeverUnit = "m";

  template <class S>
  Turn<S> motionAt(const JointState<S>& x) const {
    return {frames::planarRotation(e_, S(x.q[0] + p_.phi_offset), x.v[0]), e_ * x.vd[0]};
  }
  template <class S>
  void projectLoad(const Vector3<S>& /*f_a*/, const Vector3<S>& t_b, const JointState<S>&,
                   S* tau) const {
    tau[0] = dot(e_, t_b);
  }
  template <class S>
  void closureAt(const RelativeMotion<S>& m, ClosureRows<S>& rows) const;
  template <class S>
  void measureAt(const RelativeMotion<S>& m, S* q, S* v, S* vd) const;

 private:
  Parameters p_;
  bool positiveBranch_ = true;

  // Derived
  Vector3d e_{0, 0, 1};                           ///< unit axis, the same in frame_a and frame_b
  Vector3d across1_{1, 0, 0}, across2_{0, 1, 0};  ///< unit vectors across it

  TwoTreeFrames frames_;
  FlangeId axis_, bearing_;
};

}  // namespace cardan
