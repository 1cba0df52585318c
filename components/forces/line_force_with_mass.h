/// LineForceWithMass: the line between two frames as a place for translational parts, with or
/// without a mass on it.
#pragma once

#include "components/animation.h"
#include "components/forces/line_animation.h"
#include "components/forces/line_flanges.h"
#include "components/interfaces/picture.h"

namespace cardan {

/// Equations  flange_a.s = 0;  flange_b.s = length
///            frame_b.f = -e_rel_0 flange_b.f + (inertia of the mass)
///            frame_a.f = e_rel_0 flange_b.f + (the rest of it)
/// Source     MSL 4.0 Forces.LineForceWithMass
///
/// What pulls at one flange pulls with the opposite sign at the other, as in MSL where one of them
/// is open or where massless parts join them. (With both connected to parts that do not balance,
/// MSL takes flange_a.f at frame_a: a force from nowhere, which is not followed here.)
class LineForceWithMass final : public ComponentOf<LineForceWithMass> {
 public:
  void read(ParameterReader& r) override {
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
  void declare(Structure& s) override {
    line_.declare(s, mass_.at_a(), mass_.at_b());
    flanges_.declare(s, line_);
  }
  void describe(Variables& v) const override {
    line_.describe(v);
    flanges_.describe(v);
    describeLinePoint(v, "", "", [this](const auto& x) { return mass_.point(x, line_.frames); });
    v.mechanics([this](const auto& x) {
      MechanicalSums<std::decay_t<decltype(x.time())>> sum;
      mass_.addSums(sum, x, line_.frames);
      return sum;
    });
  }
  void picture(Shapes& s) const override {
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

  template <class S>
  void physics(View<S>& x) const {
    mass_.addInertia(x, line_.frames);
    flanges_.transmit(x, line_);
  }

 private:
  MassOnLine mass_;
  Animation animation_;
  LineForceBase line_;
  LineFlanges flanges_;
};

}  // namespace cardan
