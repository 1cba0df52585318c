/// UniversalSpherical: a rigid rod from a universal joint at frame_a to a spherical joint at
/// frame_b.
#pragma once

#include "components/animation.h"
#include "components/assemblies/rod.h"
#include "components/assemblies/universal_axes.h"
#include "components/component.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/total_power.h"

namespace cardan {

/// Parts      revolute_1 (axis n1_a), revolute_2 (axis e2_ia): frame_a to frame_ia on the rod
/// Equations  r_b - r_a = rRod_ia in frame_ia;  t_b = 0;  0 = n1_a.t_a = e2.t_a   (the universal)
/// Source     MSL 4.0 Joints.UniversalSpherical
///
/// Axis 2 is perpendicular to axis 1 and to the rod; frame_ia is parallel to frame_a where both
/// angles are zero. Of the two ways to turn the rod into its direction, axis 2 starts along n1_a x
/// rod. computeRodLength: rRod_ia gives the direction only.
class UniversalSpherical final : public ComponentOf<UniversalSpherical>, public StartProposal {
 public:
  struct Parameters {
    Vector3d n1_a{0, 0, 1};     ///< [1]  axis 1, any length but zero, resolved in frame_a
    Vector3d rRod_ia{1, 0, 0};  ///< [m]  from frame_a to frame_b, resolved in frame_ia
  };

  UniversalSpherical() = default;
  explicit UniversalSpherical(const Parameters& p) : p_(p) { parametersChanged(); }

  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    animation_.boolean(r, "showUniversalAxes", true, "the axes of the universal joint are shown");
    r.boolean("computeRodLength", rod_.computeRodLength,
              "rRod_ia is a direction, and the start values determine the rod's length");
    r.vector("n1_a", p_.n1_a, "1", "axis 1 of the universal joint, resolved in frame_a");
    r.vector("rRod_ia", p_.rRod_ia, "m", "from frame_a to frame_b, resolved in frame_ia");
    animation_.sphere(r, r.world().defaultJointLength, "world.defaultJointLength", kJointColor);
    animation_.string(r, "rodShapeType", "cylinder", kShapeTypeText);
    animation_.length(r, "rodWidth", animation_.realValue("sphereDiameter") / 2,
                      "width of the rod; default: sphereDiameter/2");
    animation_.length(r, "rodHeight", animation_.realValue("rodWidth"),
                      "height of the rod; default: rodWidth");
    animation_.real(r, "rodExtra", 0, kExtraText);
    animation_.color(r, "rodColor", kRodColor, "rod");
    animation_.cylinder(r);
    animation_.specular(r);
    rod_.readLast(r);
    UniversalAxes::require(r, "n1_a", p_.n1_a, "rRod_ia", p_.rRod_ia);
  }
  void declare(Structure& s) override {
    rod_.declare(s);
    frame_ia_ = s.frame("frame_ia");
    axes_.declare(s);
    tip_ = s.constraint("rod", "m", 3, 0);
  }
  void describe(Variables& v) const override {
    rod_.describe(v);
    describe::vector(v, "eRod_ia", "1", "direction of the rod, resolved in frame_ia",
                     [this] { return axes_.eLine_ia; });
    describe::vector(v, "e2_ia", "1", "axis 2 of the universal joint, resolved in frame_ia",
                     [this] { return axes_.e2_ia; });
    describe::vector(v, "e3_ia", "1", "perpendicular to eRod_ia and e2_ia, resolved in frame_ia",
                     [this] { return axes_.e3_ia; });
    v.scalar({"f_rod", "N", "force in the rod, positive where it is pressed", Level::Force},
             [this](const auto& x) { return -dot(axes_.eLine_ia, f_b_ia(x)); });
    v.vector({"f_b_a1", "N", "force at frame_b without that along the rod, resolved in frame_a",
              Level::Force},
             [this](const auto& x) {
               const auto f_ia = f_b_ia(x);
               const auto R =
                   frames::relativeRotation(x.frame(rod_.frames.frame_a).R, x.frame(frame_ia_).R);
               return frames::resolve1(R,
                                       (f_ia - axes_.eLine_ia * dot(axes_.eLine_ia, f_ia)).eval());
             });
    describeTotalPower(v, rod_.checkTotalPower, [this](const auto& x) {
      return framePower(x, {rod_.frames.frame_a, rod_.frames.frame_b, frame_ia_});
    });
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    const FrameId a = rod_.frames.frame_a, b = rod_.frames.frame_b;
    const auto length = [a, b](const View<double>& x) {
      return (x.frame(b).r_0 - x.frame(a).r_0).norm();
    };
    s.add(Shape{.name = "rodShape",
                .type = animation_.stringValue("rodShapeType"),
                .place = frame_ia_,
                .lengthDirection = axes_.eLine_ia,
                .widthDirection = axes_.e2_ia,
                .length = PictureValue::scalar(Level::Position, length),
                .width = animation_.realValue("rodWidth"),
                .height = animation_.realValue("rodHeight"),
                .extra = animation_.realValue("rodExtra"),
                .color = picture::rgb(animation_.colorValue("rodColor")),
                .specular = animation_.specularValue()});
    picture::sphere(s, animation_, b, "sphericalShape_b");
    if (animation_.shown("showUniversalAxes")) {
      picture::pin(s, animation_, a, axes_.n1_a, "universalShape1");
      picture::pin(s, animation_, frame_ia_, axes_.e2_ia, "universalShape2");
    } else {
      picture::sphere(s, animation_, a, "sphericalShape_a");
    }
  }
  void parametersChanged() override {
    rod_.rodLength = p_.rRod_ia.norm();
    axes_.set(p_.n1_a, p_.rRod_ia);
  }
  StartProposal* startProposal() override { return this; }
  void propose(const View<double>& x, Proposal& p) override { axes_.propose(p, rod_.line_a(x)); }

  template <class S>
  void physics(View<S>& x) const {
    const FrameState<S>& ia = x.frame(frame_ia_);
    const FrameState<S>& b = x.frame(rod_.frames.frame_b);
    const Vector3<S> r_0 = b.r_0 - ia.r_0;
    const Vector3<S> r_ia = frames::resolve2(ia.R, r_0);
    const Vector3<S> g = r_ia - axes_.eLine_ia * rod_.length(x);
    const Vector3<S> gv = frames::resolve2(ia.R, (b.v_0 - ia.v_0).eval()) -
                          cross(frames::angularVelocity2(ia.R), r_ia) -
                          axes_.eLine_ia * rod_.lengthRate(x);
    for (int i = 0; i < 3; ++i) {
      const Vector3<S> u_0 = frames::resolve1(ia.R, Vector3<S>::Unit(i).eval());
      x.constrain(tip_, i, g[i], gv[i]);
      x.react(tip_, i, rod_.frames.frame_b, {u_0, Vector3<S>::Zero()});
      x.react(tip_, i, frame_ia_, {-u_0, -cross(r_0, u_0)});
    }
  }

 private:
  /// Force on the rod at frame_b, resolved in frame_ia.
  template <class S>
  Vector3<S> f_b_ia(const View<S>& x) const {
    return {x.multiplier(tip_, 0), x.multiplier(tip_, 1), x.multiplier(tip_, 2)};
  }
  Parameters p_;
  Rod rod_;
  Animation animation_;

  UniversalAxes axes_;
  FrameId frame_ia_;
  ConstraintId tip_;
};

}  // namespace cardan
