/// Forward differentiation: one value and its derivatives in a register full of directions.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <compare>
#include <type_traits>

namespace cardan {

/// Directions carried at once: as many doubles as the widest vector register holds.
#if defined(__AVX512F__)
inline constexpr int kLanes = 8;
#elif defined(__AVX2__)
inline constexpr int kLanes = 4;
#else
inline constexpr int kLanes = 2;
#endif

/// The vector register of W doubles.
template <int W>
struct LaneRegister;
template <>
struct LaneRegister<2> {
  typedef double type __attribute__((vector_size(16)));
};
template <>
struct LaneRegister<4> {
  typedef double type __attribute__((vector_size(32)));
};
template <>
struct LaneRegister<8> {
  typedef double type __attribute__((vector_size(64)));
};

/// A value and its W directional derivatives.
///
/// Where a function has a value but no finite derivative (sqrt(0), atan2(0,0), asin(1), pow(0,0.5),
/// hypot(0,0)), and at the kink of abs, the derivative is taken as 0, so that a Newton matrix never
/// gets a NaN or an infinity from a point that the residual itself can stand.
///
/// Comparisons look at the value only. There is no conversion to double; see value().
///
/// Default construction leaves everything uninitialised, like a double. Containers: std::vector and
/// fixed-size Eigen types always respect the alignment; a dynamic Eigen matrix does for W <=
/// kLanes.
template <int W>
struct DualOf {
  using Lanes = typename LaneRegister<W>::type;

  double v;  ///< value
  Lanes d;   ///< derivative of v in direction 0..W-1

  DualOf() = default;
  /// Copies member by member, because a plain block copy would move the padding too and stall on
  /// it: reading a register that covers the value, written just before as 8 bytes, costs more than
  /// a matrix product.
  [[gnu::always_inline]] constexpr DualOf(const DualOf& x) : v(x.v), d(x.d) {}
  [[gnu::always_inline]] constexpr DualOf& operator=(const DualOf& x) {
    v = x.v;
    d = x.d;
    return *this;
  }
  /// A constant.
  [[gnu::always_inline]] constexpr DualOf(double value) : v(value), d{} {}
  [[gnu::always_inline]] constexpr DualOf(double value, const Lanes& derivatives)
      : v(value), d(derivatives) {}

  /// An independent variable: derivative 1 in direction `lane`, 0 in the others.
  [[gnu::always_inline]] static DualOf seed(double value, int lane) {
    DualOf x(value);
    x.d[lane] = 1.0;
    return x;
  }

  [[gnu::always_inline]] double lane(int i) const { return d[i]; }
  [[gnu::always_inline]] void setLane(int i, double derivative) { d[i] = derivative; }

  [[gnu::always_inline]] DualOf& operator+=(const DualOf& b) { return *this = *this + b; }
  [[gnu::always_inline]] DualOf& operator-=(const DualOf& b) { return *this = *this - b; }
  [[gnu::always_inline]] DualOf& operator*=(const DualOf& b) { return *this = *this * b; }
  [[gnu::always_inline]] DualOf& operator/=(const DualOf& b) { return *this = *this / b; }
  [[gnu::always_inline]] DualOf& operator+=(double b) { return *this = *this + b; }
  [[gnu::always_inline]] DualOf& operator-=(double b) { return *this = *this - b; }
  [[gnu::always_inline]] DualOf& operator*=(double b) { return *this = *this * b; }
  [[gnu::always_inline]] DualOf& operator/=(double b) { return *this = *this / b; }

  [[gnu::always_inline]] friend DualOf operator+(const DualOf& a) { return a; }
  [[gnu::always_inline]] friend DualOf operator-(const DualOf& a) { return {-a.v, -a.d}; }

  [[gnu::always_inline]] friend DualOf operator+(const DualOf& a, const DualOf& b) {
    return {a.v + b.v, a.d + b.d};
  }
  [[gnu::always_inline]] friend DualOf operator+(const DualOf& a, double b) {
    return {a.v + b, a.d};
  }
  [[gnu::always_inline]] friend DualOf operator+(double a, const DualOf& b) {
    return {a + b.v, b.d};
  }

  [[gnu::always_inline]] friend DualOf operator-(const DualOf& a, const DualOf& b) {
    return {a.v - b.v, a.d - b.d};
  }
  [[gnu::always_inline]] friend DualOf operator-(const DualOf& a, double b) {
    return {a.v - b, a.d};
  }
  [[gnu::always_inline]] friend DualOf operator-(double a, const DualOf& b) {
    return {a - b.v, -b.d};
  }

  [[gnu::always_inline]] friend DualOf operator*(const DualOf& a, const DualOf& b) {
    return {a.v * b.v, a.v * b.d + b.v * a.d};
  }
  [[gnu::always_inline]] friend DualOf operator*(const DualOf& a, double b) {
    return {a.v * b, b * a.d};
  }
  [[gnu::always_inline]] friend DualOf operator*(double a, const DualOf& b) {
    return {a * b.v, a * b.d};
  }

  // By what has overflowed, as exp(1000) has: nothing, like its derivative, not 0 times infinity.
  [[gnu::always_inline]] friend DualOf operator/(const DualOf& a, const DualOf& b) {
    const double q = a.v / b.v;
    if (std::isinf(b.v)) return q;
    return {q, (1.0 / b.v) * (a.d - q * b.d)};
  }
  [[gnu::always_inline]] friend DualOf operator/(const DualOf& a, double b) {
    return {a.v / b, (1.0 / b) * a.d};
  }
  [[gnu::always_inline]] friend DualOf operator/(double a, const DualOf& b) {
    const double q = a / b.v;
    if (std::isinf(b.v)) return q;
    return {q, (-q / b.v) * b.d};
  }

  [[gnu::always_inline]] friend bool operator==(const DualOf& a, const DualOf& b) {
    return a.v == b.v;
  }
  [[gnu::always_inline]] friend bool operator==(const DualOf& a, double b) { return a.v == b; }
  [[gnu::always_inline]] friend std::partial_ordering operator<=>(const DualOf& a,
                                                                  const DualOf& b) {
    return a.v <=> b.v;
  }
  [[gnu::always_inline]] friend std::partial_ordering operator<=>(const DualOf& a, double b) {
    return a.v <=> b;
  }
};

/// The dual number of the simulation.
using Dual = DualOf<kLanes>;
static_assert(std::is_trivially_default_constructible_v<Dual> &&
              std::is_trivially_destructible_v<Dual>);

/// The value without derivatives.
[[gnu::always_inline]] inline double value(double x) { return x; }
template <int W>
[[gnu::always_inline]] inline double value(const DualOf<W>& x) {
  return x.v;
}

/// a b + c. In derivatives two fused multiply-adds, where the operators would need a third
/// addition.
[[gnu::always_inline]] inline double multiplyAdd(double a, double b, double c) { return a * b + c; }
template <int W>
[[gnu::always_inline]] inline DualOf<W> multiplyAdd(const DualOf<W>& a, const DualOf<W>& b,
                                                    const DualOf<W>& c) {
  return {a.v * b.v + c.v, a.v * b.d + (b.v * a.d + c.d)};
}
template <int W>
[[gnu::always_inline]] inline DualOf<W> multiplyAdd(double a, const DualOf<W>& b,
                                                    const DualOf<W>& c) {
  return {a * b.v + c.v, a * b.d + c.d};
}
template <int W>
[[gnu::always_inline]] inline DualOf<W> multiplyAdd(const DualOf<W>& a, double b,
                                                    const DualOf<W>& c) {
  return multiplyAdd(b, a, c);
}

/// f(x) from its value and its derivative by x, for functions written for one scalar variable.
[[gnu::always_inline]] inline double chain(double f, double /*slope*/, double /*x*/) { return f; }
template <int W>
[[gnu::always_inline]] inline DualOf<W> chain(double f, double slope, const DualOf<W>& x) {
  return {f, slope * x.d};
}

// The functions of double are found by the same unqualified name inside cardan, so that physics is
// written once for both scalars.
using std::abs;
using std::acos;
using std::asin;
using std::atan;
using std::atan2;
using std::cos;
using std::cosh;
using std::exp;
using std::fabs;
using std::hypot;
using std::isfinite;
using std::log;
using std::log10;
using std::max;
using std::min;
using std::pow;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;

/// s = sin(x), c = cos(x) in one call.
[[gnu::always_inline]] inline void sincos(double x, double& s, double& c) {
#if defined(__GLIBC__)
  ::sincos(x, &s, &c);
#else
  s = std::sin(x);
  c = std::cos(x);
#endif
}
template <int W>
[[gnu::always_inline]] inline void sincos(const DualOf<W>& x, DualOf<W>& s, DualOf<W>& c) {
  double sv, cv;
  sincos(x.v, sv, cv);
  const auto dx = x.d;  // s or c may be x itself
  s = {sv, cv * dx};
  c = {cv, -sv * dx};
}

template <int W>
[[gnu::always_inline]] inline DualOf<W> sin(const DualOf<W>& x) {
  double s, c;
  sincos(x.v, s, c);
  return {s, c * x.d};
}
template <int W>
[[gnu::always_inline]] inline DualOf<W> cos(const DualOf<W>& x) {
  double s, c;
  sincos(x.v, s, c);
  return {c, -s * x.d};
}
template <int W>
[[gnu::always_inline]] inline DualOf<W> tan(const DualOf<W>& x) {
  const double t = std::tan(x.v);
  return {t, (1.0 + t * t) * x.d};
}

namespace detail {
/// A factor of the chain rule; one that is not finite becomes 0, see DualOf.
[[gnu::always_inline]] inline double finiteOrZero(double slope) {
  return std::isfinite(slope) ? slope : 0.0;
}
}  // namespace detail

/// asin and acos: derivative 0 at +-1.
template <int W>
inline DualOf<W> asin(const DualOf<W>& x) {
  return {std::asin(x.v), detail::finiteOrZero(1.0 / std::sqrt((1.0 - x.v) * (1.0 + x.v))) * x.d};
}
template <int W>
inline DualOf<W> acos(const DualOf<W>& x) {
  return {std::acos(x.v), -detail::finiteOrZero(1.0 / std::sqrt((1.0 - x.v) * (1.0 + x.v))) * x.d};
}
template <int W>
inline DualOf<W> atan(const DualOf<W>& x) {
  return {std::atan(x.v), 1.0 / (1.0 + x.v * x.v) * x.d};
}

namespace detail {
/// Partial derivatives of atan2(y, x) by y and x; 0 at the origin. Lengths whose square underflows
/// are scaled by 2^600 first.
[[gnu::always_inline]] inline void slopesOfAtan2(double y, double x, double& by_y, double& by_x) {
  double q = x * x + y * y;
  double scale = 1.0;
  if (q < 1e-280) [[unlikely]] {
    scale = 0x1p600;
    x *= scale;
    y *= scale;
    q = x * x + y * y;
  }
  by_y = finiteOrZero(x / q * scale);
  by_x = finiteOrZero(-y / q * scale);
}
}  // namespace detail

/// atan2(y, x): derivative 0 at the origin.
template <int W>
inline DualOf<W> atan2(const DualOf<W>& y, const DualOf<W>& x) {
  double by_y, by_x;
  detail::slopesOfAtan2(y.v, x.v, by_y, by_x);
  return {std::atan2(y.v, x.v), by_y * y.d + by_x * x.d};
}
template <int W>
inline DualOf<W> atan2(const DualOf<W>& y, double x) {
  double by_y, by_x;
  detail::slopesOfAtan2(y.v, x, by_y, by_x);
  return {std::atan2(y.v, x), by_y * y.d};
}
template <int W>
inline DualOf<W> atan2(double y, const DualOf<W>& x) {
  double by_y, by_x;
  detail::slopesOfAtan2(y, x.v, by_y, by_x);
  return {std::atan2(y, x.v), by_x * x.d};
}

/// sqrt: derivative 0 at 0.
template <int W>
[[gnu::always_inline]] inline DualOf<W> sqrt(const DualOf<W>& x) {
  const double r = std::sqrt(x.v);
  return {r, (r == 0.0 ? 0.0 : 0.5 / r) * x.d};
}
/// hypot(x, y) = sqrt(x^2 + y^2) without overflow; derivative 0 at the origin.
template <int W>
inline DualOf<W> hypot(const DualOf<W>& x, const DualOf<W>& y) {
  const double h = std::hypot(x.v, y.v);
  if (h == 0.0) return DualOf<W>(h);
  return {h, (x.v / h) * x.d + (y.v / h) * y.d};
}
template <int W>
inline DualOf<W> hypot(const DualOf<W>& x, double y) {
  return hypot(x, DualOf<W>(y));
}
template <int W>
inline DualOf<W> hypot(double x, const DualOf<W>& y) {
  return hypot(DualOf<W>(x), y);
}

template <int W>
inline DualOf<W> exp(const DualOf<W>& x) {
  const double e = std::exp(x.v);
  return {e, e * x.d};
}
template <int W>
inline DualOf<W> log(const DualOf<W>& x) {
  return {std::log(x.v), 1.0 / x.v * x.d};
}
template <int W>
inline DualOf<W> log10(const DualOf<W>& x) {
  constexpr double log10_e = 0.43429448190325182765;
  return {std::log10(x.v), log10_e / x.v * x.d};
}
template <int W>
inline DualOf<W> sinh(const DualOf<W>& x) {
  return {std::sinh(x.v), std::cosh(x.v) * x.d};
}
template <int W>
inline DualOf<W> cosh(const DualOf<W>& x) {
  return {std::cosh(x.v), std::sinh(x.v) * x.d};
}
template <int W>
inline DualOf<W> tanh(const DualOf<W>& x) {
  const double t = std::tanh(x.v);
  const double c = std::cosh(x.v);  // 1 - t^2 would lose all digits for large x
  return {t, 1.0 / (c * c) * x.d};
}

/// x^p. Derivative 0 where p x^(p-1) is not finite (x = 0, p < 1).
template <int W>
inline DualOf<W> pow(const DualOf<W>& x, double p) {
  const double slope = p == 0.0 ? 0.0 : detail::finiteOrZero(p * std::pow(x.v, p - 1.0));
  return {std::pow(x.v, p), slope * x.d};
}
template <int W>
inline DualOf<W> pow(const DualOf<W>& x, int p) {
  if (p == 2) return x * x;
  return pow(x, static_cast<double>(p));
}
/// a^x for a constant a. Derivative 0 for a <= 0, where only isolated x have a value.
template <int W>
inline DualOf<W> pow(double a, const DualOf<W>& x) {
  const double y = std::pow(a, x.v);
  return {y, (a > 0.0 ? y * std::log(a) : 0.0) * x.d};
}
/// x^p. The derivative by p is 0 for x <= 0, where only isolated p have a value.
template <int W>
inline DualOf<W> pow(const DualOf<W>& x, const DualOf<W>& p) {
  DualOf<W> y = pow(x, p.v);
  if (x.v > 0.0) y.d += y.v * std::log(x.v) * p.d;
  return y;
}

/// |x|: derivative 0 at 0.
template <int W>
[[gnu::always_inline]] inline DualOf<W> abs(const DualOf<W>& x) {
  const double slope = x.v > 0.0 ? 1.0 : (x.v < 0.0 ? -1.0 : 0.0);
  return {std::abs(x.v), slope * x.d};
}
template <int W>
[[gnu::always_inline]] inline DualOf<W> fabs(const DualOf<W>& x) {
  return abs(x);
}

/// -1, 0 or 1; its derivative is 0, so it is a double for both scalars.
[[gnu::always_inline]] inline double sign(double x) {
  return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : 0.0);
}
template <int W>
[[gnu::always_inline]] inline double sign(const DualOf<W>& x) {
  return sign(x.v);
}

/// The smaller or the larger of the two values, with its own derivative; the first of equal ones.
template <int W>
[[gnu::always_inline]] inline DualOf<W> min(const DualOf<W>& a, const DualOf<W>& b) {
  return b.v < a.v ? b : a;
}
template <int W>
[[gnu::always_inline]] inline DualOf<W> min(const DualOf<W>& a, double b) {
  return b < a.v ? DualOf<W>(b) : a;
}
template <int W>
[[gnu::always_inline]] inline DualOf<W> min(double a, const DualOf<W>& b) {
  return b.v < a ? b : DualOf<W>(a);
}
template <int W>
[[gnu::always_inline]] inline DualOf<W> max(const DualOf<W>& a, const DualOf<W>& b) {
  return a.v < b.v ? b : a;
}
template <int W>
[[gnu::always_inline]] inline DualOf<W> max(const DualOf<W>& a, double b) {
  return a.v < b ? DualOf<W>(b) : a;
}
template <int W>
[[gnu::always_inline]] inline DualOf<W> max(double a, const DualOf<W>& b) {
  return a < b.v ? b : DualOf<W>(a);
}

/// True if the value and every derivative are finite.
template <int W>
inline bool isfinite(const DualOf<W>& x) {
  bool finite = std::isfinite(x.v);
  for (int i = 0; i < W; ++i) finite = finite && std::isfinite(x.d[i]);
  return finite;
}

}  // namespace cardan

namespace Eigen {

/// Lets Eigen matrices hold dual numbers.
template <int W>
struct NumTraits<cardan::DualOf<W>> : NumTraits<double> {
  using Real = cardan::DualOf<W>;
  using NonInteger = cardan::DualOf<W>;
  using Nested = cardan::DualOf<W>;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,
    ReadCost = 2,
    AddCost = 2,
    MulCost = 3
  };
};

/// Lets matrices of dual numbers and of doubles be mixed in expressions, and a matrix of doubles be
/// assigned to one of dual numbers (as constants).
template <int W, class Op>
struct ScalarBinaryOpTraits<cardan::DualOf<W>, double, Op> {
  using ReturnType = cardan::DualOf<W>;
};
template <int W, class Op>
struct ScalarBinaryOpTraits<double, cardan::DualOf<W>, Op> {
  using ReturnType = cardan::DualOf<W>;
};

}  // namespace Eigen
