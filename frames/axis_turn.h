/// Frames turned by a constant rotation or about one of their own axes, straight into their place: for
/// sweeps that do nothing else. What passes through a copy waits for it.
#pragma once

#include "frames/orientation.h"

namespace cardan::frames {

/// `to` is `from` with frame 2 turned by the constant T, from the axes of `from` into its own.
template <class S>
[[gnu::always_inline]] inline void turnByConstant(const Matrix3d& T, const Orientation<S>& from,
                                                  Orientation<S>& to) {
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) {
      to.T(i, j) = cardan::detail::sumOfProducts(T(i, 0), from.T(0, j), T(i, 1), from.T(1, j),
                                                 T(i, 2), from.T(2, j));
    }
  }
  for (int i = 0; i < 3; ++i) {
    to.w[i] =
        cardan::detail::sumOfProducts(T(i, 0), from.w[0], T(i, 1), from.w[1], T(i, 2), from.w[2]);
  }
}

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
