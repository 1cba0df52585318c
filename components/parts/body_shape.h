/// BodyShape: a rigid body with two parallel frames and a shape for animation.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/contact/outside.h"
#include "components/interfaces/picture.h"
#include "components/parts/body_composite.h"

namespace cardan {

/// Parts      body (at frame_a), frameTranslation (frame_a to frame_b)
/// Source     MSL 4.0 Parts.BodyShape
class BodyShape final : public ComponentOf<BodyShape> {
 public:
  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    animation_.boolean(r, "animateSphere", true, "the sphere at the centre of mass is shown");
    r.vector("r", parts_.r, "m", "from frame_a to frame_b, resolved in frame_a");
    parts_.body.readMass(r);
    parts_.body.readStart(r);
    animation_.shape(r, parts_.r, kBodyColor);
    animation_.sphere(r, 2 * animation_.realValue("width"), "2 width",
                      animation_.colorValue("color"), "color");
    animation_.specular(r);
    parts_.body.readStates(r);
    outside_.read(r);
    if (!outside_.collides()) return;
    const std::string& type = animation_.stringValue("shapeType");
    r.require(type == "box" || type == "cylinder" || type == "sphere", "collide",
              "needs the shapeType box, cylinder or sphere");
    r.require(animation_.realValue("length") > 0 && animation_.realValue("width") > 0 &&
                  animation_.realValue("height") > 0,
              "collide", "needs a body of a length and a width");
  }
  void declare(Structure& s) override {
    parts_.declare(s);
    outside_.declare(s);
  }
  void describe(Variables& v) const override { parts_.describe(v); }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    s.add(picture::shape(animation_, parts_.frame_a(), "shape1"));
    if (animation_.shown("animateSphere"))
      picture::sphere(s, animation_, parts_.frame_a(), "shape2", parts_.body.r_CM);
  }
  void parametersChanged() override {
    parts_.update();
    if (!outside_.collides()) return;
    outside_.set(animation_.stringValue("shapeType"),
                 {.r = animation_.vectorValue("r_shape"),
                  .lengthDirection = animation_.vectorValue("lengthDirection"),
                  .widthDirection = animation_.vectorValue("widthDirection"),
                  .length = animation_.realValue("length"),
                  .width = animation_.realValue("width"),
                  .height = animation_.realValue("height")});
  }

 private:
  BodyComposite parts_;
  contact::Outside outside_;
  Animation animation_;
};

}  // namespace cardan
