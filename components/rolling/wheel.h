/// Wheel: mass and looks of one wheel, as RollingWheel and RollingWheelSet have them.
#pragma once

#include "components/animation.h"
#include "components/interfaces/picture.h"
#include "components/parts/body.h"
#include "components/shapes.h"

namespace cardan {

struct Wheel {
  explicit Wheel(const char* name) : widthName(name) {}

  const char* widthName;          ///< of the parameter
  double m = 0;                   ///< [kg]     >= 0
  double I_axis = 0, I_long = 0;  ///< [kg.m2]  >= 0, along the axis (y of its frame) and across it
  Animation animation;

  void readLooks(ParameterReader& r, double width, const char* aboutWidth, const char* aboutColor) {
    animation.length(r, widthName, width, aboutWidth);
    animation.real(r, "hollowFraction", 0.8,
                   "radius of the hole by radius of the wheel, 1 for a ring without thickness");
    animation.color(r, "color", {30, 30, 30}, aboutColor);
  }
  Body::Parameters body() const {
    Body::Parameters body;
    body.m = m;
    body.r_CM = Vector3d::Zero();
    body.setI(Vector3d(I_long, I_axis, I_long).asDiagonal());
    return body;
  }
  Shape shape(const char* name, FrameId place, double radius) const {
    const double halfWidth = animation.realValue(widthName);
    Shape wheel{.name = name,
                .type = "pipe",
                .place = place,
                .r_shape = Vector3d(0, -halfWidth, 0),
                .lengthDirection = Vector3d(0, 1, 0),
                .widthDirection = Vector3d(1, 0, 0),
                .length = 2 * halfWidth,
                .extra = animation.realValue("hollowFraction"),
                .color = picture::rgb(animation.colorValue("color"))};
    picture::setDiameter(wheel, 2 * radius);
    return wheel;
  }
};

}  // namespace cardan
