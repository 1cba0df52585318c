/// Gauss' quadrature with ten points.
#pragma once

namespace cardan::contact {

/// Calls f(x, weight) for the points in (-1, 1).
template <class F>
void forEachGaussPoint(F f) {
  constexpr double kX[5] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                            0.8650633666889845, 0.9739065285171717};
  constexpr double kWeight[5] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                 0.1494513491505806, 0.0666713443086881};
  for (int i = 0; i < 5; ++i) {
    f(kX[i], kWeight[i]);
    f(-kX[i], kWeight[i]);
  }
}

}  // namespace cardan::contact
