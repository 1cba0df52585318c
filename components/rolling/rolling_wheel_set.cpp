#include "components/rolling/rolling_wheel_set.h"

#include "components/interfaces/picture.h"
#include "components/interfaces/state_select.h"

namespace cardan {

RollingWheelSet::RollingWheelSet() {
  for (StartValue* s : {&joint_.x, &joint_.y, &joint_.phi, &joint_.theta1, &joint_.theta2,
                        &joint_.der_theta1, &joint_.der_theta2}) {
    *s = StartValue(true);
  }
}

void RollingWheelSet::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  r.real("R_wheel", joint_.radius, "m", "radius of one wheel", kPositive);
  r.real("m_wheel", m_wheel_, "kg", "mass of one wheel", kNotNegative);
  r.real("I_wheelAxis", I_wheelAxis_, "kg.m2", "inertia of one wheel along its axis", kNotNegative);
  r.real("I_wheelLong", I_wheelLong_, "kg.m2", "inertia of one wheel across its axis",
         kNotNegative);
  r.real("track", joint_.track, "m", "distance between the two wheels", kPositive);
  for (const char* name : {"R_wheel", "m_wheel", "I_wheelAxis", "I_wheelLong", "track"}) {
    r.require(r.isGiven(name), name, "must be given");
  }
  StateSelect select = StateSelect::always;
  readStateSelect(r, "stateSelect", select);
  joint_.readStart(r, select);
  animation_.length(r, "width_wheel", 0.01, "width of a wheel");
  animation_.real(r, "hollowFraction", 0.8,
                  "radius of the hole by radius of the wheel, 1 for a ring without thickness");
  animation_.color(r, "color", {30, 30, 30}, "wheels");
}

Body::Parameters RollingWheelSet::bodyParameters() const {
  Body::Parameters body;
  body.m = m_wheel_;
  body.r_CM = Vector3d::Zero();
  body.setI(Vector3d(I_wheelLong_, I_wheelAxis_, I_wheelLong_).asDiagonal());
  return body;
}

void RollingWheelSet::declare(Structure& s) {
  s.frame("frameMiddle");
  frame1_ = s.frame("frame1");
  frame2_ = s.frame("frame2");
  for (const char* name : {"axis1", "axis2", "support"}) s.flange(name, Domain::Rotational);
  s.part<joints::RollingWheelSet>("wheelSetJoint", joint_);
  body1_ = &s.part<Body>("body1", bodyParameters());
  body2_ = &s.part<Body>("body2", bodyParameters());
  s.connect("wheelSetJoint.frame1", "frame1");
  s.connect("wheelSetJoint.frame2", "frame2");
  s.connect("wheelSetJoint.frameMiddle", "frameMiddle");
  s.connect("body1.frame_a", "frame1");
  s.connect("body2.frame_a", "frame2");
  for (const char* name : {"axis1", "axis2", "support"}) {
    s.connect(std::string("wheelSetJoint.") + name, name);
  }
}

void RollingWheelSet::parametersChanged() {
  for (Body* body : {body1_, body2_}) {
    if (body) body->setParameters(bodyParameters());
  }
}

void RollingWheelSet::describe(Variables& v) const {
  for (const char* name : {"x", "y", "phi", "theta1", "theta2", "der_theta1", "der_theta2"}) {
    v.alias(name, std::string("wheelSetJoint.") + name);
  }
}

void RollingWheelSet::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  const double halfWidth = animation_.realValue("width_wheel");
  for (const auto& [name, frame] : {std::pair{"shape1", frame1_}, std::pair{"shape2", frame2_}}) {
    Shape wheel{.name = name,
                .type = "pipe",
                .place = frame,
                .r_shape = Vector3d(0, -halfWidth, 0),
                .lengthDirection = Vector3d(0, 1, 0),
                .widthDirection = Vector3d(1, 0, 0),
                .length = 2 * halfWidth,
                .extra = animation_.realValue("hollowFraction"),
                .color = picture::rgb(animation_.colorValue("color"))};
    picture::setDiameter(wheel, 2 * joint_.radius);
    s.add(std::move(wheel));
  }
}

}  // namespace cardan
