/// JointUSR, JointUSP, JointSSR, JointSSP: a universal or spherical joint, rod 1, which has a mass if wanted
/// between two spherical ones, a spherical joint, rod 2, and a revolute or prismatic joint.
#pragma once

#include <type_traits>

#include "components/animation.h"
#include "components/assemblies/prismatic_with_length_constraint.h"
#include "components/assemblies/revolute_with_length_constraint.h"
#include "components/assemblies/spherical_spherical.h"
#include "components/assemblies/universal_spherical.h"
#include "components/component.h"

namespace cardan {

/// A chain from frame_a to frame_b without freedoms of its own: rod 1 ends in a spherical joint on
/// rod 2, which is fixed to frame_ib, and a revolute or prismatic joint leads from frame_b to
/// frame_ib.
///
/// Parts      rod1 (Rod1: UniversalSpherical or SphericalSpherical), rod2 (frame_ib to frame_im,
///            in the spherical joint), revolute or prismatic (LastJoint, driven by axis),
///            relativePosition (frame_b to frame_a)
/// Equations  those of the parts; f_rod from the balance along the last joint's coordinate
/// Source     MSL 4.0 Joints.Assemblies. Its formula for f_rod of JointSSP leaves out rod1Mass;
///            here the mass counts as in JointSSR.
template <class Rod1, class LastJoint>
class RodAssembly : public ComponentOf<RodAssembly<Rod1, LastJoint>>, public StartProposal {
 public:
  static constexpr bool hasUniversal = std::is_same_v<Rod1, UniversalSpherical>;
  static constexpr Domain kDomain = LastJoint::kDomain;

  struct Parameters {
    typename Rod1::Parameters rod1;
    typename LastJoint::Parameters last;  ///< its axis is n_b, resolved in frame_b
    Vector3d rRod2_ib{-1, 0, 0};          ///< [m]  frame_ib to the spherical joint, in frame_ib
    bool checkTotalPower = false;
  };

  /// MSL's defaults, which differ among the four.
  RodAssembly(const Vector3d& n_b, const Vector3d& rRod2_ib) {
    p_.last.n = n_b;
    p_.rRod2_ib = rRod2_ib;
  }
  explicit RodAssembly(const Parameters& p) : p_(p) {}

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;
  StartProposal* startProposal() override { return this; }
  void propose(const View<double>& x, Proposal& p) override;

 protected:
  LastJoint* last_ = nullptr;

 private:
  Parameters p_;
  Animation animation_;

  Rod1* rod1_ = nullptr;
  FrameId frame_a_, frame_b_, frame_ia_, frame_ib_, frame_im_;
  FlangeId axis_, bearing_;
};

/// Parts      see RodAssembly; rod1 hangs in the universal joint at frame_a, revolute turns about
///            n_b
/// Source     MSL 4.0 Joints.Assemblies.JointUSR
class JointUSR final : public RodAssembly<UniversalSpherical, RevoluteWithLengthConstraint> {
 public:
  JointUSR() : RodAssembly({0, 0, 1}, {-1, 0, 0}) {}
  explicit JointUSR(const Parameters& p) : RodAssembly(p) {}

  /// The revolute joint's axis, any length but zero, resolved in frame_b.
  void setAxis(const Vector3d& n_b) { last_->setAxis(n_b); }
};

/// Parts      see RodAssembly; rod1 hangs in the universal joint at frame_a, prismatic slides along
///            n_b
/// Source     MSL 4.0 Joints.Assemblies.JointUSP
class JointUSP final : public RodAssembly<UniversalSpherical, PrismaticWithLengthConstraint> {
 public:
  JointUSP() : RodAssembly({-1, 0, 0}, {-1, 0, 0}) {}
  explicit JointUSP(const Parameters& p) : RodAssembly(p) {}
};

/// Parts      see RodAssembly; revolute turns about n_b
/// Source     MSL 4.0 Joints.Assemblies.JointSSR
class JointSSR final : public RodAssembly<SphericalSpherical, RevoluteWithLengthConstraint> {
 public:
  JointSSR() : RodAssembly({0, 0, 1}, {1, 0, 0}) {}
};

/// Parts      see RodAssembly; prismatic slides along n_b
/// Source     MSL 4.0 Joints.Assemblies.JointSSP
class JointSSP final : public RodAssembly<SphericalSpherical, PrismaticWithLengthConstraint> {
 public:
  JointSSP() : RodAssembly({0, 0, 1}, {1, 0, 0}) {}
};

}  // namespace cardan
