/// JointUSR, JointUSP, JointSSR, JointSSP: a universal or spherical joint, rod 1, which has a mass if wanted
/// between two spherical ones, a spherical joint, rod 2, and a revolute or prismatic joint.
#pragma once

#include <string>
#include <type_traits>

#include "components/animation.h"
#include "components/assemblies/prismatic_with_length_constraint.h"
#include "components/assemblies/revolute_with_length_constraint.h"
#include "components/assemblies/spherical_spherical.h"
#include "components/assemblies/universal_spherical.h"
#include "components/component.h"
#include "components/interfaces/describe.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/total_power.h"
#include "components/parts/fixed_translation.h"
#include "components/sensors/relative_sensor.h"

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

  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    if constexpr (hasUniversal) {
      animation_.boolean(r, "showUniversalAxes", true, "the axes of the universal joint are shown");
    } else {
      animation_.boolean(r, "showMass", true, "the point mass is shown");
    }
    if constexpr (hasUniversal) {
      r.vector("n1_a", p_.rod1.n1_a, "1", "axis 1 of the universal joint, resolved in frame_a");
    } else {
      r.real("rod1Length", p_.rod1.rodLength, "m", "distance between the two spherical joints",
             kPositive);
      r.real("rod1Mass", p_.rod1.m, "kg", "mass of a point in the middle of rod 1", kNotNegative);
    }
    r.vector("n_b", p_.last.n, "1",
             std::string("axis of the ") + LastJoint::kName + " joint, resolved in frame_b");
    if constexpr (hasUniversal) {
      r.vector("rRod1_ia", p_.rod1.rRod_ia, "m",
               "from frame_a to the spherical joint, resolved in frame_ia");
    }
    r.vector("rRod2_ib", p_.rRod2_ib, "m",
             hasUniversal
                 ? "from frame_ib to the spherical joint, resolved in frame_ib"
                 : "from frame_ib to the spherical joint in the middle, resolved in frame_ib");
    p_.last.readBranch(r);
    p_.last.readStart(r);

    animation_.sphere(r, r.world().defaultJointLength, "world.defaultJointLength", kJointColor);
    animation_.length(r, "rod1Diameter", animation_.realValue("sphereDiameter") / 2,
                      "diameter of rod 1; default: sphereDiameter/2");
    animation_.color(r, "rod1Color", kRodColor, "rod 1");
    animation_.length(r, "rod2Diameter", animation_.realValue("rod1Diameter"),
                      "diameter of rod 2; default: rod1Diameter");
    animation_.color(r, "rod2Color", animation_.colorValue("rod1Color"), "rod 2", "rod1Color");
    if (kDomain == Domain::Translational) {
      if constexpr (hasUniversal) {
        animation_.box(r, animation_.colorValue("sphereColor"), "sphereColor");
      } else {
        animation_.box(r);
      }
    } else {
      animation_.length(r, "revoluteDiameter", r.world().defaultJointWidth,
                        "diameter of the revolute joint; default: world.defaultJointWidth");
      animation_.length(r, "revoluteLength", r.world().defaultJointLength,
                        "length of the revolute joint; default: world.defaultJointLength");
      animation_.color(r, "revoluteColor", kJointColor, "revolute joint");
    }
    animation_.specular(r);
    if (hasUniversal) animation_.cylinder(r);
    readCheckTotalPower(r, p_.checkTotalPower);

    if (!r.require(p_.last.n.norm() > 0, "n_b", "must not be the zero vector"))
      p_.last.n = Vector3d::UnitZ();
    if constexpr (hasUniversal) {
      if (!UniversalAxes::require(r, "n1_a", p_.rod1.n1_a, "rRod1_ia", p_.rod1.rRod_ia))
        p_.rod1 = {};
      p_.last.lengthConstraint = p_.rod1.rRod_ia.norm();
    } else {
      p_.last.lengthConstraint = p_.rod1.rodLength;
    }
  }
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
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    const double specular = animation_.specularValue();
    picture::rod(s, animation_, "rod1", frame_a_, frame_im_, "rod1Diameter", "rod1Color");
    s.add(picture::rod("rod2", frame_ib_, p_.rRod2_ib, animation_.realValue("rod2Diameter"),
                       animation_.colorValue("rod2Color"), specular));
    picture::sphere(s, animation_, frame_im_, "sphere_im");
    bool axes = false;
    if constexpr (hasUniversal) {
      axes = animation_.shown("showUniversalAxes");
      if (axes) {
        const Vector3d e2_ia = cross(p_.rod1.n1_a, p_.rod1.rRod_ia);
        picture::pin(s, animation_, frame_a_, p_.rod1.n1_a, "universalShape1");
        picture::pin(s, animation_, frame_ia_, e2_ia, "universalShape2");
      }
    } else if (animation_.shown("showMass") && p_.rod1.m > 0) {
      Shape mass =
          picture::sphereOnLine("mass", frame_a_, frame_im_, animation_.realValue("sphereDiameter"),
                                [](const View<double>&, double length) { return length / 2; });
      mass.color = picture::rgb(kBodyColor);
      s.add(std::move(mass));
    }
    if (!axes) picture::sphere(s, animation_, frame_a_, "sphere_a");
    const Vector3d n_b = p_.last.n.normalized();
    if constexpr (kDomain == Domain::Translational) {
      picture::slider(s, animation_, "box", frame_b_, n_b, frame_ib_);
    } else {
      s.add(picture::pin("revolute", frame_b_, n_b, animation_.realValue("revoluteLength"),
                         animation_.realValue("revoluteDiameter"),
                         animation_.colorValue("revoluteColor"), specular));
    }
  }
  StartProposal* startProposal() override { return this; }
  void propose(const View<double>& x, Proposal& p) override {
    const FrameState<double>& b = x.frame(frame_b_);
    const Vector3d r_a = frames::resolve2(b.R, (x.frame(frame_a_).r_0 - b.r_0).eval());
    p.position(last_->joint(), 0, last_->solve(r_a, p_.rRod2_ib));
  }

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
