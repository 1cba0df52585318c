/// What acts on one flange against a housing: a motion or a force between flange and support.
#pragma once

#include <string>

#include "components/component.h"
#include "components/one_dimensional/axis.h"
#include "components/one_dimensional/flanges.h"

namespace cardan::one_dimensional {

/// A flange, its support, and the motion of the one relative to the other.
template <class Axis, class Derived>
class AgainstSupport : public ComponentOf<Derived> {
 protected:
  void declareFlange(Structure& s) {
    flange_ = s.flange("flange", Axis::domain);
    support_.declare(s, Axis::domain);
  }
  template <class S>
  FlangeState<S> motion(const View<S>& x) const {
    return support_.motion(x, flange_);
  }
  /// Position, velocity, acceleration: the first `count` of them.
  void describeState(Variables& v, int count) const {
    describeMotion<Axis>(
        v, start_, " of the flange relative to the support",
        [this](const auto& x) { return motion(x); }, count);
  }

  MotionStart start_;
  FlangeId flange_;
  Support support_;
};

/// A source of torque (force): tau(x) of the class accelerates the flange in positive direction; it depends
/// on its speed, unless the class describes it otherwise.
template <class Axis, class Derived>
class ForceOnFlange : public AgainstSupport<Axis, Derived> {
 public:
  void declare(Structure& s) override { this->declareFlange(s); }
  void describe(Variables& v) const override {
    this->describeState(v, 2);
    describeFlow(v, Level::Velocity,
                 [this](const auto& x) { return static_cast<const Derived&>(*this).tau(x); });
  }

  template <class S>
  void physics(View<S>& x) const {
    this->support_.addFlow(x, this->flange_, S(-static_cast<const Derived&>(*this).tau(x)));
  }

 protected:
  /// The result tau (f), with the sign that MSL gives it.
  template <class F>
  void describeFlow(Variables& v, Level level, F f, double sign = Axis::sourceSign) const {
    v.scalar({Axis::flow, Axis::flowUnit, std::string(Axis::flowWord) + " of the source", level},
             [f, sign](const auto& x) { return sign * f(x); });
  }
};

}  // namespace cardan::one_dimensional
