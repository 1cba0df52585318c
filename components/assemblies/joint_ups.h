/// JointUPS: universal joint at frame_a, spherical joint at frame_b, and a prismatic joint along
/// the line between them.
#pragma once

#include "components/animation.h"
#include "components/assemblies/prismatic_with_length_constraint.h"
#include "components/assemblies/universal_axes.h"
#include "components/component.h"
#include "components/constraints/spherical.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/total_power.h"

namespace cardan {

/// Parts      revolute_1, revolute_2 (see UniversalAxes): frame_a to frame_ia; prismatic (along
///            nAxis_ia, driven by axis): frame_ia to frame_ib; spherical: frame_ib to frame_b
/// Equations  |r_b - r_a| = s + s_offset;  f = axis.f;  t_b = 0
/// Source     MSL 4.0 Joints.Assemblies.JointUPS
///
/// Of the two ways to turn the line into its direction, axis 2 starts along n1_a x line.
class JointUPS final : public ComponentOf<JointUPS>, public StartProposal {
 public:
  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    animation_.boolean(r, "showUniversalAxes", true, "the axes of the universal joint are shown");
    r.vector("n1_a", n1_a_, "1", "axis 1 of the universal joint, resolved in frame_a");
    r.vector("nAxis_ia", nAxis_ia_, "1", "along the line from frame_a to frame_b, in frame_ia");
    r.real("s_offset", prismatic_.offset, "m", "distance between frame_a and frame_b where s = 0");
    r.start("s", prismatic_.q, "m", "distance between frame_a and frame_b, without s_offset");
    animation_.sphere(r, r.world().defaultJointLength, "world.defaultJointLength", kJointColor);
    animation_.length(r, "axisDiameter", animation_.realValue("sphereDiameter") / 2,
                      "diameter of the line from frame_a to frame_b; default: sphereDiameter/2");
    animation_.color(r, "axisColor", kSensorColor, "line from frame_a to frame_b");
    animation_.specular(r);
    animation_.cylinder(r);
    readCheckTotalPower(r, checkTotalPower_);
    if (UniversalAxes::require(r, "n1_a", n1_a_, "nAxis_ia", nAxis_ia_))
      axes_.set(n1_a_, nAxis_ia_);
    prismatic_.n = axes_.eLine_ia;
  }
  void declare(Structure& s) override {
    frame_a_ = s.frame("frame_a");
    frame_b_ = s.frame("frame_b");
    frame_ia_ = s.frame("frame_ia");
    frame_ib_ = s.frame("frame_ib");
    axis_ = s.flange("axis", Domain::Translational);
    bearing_ = s.flange("bearing", Domain::Translational);
    axes_.declare(s);
    slide_ = s.part<PrismaticWithLengthConstraint>("prismatic", prismatic_).joint();
    s.part<constraints::Spherical>("spherical");
    s.connect("frame_ia", "prismatic.frame_a");
    s.connect("prismatic.frame_b", "frame_ib");
    s.connect("frame_ib", "spherical.frame_a");
    s.connect("spherical.frame_b", "frame_b");
    s.connect("axis", "prismatic.axis");
    s.connect("bearing", "prismatic.bearing");
  }
  void describe(Variables& v) const override {
    v.alias("s", "prismatic.s");
    v.alias("f", "prismatic.f");
    v.scalar({"axisLength", "m", "distance between frame_a and frame_b", Level::Position},
             [this](const auto& x) {
               return frames::length((x.frame(frame_b_).r_0 - x.frame(frame_a_).r_0).eval());
             });
    describe::vector(v, "eAxis_ia", "1", "direction of the line, resolved in frame_ia",
                     [this] { return axes_.eLine_ia; });
    describe::vector(v, "e2_ia", "1", "axis 2 of the universal joint, resolved in frame_ia",
                     [this] { return axes_.e2_ia; });
    describe::vector(v, "e3_ia", "1", "perpendicular to eAxis_ia and e2_ia, resolved in frame_ia",
                     [this] { return axes_.e3_ia; });
    describeTotalPower(v, checkTotalPower_, [this](const auto& x) {
      return framePower(x, {frame_a_, frame_b_, frame_ia_, frame_ib_}) + flangePower(x, axis_) +
             flangePower(x, bearing_);
    });
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    picture::rod(s, animation_, "axisCylinder", frame_a_, frame_b_, "axisDiameter", "axisColor");
    picture::sphere(s, animation_, frame_a_, "sphericalShape_a");
    picture::sphere(s, animation_, frame_b_, "sphericalShape_b");
    if (animation_.shown("showUniversalAxes")) {
      picture::pin(s, animation_, frame_a_, axes_.n1_a, "universalShape1");
      picture::pin(s, animation_, frame_ia_, axes_.e2_ia, "universalShape2");
    }
  }
  StartProposal* startProposal() override { return this; }
  void propose(const View<double>& x, Proposal& p) override {
    const FrameState<double>& a = x.frame(frame_a_);
    const Vector3d line_0 = x.frame(frame_b_).r_0 - a.r_0;
    axes_.propose(p, frames::resolve2(a.R, line_0));
    p.position(slide_, 0, line_0.norm() - prismatic_.offset);
  }

 private:
  Vector3d n1_a_{0, 0, 1};      ///< [1]  axis 1, any length but zero, resolved in frame_a
  Vector3d nAxis_ia_{1, 0, 0};  ///< [1]  the line, any length but zero, resolved in frame_ia
  PrismaticWithLengthConstraint::Parameters prismatic_;
  bool checkTotalPower_ = false;
  Animation animation_;

  UniversalAxes axes_;
  FrameId frame_a_, frame_b_, frame_ia_, frame_ib_;
  FlangeId axis_, bearing_;
  JointId slide_;
};

}  // namespace cardan
