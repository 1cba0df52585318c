/// RollingWheel: a wheel with mass that rolls on the plane z = 0 of the world.
#pragma once

#include "components/component.h"
#include "components/interfaces/coordinate.h"
#include "components/rolling/joint_rolling_wheel.h"
#include "components/rolling/wheel.h"

namespace cardan {

/// Five freedoms of position, three of velocity. As in MSL all start values are fixed.
///
/// Parts      body (m; I_long, I_axis, I_long about the x, y, z axes of frame_a), rollingWheel
/// Source     MSL 4.0 Parts.RollingWheel
class RollingWheel final : public ComponentOf<RollingWheel> {
 public:
  RollingWheel() {
    joint_.x = joint_.y = StartValue(true);
    joint_.angles = joint_.der_angles = StartVector<3>(true);
  }

  void read(ParameterReader& r) override {
    wheel_.animation.boolean(r, "animation", true);
    r.real("radius", joint_.radius, "m", "radius of the wheel", kPositive);
    r.real("m", wheel_.m, "kg", "mass of the wheel", kNotNegative);
    r.real("I_axis", wheel_.I_axis, "kg.m2", "inertia along the wheel's axis", kNotNegative);
    r.real("I_long", wheel_.I_long, "kg.m2", "inertia across the wheel's axis", kNotNegative);
    for (const char* name : {"radius", "m", "I_axis", "I_long"}) {
      r.require(r.isGiven(name), name, "must be given");
    }
    StateSelect select = StateSelect::always;
    readStateSelect(r, "stateSelect", select);
    joint_.readStart(r, select);
    wheel_.readLooks(r, 0.035, "width of the wheel", "wheel");
  }
  void declare(Structure& s) override {
    frame_a_ = s.frame("frame_a");
    body_ = &s.part<Body>("body", bodyParameters());
    s.part<joints::RollingWheel>("rollingWheel", joint_);
    s.connect("body.frame_a", "frame_a");
    s.connect("rollingWheel.frame_a", "frame_a");
  }
  void describe(Variables& v) const override {
    for (const char* name : {"x", "y", "angles", "der_angles"}) {
      v.alias(name, std::string("rollingWheel.") + name);
    }
  }
  void picture(Shapes& s) const override {
    if (wheel_.animation.shown()) s.add(wheel_.shape("fixedShape", frame_a_, joint_.radius));
  }
  void parametersChanged() override {
    if (body_) body_->setParameters(bodyParameters());
  }

 private:
  Body::Parameters bodyParameters() const {
    Body::Parameters body = wheel_.body();
    // A guess that agrees with the wheel's own start.
    body.orientation.sequence_start = joints::RollingWheel::kSequence;
    body.orientation.angles_start = joint_.angles.start;
    return body;
  }

  Wheel wheel_{"width"};
  joints::RollingWheel::Parameters joint_;
  FrameId frame_a_;
  Body* body_ = nullptr;
};

}  // namespace cardan
