/// alongMotion: an orientation as a function of time along its motion.
#pragma once

#include "frames/dual.h"
#include "frames/orientation.h"

namespace cardan::frames {

/// Every element x of T and w as along(x, der(x)): der(T) = -w x T, column by column, and der(w) = z,
/// the angular acceleration of frame 2, resolved in frame 2 [rad/s2].
template <class S, class Along>
Orientation<Dual> alongMotion(const Orientation<S>& R, const Vector3<S>& z, Along along) {
  Orientation<Dual> moving;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    moving.w[i] = along(R.w[i], z[i]);
    for (int c = 0; c < 3; ++c) {
      const S rate = R.w[k] * R.T(j, c) - R.w[j] * R.T(k, c);
      moving.T(i, c) = along(R.T(i, c), rate);
    }
  }
  return moving;
}

}  // namespace cardan::frames
