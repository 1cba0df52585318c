/// Plane: the plane through the origin of frame_a that things touch, unbounded or a rectangle.
#pragma once

#include "components/animation.h"
#include "components/shapes.h"
#include "components/view.h"

namespace cardan::contact {

/// The unbounded plane is the surface of all that lies below it; a rectangle is a thin plate, touched
/// from both sides and at its edges.
class Plane {
 public:
  /// `bounded`: may be a rectangle.
  void read(ParameterReader& r, bool bounded);
  void prepare();
  /// What a picture shows of it: `size` [m] of an unbounded one, `thickness` [m].
  void readPicture(ParameterReader& r, Animation& a, double size) const;
  void picture(Shapes& s, const Animation& a, FrameId frame_a, double thickness) const;

  bool isPlate() const { return length_ > 0; }
  /// [1]  resolved in frame_a
  const Vector3d& normal() const { return e_n_; }
  const Vector3d& along() const { return e_1_; }
  const Vector3d& across() const { return e_2_; }

  template <class S>
  Vector3<S> normal_0(const FrameState<S>& a) const {
    return frames::resolve1(a.R, e_n_);
  }
  /// From the point of the plate nearest to r to r, both relative to frame_a's origin and resolved in
  /// frame_a.
  template <class S>
  Vector3<S> fromPlate(const Vector3<S>& r) const {
    const S u = dot(e_1_, r), w = dot(e_2_, r);
    const S u_in = max(S(-0.5 * length_), min(S(0.5 * length_), u));
    const S w_in = max(S(-0.5 * width_), min(S(0.5 * width_), w));
    return r - e_1_ * u_in - e_2_ * w_in;
  }

 private:
  Vector3d n_{0, 1, 0};                ///< [1]  normal, resolved in frame_a
  Vector3d lengthDirection_{1, 0, 0};  ///< [1]  resolved in frame_a
  double length_ = 0, width_ = 0;      ///< [m]  0: unbounded

  Vector3d e_n_{0, 1, 0}, e_1_{1, 0, 0}, e_2_{0, 0, -1};
};

}  // namespace cardan::contact
