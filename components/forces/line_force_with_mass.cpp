#include "components/forces/line_force_with_mass.h"

#include "components/forces/line_animation.h"
#include "components/interfaces/picture.h"

namespace cardan {

void LineForceWithMass::read(ParameterReader& r) {
  animation_.boolean(r, "animateLine", true, "the line is shown");
  animation_.boolean(r, "animateMass", true, "the point mass is shown");
  mass_.read(r);
  animation_.specular(r);
  animation_.string(r, "lineShapeType", "cylinder", kShapeTypeText);
  animation_.length(r, "lineShapeWidth", r.world().defaultArrowDiameter,
                    "width of the line; default: world.defaultArrowDiameter");
  animation_.length(r, "lineShapeHeight", animation_.realValue("lineShapeWidth"),
                    "height of the line; default: lineShapeWidth");
  animation_.real(r, "lineShapeExtra", 0, kExtraText);
  animation_.color(r, "lineShapeColor", kSensorColor, "line");
  animation_.length(r, "massDiameter", r.world().defaultBodyDiameter,
                    "diameter of the point mass; default: world.defaultBodyDiameter");
  animation_.color(r, "massColor", kBodyColor, "point mass");
  line_.read(r);
  line_.readStart(r);
}

void LineForceWithMass::declare(Structure& s) {
  line_.declare(s, mass_.at_a(), mass_.at_b());
  flanges_.declare(s, line_);
}

void LineForceWithMass::describe(Variables& v) const {
  line_.describe(v);
  flanges_.describe(v);
  describeLinePoint(v, "", "", [this](const auto& x) { return mass_.point(x, line_.frames); });
  v.mechanics([this](const auto& x) {
    MechanicalSums<std::decay_t<decltype(x.time())>> sum;
    mass_.addSums(sum, x, line_.frames);
    return sum;
  });
}

void LineForceWithMass::picture(Shapes& s) const {
  if (animation_.shown("animateLine")) {
    Shape line = picture::onWholeLine("lineShape", animation_.stringValue("lineShapeType"),
                                      line_.frames.frame_a, line_.frames.frame_b);
    line.width = animation_.realValue("lineShapeWidth");
    line.height = animation_.realValue("lineShapeHeight");
    line.extra = animation_.realValue("lineShapeExtra");
    line.color = picture::rgb(animation_.colorValue("lineShapeColor"));
    line.specular = animation_.specularValue();
    s.add(std::move(line));
  }
  if (animation_.shown("animateMass") && mass_.m > 0) {
    picture::massOnLine(
        s, animation_, line_.frames, "massShape", animation_.realValue("massDiameter"),
        [h = mass_.lengthFraction](const View<double>&, double length) { return h * length; });
  }
}

}  // namespace cardan
