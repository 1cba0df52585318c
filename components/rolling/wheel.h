/// Wheel: mass and looks of one wheel, as RollingWheel and RollingWheelSet have them.
#pragma once

#include "components/animation.h"
#include "components/parts/body.h"
#include "components/shapes.h"

namespace cardan {

struct Wheel {
  explicit Wheel(const char* name) : widthName(name) {}

  const char* widthName;          ///< of the parameter
  double m = 0;                   ///< [kg]     >= 0
  double I_axis = 0, I_long = 0;  ///< [kg.m2]  >= 0, along the axis (y of its frame) and across it
  Animation animation;

  void readLooks(ParameterReader& r, double width, const char* aboutWidth, const char* aboutColor);
  Body::Parameters body() const;
  Shape shape(const char* name, FrameId place, double radius) const;
};

}  // namespace cardan
