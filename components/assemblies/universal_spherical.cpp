#include "components/assemblies/universal_spherical.h"

#include "components/interfaces/picture.h"
#include "components/interfaces/total_power.h"

namespace cardan {

void UniversalSpherical::read(ParameterReader& r) {
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

void UniversalSpherical::parametersChanged() {
  rod_.rodLength = p_.rRod_ia.norm();
  axes_.set(p_.n1_a, p_.rRod_ia);
}

void UniversalSpherical::declare(Structure& s) {
  rod_.declare(s);
  frame_ia_ = s.frame("frame_ia");
  axes_.declare(s);
  tip_ = s.constraint("rod", "m", 3, 0);
}

void UniversalSpherical::propose(const View<double>& x, Proposal& p) {
  axes_.propose(p, rod_.line_a(x));
}

void UniversalSpherical::describe(Variables& v) const {
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
             return frames::resolve1(R, (f_ia - axes_.eLine_ia * dot(axes_.eLine_ia, f_ia)).eval());
           });
  describeTotalPower(v, rod_.checkTotalPower, [this](const auto& x) {
    return framePower(x, {rod_.frames.frame_a, rod_.frames.frame_b, frame_ia_});
  });
}

void UniversalSpherical::picture(Shapes& s) const {
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

}  // namespace cardan
