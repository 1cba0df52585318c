/// PointSurface: a point that touches a surface whose height is a signal: a road, a cam, a bowl.
#pragma once

#include "components/contact/contact_of.h"
#include "components/contact/plane.h"

namespace cardan::contact {

/// frame_a: the surface, frame_b: the point. x, y, z are the coordinates of frame_b's origin along
/// lengthDirection, n x lengthDirection and n.
///
/// Equations  depth = height(x, y, time) - z, measured along n
///            f_n = k depth^exponent (1 + a der(depth)) steepness: its part along n is that of the law
///            n_0 along {-slope[1], -slope[2], 1};  steepness = sqrt(1 + slope.slope)
///            slope = {d height/dx, d height/dy};  rate = d height/d time at fixed x, y
///            with stick or rigid: der(slope) = curvature (der(x), der(y)) + slopeRate,
///            der(rate) = slopeRate.(der(x), der(y)) + acceleration
/// Force      ContactLaw at frame_b's origin; with depth along n it has a potential, whatever the
///            surface, as long as slope is its slope
class PointSurface final : public ContactOf<PointSurface> {
 public:
  void read(ParameterReader& r) override {
    plane_.read(r, false);
    r.input("height", 1, "m", "of the surface along n at (x, y)");
    r.input("slope", 2, "1", "derivatives of height by x and y");
    r.input("rate", std::vector<double>{0}, "m/s",
            "derivative of height by time at fixed x and y: a surface that moves");
    law_.read(r, false);
    readMotion(r);
    heat_.read(r);
  }
  void parametersChanged() override {
    plane_.prepare();
    law_.prepare(1);
  }
  void declare(Structure& s) override {
    declareContact(s);
    height_ = s.input("height", 1);
    slope_ = s.input("slope", 2);
    rate_ = s.input("rate", 1);
    curvature_ = s.input("curvature", 3);
    slopeRate_ = s.input("slopeRate", 2);
    acceleration_ = s.input("acceleration", 1);
  }
  void describe(Variables& v) const override {
    v.scalar({"x", "m", "coordinate of frame_b along lengthDirection", Level::Position},
             [this](const auto& x) { return coordinate(x, plane_.along()); });
    v.scalar({"y", "m", "coordinate of frame_b along n x lengthDirection", Level::Position},
             [this](const auto& x) { return coordinate(x, plane_.across()); });
    v.scalar({"z", "m", "coordinate of frame_b along n", Level::Position},
             [this](const auto& x) { return coordinate(x, plane_.normal()); });
    describeContact(v);
  }

  template <class S>
  ContactPoint<S> point(const View<S>& x) const {
    const FrameState<S>& a = x.frame(frames_.frame_a);
    const FrameState<S>& b = x.frame(frames_.frame_b);
    const S slope_x = x.input(slope_, 0), slope_y = x.input(slope_, 1);
    const Vector3<S> up = plane_.normal() - plane_.along() * slope_x - plane_.across() * slope_y;
    ContactPoint<S> p;
    p.steepness = sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
    p.n_0 = frames::resolve1(a.R, up) / p.steepness;
    p.depth = x.input(height_) - coordinate(x, plane_.normal());
    p.r_0 = b.r_0;
    p.v_own_0 = plane_.normal_0(a) * x.input(rate_);
    return p;
  }
  template <class S>
  PointMotion<S> motionOf(const View<S>& x, const ContactPoint<S>& at, const S& /*v_depth*/) const {
    const FrameState<S>& a = x.frame(frames_.frame_a);
    const FrameState<S>& b = x.frame(frames_.frame_b);
    const Vector3<S> w_0 = frames::angularVelocity1(a.R), r_0 = b.r_0 - a.r_0;
    const Vector3<S> v = frames::resolve2(a.R, (b.v_0 - a.v_0 - cross(w_0, r_0)).eval());
    const S x_d = dot(plane_.along(), v), y_d = dot(plane_.across(), v);
    const S s[2] = {x.input(slope_, 0), x.input(slope_, 1)};
    const S s_d[2] = {
        x.input(curvature_, 0) * x_d + x.input(curvature_, 1) * y_d + x.input(slopeRate_, 0),
        x.input(curvature_, 1) * x_d + x.input(curvature_, 2) * y_d + x.input(slopeRate_, 1)};
    const Vector3<S> flat_0 = plane_.normal_0(a);
    const Vector3<S> up_d = -(plane_.along() * s_d[0] + plane_.across() * s_d[1]);
    PointMotion<S> m;
    m.steepness_d = (s[0] * s_d[0] + s[1] * s_d[1]) / at.steepness;
    m.n_d =
        cross(w_0, at.n_0) + (frames::resolve1(a.R, up_d) - at.n_0 * m.steepness_d) / at.steepness;
    m.r_d = b.v_0;
    const S rate_d =
        x.input(slopeRate_, 0) * x_d + x.input(slopeRate_, 1) * y_d + x.input(acceleration_);
    m.a_own_0 = cross(w_0, flat_0) * x.input(rate_) + flat_0 * rate_d;
    return m;
  }
  double approach(const View<double>& x) const { return point(x).depth; }
  double size() const { return 1; }
  std::vector<SignalId> reads() const { return {height_, slope_, rate_}; }

 private:
  /// What tells how the normal moves, which only the laws of stick and rigid read.
  void readMotion(ParameterReader& r) {
    const bool needed = law_.isRigid() || law_.sticks(), moves = needed && r.isGiven("rate");
    for (const char* name : {"curvature", "slopeRate", "acceleration"})
      r.require(needed || !r.isGiven(name), name, "needs stick: true or rigid: true");
    for (const char* name : {"slopeRate", "acceleration"}) {
      r.require(!needed || r.isGiven("rate") || !r.isGiven(name), name,
                "is of a surface that moves, but no 'rate' is given");
    }
    const auto input = [&](const char* name, int size, const char* unit, bool must,
                           const char* text) {
      if (must) {
        r.input(name, size, unit, text);
      } else {
        r.input(name, std::vector<double>(size, 0.0), unit, text);
      }
    };
    input("curvature", 3, "1/m", needed,
          "with stick or rigid: second derivatives of height by x x, x y and y y");
    input(
        "slopeRate", 2, "1/s", moves,
        "with stick or rigid, of a surface that moves: derivatives of slope by time at fixed x and "
        "y");
    input("acceleration", 1, "m/s2", moves,
          "with stick or rigid, of a surface that moves: derivative of rate by time at fixed x and "
          "y");
  }
  template <class S>
  S coordinate(const View<S>& x, const Vector3d& e) const {
    const FrameState<S>& a = x.frame(frames_.frame_a);
    return dot(e, frames::resolve2(a.R, (x.frame(frames_.frame_b).r_0 - a.r_0).eval()));
  }

  Plane plane_;
  SignalId height_, slope_, rate_, curvature_, slopeRate_, acceleration_;
};

}  // namespace cardan::contact
