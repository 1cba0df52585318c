/// MotionSensor, AllMotionSensor: what the sensors of one frame (absolute_sensor.h) and of two
/// (relative_sensor.h) share. A Law says what they measure, and in which frame.
#pragma once

#include <string>

#include "components/component.h"
#include "components/interfaces/resolving.h"
#include "components/sensors/arrow.h"
#include "components/sensors/sensor_output.h"

namespace cardan {

/// A quantity of motion, by MSL's name of its output.
enum class Measured { r, v, a, angles, w, z };

/// One quantity as an output.
///
/// Law: output(q), readFrame(r, q, about), readFrames(r), declare(s), value(q, x), arrow(), kArrow;
/// angleParameters.
template <class Law>
class MotionSensor : public ComponentOf<MotionSensor<Law>> {
 public:
  void read(ParameterReader& r) override {
    if (q_ == Measured::angles) {
      law_.angleParameters.read(r);
    } else {
      law_.readFrame(r, q_, std::string("frame in which ") + output_.name + " is resolved");
    }
    output_.read(r);
  }
  void declare(Structure& s) override { law_.declare(s); }
  void describe(Variables& v) const override {
    output_.describe(v, [this](const auto& x) { return law_.value(q_, x); });
  }

 protected:
  explicit MotionSensor(Measured q) : q_(q), output_(Law::output(q)) {}

  Law law_;

 private:
  Measured q_;
  SensorOutput<3> output_;
};
/// The same, of a quantity that the class states.
template <class Law, Measured q>
class SensorOf : public MotionSensor<Law> {
 public:
  SensorOf() : MotionSensor<Law>(q) {}
};

/// All quantities, each where the user asks for it.
template <class Law>
class AllMotionSensor : public ComponentOf<AllMotionSensor<Law>> {
 public:
  void read(ParameterReader& r) override {
    r.boolean("animation", animation_, Law::kArrow);
    law_.readFrames(r);
    for (Choice& c : choices_) {
      const std::string name = c.output.name;
      r.boolean("get_" + name, c.get, "there is an output " + name);
    }
    law_.angleParameters.read(r);
    readArrow(r, "arrow", kSensorColor);
    readSpecularCoefficient(r);
    for (Choice& c : choices_) {
      if (c.get) c.output.read(r);
    }
  }
  void declare(Structure& s) override { law_.declare(s); }
  void describe(Variables& v) const override {
    for (const Choice& c : choices_) {
      if (c.get) c.output.describe(v, [this, q = c.q](const auto& x) { return law_.value(q, x); });
    }
  }
  void picture(Shapes& s) const override {
    if (animation_) s.add(law_.arrow());
  }

 private:
  struct Choice {
    Measured q;
    bool get = false;  ///< there is an output
    SensorOutput<3> output = Law::output(q);
  };

  bool animation_ = true;
  Choice choices_[6] = {{Measured::r},      {Measured::v}, {Measured::a},
                        {Measured::angles}, {Measured::w}, {Measured::z}};
  Law law_;
};

}  // namespace cardan
