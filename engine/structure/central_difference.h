/// A derivative as a central difference of sixth order.
#pragma once

#include <type_traits>

namespace cardan {

/// f'(0) of a vector or matrix f(double), by values at h, 2 h, 3 h to both sides.
template <class F>
auto centralDifference(double h, F f) {
  using Value = std::decay_t<decltype(f(h))>;
  const auto part = [&](int k, double weight) {
    const Value above = f(k * h);
    return Value((above - f(-(k * h))) * (weight / h));
  };
  Value sum = part(1, 45.0 / 60);
  sum += part(2, -9.0 / 60);
  sum += part(3, 1.0 / 60);
  return sum;
}

}  // namespace cardan
