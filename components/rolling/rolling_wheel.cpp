#include "components/rolling/rolling_wheel.h"

#include "components/interfaces/picture.h"
#include "components/interfaces/state_select.h"

namespace cardan {

RollingWheel::RollingWheel() {
  wheel_.x = wheel_.y = StartValue(true);
  wheel_.angles = wheel_.der_angles = StartVector<3>(true);
}

void RollingWheel::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  r.real("radius", wheel_.radius, "m", "radius of the wheel", kPositive);
  r.real("m", m_, "kg", "mass of the wheel", kNotNegative);
  r.real("I_axis", I_axis_, "kg.m2", "inertia along the wheel's axis", kNotNegative);
  r.real("I_long", I_long_, "kg.m2", "inertia across the wheel's axis", kNotNegative);
  for (const char* name : {"radius", "m", "I_axis", "I_long"}) {
    r.require(r.isGiven(name), name, "must be given");
  }
  StateSelect select = StateSelect::always;
  readStateSelect(r, "stateSelect", select);
  wheel_.readStart(r, select);
  animation_.length(r, "width", 0.035, "width of the wheel");
  animation_.real(r, "hollowFraction", 0.8,
                  "radius of the hole by radius of the wheel, 1 for a ring without thickness");
  animation_.color(r, "color", {30, 30, 30}, "wheel");
}

Body::Parameters RollingWheel::bodyParameters() const {
  Body::Parameters body;
  body.m = m_;
  body.r_CM = Vector3d::Zero();
  body.setI(Vector3d(I_long_, I_axis_, I_long_).asDiagonal());
  // A guess that agrees with the wheel's own start.
  body.orientation.sequence_start = joints::RollingWheel::kSequence;
  body.orientation.angles_start = wheel_.angles.start;
  return body;
}

void RollingWheel::declare(Structure& s) {
  frame_a_ = s.frame("frame_a");
  body_ = &s.part<Body>("body", bodyParameters());
  s.part<joints::RollingWheel>("rollingWheel", wheel_);
  s.connect("body.frame_a", "frame_a");
  s.connect("rollingWheel.frame_a", "frame_a");
}

void RollingWheel::parametersChanged() {
  if (body_) body_->setParameters(bodyParameters());
}

void RollingWheel::describe(Variables& v) const {
  for (const char* name : {"x", "y", "angles", "der_angles"}) {
    v.alias(name, std::string("rollingWheel.") + name);
  }
}

void RollingWheel::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  const double halfWidth = animation_.realValue("width");
  Shape wheel{.name = "fixedShape",
              .type = "pipe",
              .place = frame_a_,
              .r_shape = Vector3d(0, -halfWidth, 0),
              .lengthDirection = Vector3d(0, 1, 0),
              .widthDirection = Vector3d(1, 0, 0),
              .length = 2 * halfWidth,
              .extra = animation_.realValue("hollowFraction"),
              .color = picture::rgb(animation_.colorValue("color"))};
  picture::setDiameter(wheel, 2 * wheel_.radius);
  s.add(std::move(wheel));
}

}  // namespace cardan
