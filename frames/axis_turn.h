/// Frames turned about one of their own axes, in their place: for sweeps that do nothing else. What
/// passes through a copy waits for it.
#pragma once

#include "frames/orientation.h"

namespace cardan::frames {

/// Turns frame 2 about its own axis k (0, 1, 2) by the angle whose cosine and sine are given; the
/// angular velocity stays, seen from the turned frame.
template <int k, class S>
[[gnu::always_inline]] inline void turnAboutAxis(Orientation<S>& R, const S& cosine,
                                                 const S& sine) {
  constexpr int i = (k + 1) % 3, j = (k + 2) % 3;
  const auto mix = [&](S& x, S& y) {
    const S before = x;
    x = multiplyAdd(cosine, x, S(sine * y));
    y = multiplyAdd(cosine, y, S(-(sine * before)));
  };
  for (int column = 0; column < 3; ++column) mix(R.T(i, column), R.T(j, column));
  mix(R.w[i], R.w[j]);
}

/// Adds v [rad/s] to the angular velocity about axis k of frame 2.
template <int k, class S>
[[gnu::always_inline]] inline void addVelocityAboutAxis(Orientation<S>& R, const S& v) {
  R.w[k] += v;
}

}  // namespace cardan::frames
