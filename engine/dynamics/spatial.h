/// Spatial vectors: an angular part and a linear part about a point, in the lanes of one register.
#pragma once

#include <cstring>

#include "frames/frames.h"

namespace cardan {

/// Lanes 0-2 angular, 3-5 linear, 6-7 zero; resolved in world. A motion is (turn, shift of the
/// point), a load (torque about the point, force).
struct alignas(64) Spatial {
  typedef double Lanes __attribute__((vector_size(64)));
  Lanes v{};

  static Spatial of(const Vector3d& angular, const Vector3d& linear) {
    Spatial x;
    x.v = Lanes{angular[0], angular[1], angular[2], linear[0], linear[1], linear[2], 0, 0};
    return x;
  }
  /// Six numbers, `stride` apart. Through memory: single lanes of a register are dear.
  static Spatial from(const double* six, int stride) {
    alignas(64) double lanes[8] = {
        six[0], six[stride], six[2 * stride], six[3 * stride], six[4 * stride], six[5 * stride], 0,
        0};
    Spatial x;
    std::memcpy(&x.v, lanes, sizeof x.v);
    return x;
  }
  /// The sums of six vectors' lanes.
  static Spatial sums(const Lanes* six) {
    // Into references: a wide register is no portable return value.
    const auto pairs = [](const Lanes& a, const Lanes& b, Lanes& out) {
      out = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14) +
            __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    };
    const auto fours = [](const Lanes& a, const Lanes& b, Lanes& out) {
      out = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13) +
            __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    };
    Lanes p0, p1, p2, q, r;
    pairs(six[0], six[1], p0);
    pairs(six[2], six[3], p1);
    pairs(six[4], six[5], p2);
    fours(p0, p1, q);
    fours(p2, Lanes{}, r);
    Spatial x;
    x.v = __builtin_shufflevector(q, r, 0, 1, 2, 3, 8, 9, 10, 11) +
          __builtin_shufflevector(q, r, 4, 5, 6, 7, 12, 13, 14, 15);
    return x;
  }
  Vector3d angular() const { return {v[0], v[1], v[2]}; }
  Vector3d linear() const { return {v[3], v[4], v[5]}; }

  Spatial& operator+=(const Spatial& b) {
    v += b.v;
    return *this;
  }
  /// this += b k
  void add(const Spatial& b, double k) { v += b.v * k; }

  double sum() const { return sumOf(v); }
  [[gnu::always_inline]] static double sumOf(const Lanes& v) {
    typedef double Four __attribute__((vector_size(32)));
    typedef double Two __attribute__((vector_size(16)));
    const Four f =
        __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
    const Two t = __builtin_shufflevector(f, f, 0, 1) + __builtin_shufflevector(f, f, 2, 3);
    return t[0] + t[1];
  }
  static double dot(const Spatial& a, const Spatial& b) { return Spatial{a.v * b.v}.sum(); }
};

/// Shift of the point by an arm, prepared for both kinds.
class SpatialShift {
 public:
  SpatialShift() = default;
  /// `arm` leads from the new point of a load, or from the old point of a motion, to the other.
  explicit SpatialShift(const Vector3d& arm)
      : zero_(arm[0] == 0 && arm[1] == 0 && arm[2] == 0),
        load1_{arm[1], arm[2], arm[0], 0, 0, 0, 0, 0},
        load2_{arm[2], arm[0], arm[1], 0, 0, 0, 0, 0},
        motion1_{0, 0, 0, arm[2], arm[0], arm[1], 0, 0},
        motion2_{0, 0, 0, arm[1], arm[2], arm[0], 0, 0} {}

  /// Torque about the new point: t + arm x f. Rows that act on motions shift like loads.
  void load(Spatial& x) const {
    if (zero_) return;
    x.v += load1_ * __builtin_shufflevector(x.v, x.v, 5, 3, 4, 3, 4, 5, 6, 7) -
           load2_ * __builtin_shufflevector(x.v, x.v, 4, 5, 3, 3, 4, 5, 6, 7);
  }
  /// Shift of the new point: s + turn x arm.
  void motion(Spatial& x) const {
    if (zero_) return;
    x.v += motion1_ * __builtin_shufflevector(x.v, x.v, 0, 1, 2, 1, 2, 0, 6, 7) -
           motion2_ * __builtin_shufflevector(x.v, x.v, 0, 1, 2, 2, 0, 1, 6, 7);
  }

 private:
  bool zero_ = true;
  Spatial::Lanes load1_{}, load2_{}, motion1_{}, motion2_{};
};

}  // namespace cardan
