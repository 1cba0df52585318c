/// PointSurface: a point that touches a surface whose height is a signal: a road, a cam, a bowl.
#pragma once

#include "components/contact/contact_of.h"
#include "components/contact/plane.h"

namespace cardan::contact {

/// frame_a: the surface, frame_b: the point. x, y, z are the coordinates of frame_b's origin along
/// lengthDirection, n x lengthDirection and n.
///
/// Equations  depth = height(x, y, time) - z, measured along n
///            n_0 along {-slope[1], -slope[2], 1};  steepness = sqrt(1 + slope.slope)
///            slope = {d height/dx, d height/dy};  rate = d height/d time at fixed x, y
/// Force      ContactLaw at frame_b's origin; with depth along n it has a potential, whatever the
///            surface, as long as slope is its slope
class PointSurface final : public ContactOf<PointSurface> {
 public:
  void read(ParameterReader& r) override;
  void parametersChanged() override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

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
  double approach(const View<double>& x) const { return point(x).depth; }
  double size() const { return 1; }
  std::vector<SignalId> reads() const { return {height_, slope_, rate_}; }

 private:
  template <class S>
  S coordinate(const View<S>& x, const Vector3d& e) const {
    const FrameState<S>& a = x.frame(frames_.frame_a);
    return dot(e, frames::resolve2(a.R, (x.frame(frames_.frame_b).r_0 - a.r_0).eval()));
  }

  Plane plane_;
  SignalId height_, slope_, rate_;
};

}  // namespace cardan::contact
