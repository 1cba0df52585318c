/// RodAssembly: what JointUSR, JointUSP, JointSSR and JointSSP share.
#pragma once

#include <string>
#include <type_traits>

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/total_power.h"
#include "components/joints/prismatic_with_length_constraint.h"
#include "components/joints/revolute_with_length_constraint.h"
#include "components/joints/spherical_spherical.h"
#include "components/joints/universal_spherical.h"
#include "components/parts/fixed_translation.h"
#include "components/sensors/relative_position.h"

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
/// here
///            the mass counts as in JointSSR.
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

  RodAssembly() = default;
  explicit RodAssembly(const Parameters& p) : p_(p) {}

  void declare(Structure& s) override {
    frame_a_ = s.frame("frame_a");
    frame_b_ = s.frame("frame_b");
    if constexpr (hasUniversal) frame_ia_ = s.frame("frame_ia");
    frame_ib_ = s.frame("frame_ib");
    frame_im_ = s.frame("frame_im");
    axis_ = s.flange("axis", kDomain);
    bearing_ = s.flange("bearing", kDomain);

    const std::string last = LastJoint::kName;
    last_ = &s.part<LastJoint>(last, p_.last);
    rod1_ = &s.part<Rod1>("rod1", p_.rod1);
    s.part<FixedTranslation>("rod2", FixedTranslation::Parameters{p_.rRod2_ib});
    s.part<RelativePosition>("relativePosition");

    s.connect("frame_a", "rod1.frame_a");
    if constexpr (hasUniversal) s.connect("rod1.frame_ia", "frame_ia");
    s.connect("rod1.frame_b", "rod2.frame_b");
    s.connect("rod2.frame_b", "frame_im");
    s.connect("rod2.frame_a", "frame_ib");
    s.connect("rod2.frame_a", last + ".frame_b");
    s.connect(last + ".frame_a", "frame_b");
    s.connect("relativePosition.frame_a", "frame_b");
    s.connect("relativePosition.frame_b", "frame_a");
    s.connect("axis", last + ".axis");
    s.connect("bearing", last + ".bearing");
  }

  void describe(Variables& v) const override {
    const std::string last = LastJoint::kName;
    v.alias("f_rod", "rod1.f_rod");
    v.alias(last + ".position_a", "relativePosition.r_rel");
    describe::vector(v, last + ".position_b", "m", "from frame_b to the rod, resolved in frame_b",
                     [this] { return p_.rRod2_ib; });
    for (int i = 0; i < 3; ++i) {
      describe::scalar(v, "position_b[" + std::to_string(i + 1) + "].y", "m", "rRod2_ib",
                       [this, i] { return p_.rRod2_ib[i]; });
    }
    if constexpr (hasUniversal) {
      v.alias("eRod1_ia", "rod1.eRod_ia");
      v.alias("e2_ia", "rod1.e2_ia");
      v.alias("rod1Length", "rod1.rodLength");
    }
    v.scalar(
        {"aux", LastJoint::kLeverUnit,
         "effect of a unit force along rod 1 on the coordinate of the last joint", Level::Position},
        [this](const auto& x) {
          const auto& b = x.frame(frame_im_);
          const auto r_0 = (b.r_0 - x.frame(frame_a_).r_0).eval();
          return dot(last_->lever(p_.rRod2_ib),
                     (frames::resolve2(b.R, r_0) / frames::length(r_0)).eval());
        });
    describeTotalPower(v, p_.checkTotalPower, [this](const auto& x) {
      auto power = framePower(x, {frame_a_, frame_b_, frame_ib_, frame_im_});
      if constexpr (hasUniversal) {
        power += framePower(x, {frame_ia_});
      } else {
        power += rod1_->massPower(x);
      }
      return power + flangePower(x, axis_) + flangePower(x, bearing_);
    });
  }

  void propose(const View<double>& x, Proposal& p) override {
    const FrameState<double>& b = x.frame(frame_b_);
    const Vector3d r_a = frames::resolve2(b.R, (x.frame(frame_a_).r_0 - b.r_0).eval());
    p.position(last_->joint(), 0, last_->solve(r_a, p_.rRod2_ib));
  }

 protected:
  Parameters p_;
  Animation animation_;

  Rod1* rod1_ = nullptr;
  LastJoint* last_ = nullptr;
  FrameId frame_a_, frame_b_, frame_ia_, frame_ib_, frame_im_;
  FlangeId axis_, bearing_;
};

}  // namespace cardan
