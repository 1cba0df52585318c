/// RollingWheelSet: two wheels with mass on one axle that roll on the plane z = 0 of the world.
#pragma once

#include "components/component.h"
#include "components/interfaces/coordinate.h"
#include "components/rolling/joint_rolling_wheel_set.h"
#include "components/rolling/wheel.h"

namespace cardan {

/// Five freedoms of position, two of velocity. As in MSL all start values are fixed.
///
/// Parts      wheelSetJoint;  body1 at frame1, body2 at frame2 (m_wheel; I_wheelLong, I_wheelAxis,
///            I_wheelLong about the x, y, z axes)
/// Source     MSL 4.0 Parts.RollingWheelSet
class RollingWheelSet final : public ComponentOf<RollingWheelSet> {
 public:
  RollingWheelSet() {
    for (StartValue* s : {&joint_.x, &joint_.y, &joint_.phi, &joint_.theta1, &joint_.theta2,
                          &joint_.der_theta1, &joint_.der_theta2}) {
      *s = StartValue(true);
    }
  }

  void read(ParameterReader& r) override {
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
  void declare(Structure& s) override {
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
  void describe(Variables& v) const override {
    for (const char* name : {"x", "y", "phi", "theta1", "theta2", "der_theta1", "der_theta2"}) {
      v.alias(name, std::string("wheelSetJoint.") + name);
    }
  }
  void picture(Shapes& s) const override {
    if (!wheel_.animation.shown()) return;
    s.add(wheel_.shape("shape1", frame1_, joint_.radius));
    s.add(wheel_.shape("shape2", frame2_, joint_.radius));
  }
  void parametersChanged() override {
    for (Body* body : {body1_, body2_}) {
      if (body) body->setParameters(wheel_.body());
    }
  }

 private:
  Wheel wheel_{"width_wheel"};  ///< each of both
  joints::RollingWheelSet::Parameters joint_;
  FrameId frame1_, frame2_;
  Body *body1_ = nullptr, *body2_ = nullptr;
};

}  // namespace cardan
