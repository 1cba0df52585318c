#include "components/sensors/relative_sensor.h"

#include "components/interfaces/picture.h"
#include "components/make.h"
#include "components/sensors/arrow.h"

namespace cardan {

void RelativeSensor::read(ParameterReader& r) {
  r.boolean("animation", animation_, "an arrow from frame_a to frame_b is shown");
  readResolveInFrameAB(r, "resolveInFrame", resolveInFrame_,
                       "frame in which vectors are resolved before differentiation");
  resolveInFrameAfterDifferentiation_ = resolveInFrame_;
  readResolveInFrameAB(
      r, "resolveInFrameAfterDifferentiation", resolveInFrameAfterDifferentiation_,
      "frame in which v_rel, a_rel and z_rel are resolved at last; default: resolveInFrame");
  r.boolean("get_r_rel", get_r_rel_, "there is an output r_rel");
  r.boolean("get_v_rel", get_v_rel_, "there is an output v_rel");
  r.boolean("get_a_rel", get_a_rel_, "there is an output a_rel");
  r.boolean("get_angles", get_angles_, "there is an output angles");
  r.boolean("get_w_rel", get_w_rel_, "there is an output w_rel");
  r.boolean("get_z_rel", get_z_rel_, "there is an output z_rel");
  angleParameters_.read(r);
  readArrow(r, "arrowDiameter", "arrowColor", kSensorColor);
  readSpecularCoefficient(r);
  if (get_r_rel_) r.start("r_rel", r_rel_, "m", "position of frame_b relative to frame_a");
  if (get_v_rel_) r.start("v_rel", v_rel_, "m/s", "velocity of frame_b relative to frame_a");
  if (get_a_rel_) r.start("a_rel", a_rel_, "m/s2", "acceleration of frame_b relative to frame_a");
  if (get_angles_) r.start("angles", angles_, "rad", "angles from frame_a to frame_b");
  if (get_w_rel_)
    r.start("w_rel", w_rel_, "rad/s", "angular velocity of frame_b relative to frame_a");
  if (get_z_rel_)
    r.start("z_rel", z_rel_, "rad/s2", "angular acceleration of frame_b relative to frame_a");
}

void RelativeSensor::declare(Structure& s) {
  frames_.declareAB(s, resolveInFrame_ == ResolveInFrame::frame_resolve ||
                           resolveInFrameAfterDifferentiation_ == ResolveInFrame::frame_resolve);
}

template <class S>
Vector3<S> RelativeSensor::r_rel(const View<S>& x) const {
  return frames_.resolve(x, resolveInFrame_,
                         Vector3<S>(x.frame(frames_.frame_b).r_0 - x.frame(frames_.frame_a).r_0));
}

template <class S>
Vector3<S> RelativeSensor::der_r_rel(const View<S>& x) const {
  return frames_.derivative(
      x, resolveInFrame_, r_rel(x),
      Vector3<S>(x.frame(frames_.frame_b).v_0 - x.frame(frames_.frame_a).v_0));
}

template <class S>
Vector3<S> RelativeSensor::der2_r_rel(const View<S>& x) const {
  return frames_.secondDerivative(
      x, resolveInFrame_, r_rel(x), der_r_rel(x),
      Vector3<S>(x.frame(frames_.frame_b).a_0 - x.frame(frames_.frame_a).a_0));
}

template <class S>
Vector3<S> RelativeSensor::w_rel(const View<S>& x) const {
  return frames_.resolve(x, resolveInFrame_,
                         Vector3<S>(angularVelocity_0(x.frame(frames_.frame_b)) -
                                    angularVelocity_0(x.frame(frames_.frame_a))));
}

template <class S>
Vector3<S> RelativeSensor::der_w_rel(const View<S>& x) const {
  return frames_.derivative(x, resolveInFrame_, w_rel(x),
                            Vector3<S>(angularAcceleration_0(x.frame(frames_.frame_b)) -
                                       angularAcceleration_0(x.frame(frames_.frame_a))));
}

void RelativeSensor::describe(Variables& v) const {
  if (get_r_rel_) {
    v.vector({"r_rel", "m", "position of frame_b relative to frame_a", Level::Position, true},
             [this](const auto& x) { return r_rel(x); });
    startOutput(v, "r_rel", r_rel_);
  }
  if (get_v_rel_) {
    v.vector({"v_rel", "m/s", "velocity of frame_b relative to frame_a", Level::Velocity, true},
             [this](const auto& x) {
               return frames_.resolveRelative(x, der_r_rel(x), resolveInFrame_,
                                              resolveInFrameAfterDifferentiation_);
             });
    startOutput(v, "v_rel", v_rel_);
  }
  if (get_a_rel_) {
    v.vector(
        {"a_rel", "m/s2", "acceleration of frame_b relative to frame_a", Level::Acceleration, true},
        [this](const auto& x) {
          return frames_.resolveRelative(x, der2_r_rel(x), resolveInFrame_,
                                         resolveInFrameAfterDifferentiation_);
        });
    startOutput(v, "a_rel", a_rel_);
  }
  if (get_angles_) {
    v.vector({"angles", "rad", "angles from frame_a to frame_b", Level::Position, true},
             [this](const auto& x) {
               return angleParameters_.angles(frames::relativeRotation(x.frame(frames_.frame_a).R,
                                                                       x.frame(frames_.frame_b).R));
             });
    startOutput(v, "angles", angles_);
  }
  if (get_w_rel_) {
    v.vector({"w_rel", "rad/s", "angular velocity of frame_b relative to frame_a", Level::Velocity,
              true},
             [this](const auto& x) { return w_rel(x); });
    startOutput(v, "w_rel", w_rel_);
  }
  if (get_z_rel_) {
    v.vector({"z_rel", "rad/s2", "angular acceleration of frame_b relative to frame_a",
              Level::Acceleration, true},
             [this](const auto& x) {
               return frames_.resolveRelative(x, der_w_rel(x), resolveInFrame_,
                                              resolveInFrameAfterDifferentiation_);
             });
    startOutput(v, "z_rel", z_rel_);
  }
}

void RelativeSensor::picture(Shapes& s) const {
  if (!animation_) return;
  s.add(picture::distanceArrow(frames_.frame_a, frames_.frame_b));
}

template std::unique_ptr<Component> make<RelativeSensor>();

}  // namespace cardan
