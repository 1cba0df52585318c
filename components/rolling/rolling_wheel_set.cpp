#include "components/rolling/rolling_wheel_set.h"

#include "components/interfaces/coordinate.h"

namespace cardan {

RollingWheelSet::RollingWheelSet() {
  for (StartValue* s : {&joint_.x, &joint_.y, &joint_.phi, &joint_.theta1, &joint_.theta2,
                        &joint_.der_theta1, &joint_.der_theta2}) {
    *s = StartValue(true);
  }
}

void RollingWheelSet::read(ParameterReader& r) {
  wheel_.animation.boolean(r, "animation", true);
  r.real("R_wheel", joint_.radius, "m", "radius of one wheel", kPositive);
  r.real("m_wheel", wheel_.m, "kg", "mass of one wheel", kNotNegative);
  r.real("I_wheelAxis", wheel_.I_axis, "kg.m2", "inertia of one wheel along its axis",
         kNotNegative);
  r.real("I_wheelLong", wheel_.I_long, "kg.m2", "inertia of one wheel across its axis",
         kNotNegative);
  r.real("track", joint_.track, "m", "distance between the two wheels", kPositive);
  for (const char* name : {"R_wheel", "m_wheel", "I_wheelAxis", "I_wheelLong", "track"}) {
    r.require(r.isGiven(name), name, "must be given");
  }
  StateSelect select = StateSelect::always;
  readStateSelect(r, "stateSelect", select);
  joint_.readStart(r, select);
  wheel_.readLooks(r, 0.01, "width of a wheel", "wheels");
}

void RollingWheelSet::declare(Structure& s) {
  s.frame("frameMiddle");
  frame1_ = s.frame("frame1");
  frame2_ = s.frame("frame2");
  for (const char* name : {"axis1", "axis2", "support"}) s.flange(name, Domain::Rotational);
  s.part<joints::RollingWheelSet>("wheelSetJoint", joint_);
  body1_ = &s.part<Body>("body1", wheel_.body());
  body2_ = &s.part<Body>("body2", wheel_.body());
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
    if (body) body->setParameters(wheel_.body());
  }
}

void RollingWheelSet::describe(Variables& v) const {
  for (const char* name : {"x", "y", "phi", "theta1", "theta2", "der_theta1", "der_theta2"}) {
    v.alias(name, std::string("wheelSetJoint.") + name);
  }
}

void RollingWheelSet::picture(Shapes& s) const {
  if (!wheel_.animation.shown()) return;
  s.add(wheel_.shape("shape1", frame1_, joint_.radius));
  s.add(wheel_.shape("shape2", frame2_, joint_.radius));
}

}  // namespace cardan
