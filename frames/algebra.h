/// Small vectors and matrices of the two scalars of Cardan, double and Dual, and their products, for
/// every mixture of both.
///
/// Eigen's own product of dual numbers costs a third more additions; these take the fewest possible
/// multiply-adds. A factor of double stays one: it never becomes a Dual with zero derivatives.
#pragma once

#include <Eigen/Core>
#include <limits>

#include "frames/dual.h"

namespace cardan {

template <class S>
using Vector3 = Eigen::Matrix<S, 3, 1>;
template <class S>
using Vector4 = Eigen::Matrix<S, 4, 1>;
template <class S>
using Matrix3 = Eigen::Matrix<S, 3, 3>;

using Vector3d = Vector3<double>;
using Vector4d = Vector4<double>;
using Matrix3d = Matrix3<double>;

/// Scalar of a product of A and B: double only if both are double.
template <class A, class B>
using Promote = typename Eigen::ScalarBinaryOpTraits<A, B>::ReturnType;

/// Scalar of an Eigen expression.
template <class X>
using ScalarOf = typename X::Scalar;

/// Matches double and every DualOf.
template <class S>
inline constexpr bool isScalar = false;
template <>
inline constexpr bool isScalar<double> = true;
template <int W>
inline constexpr bool isScalar<DualOf<W>> = true;
template <class S>
concept Scalar = isScalar<S>;

/// Match every Eigen expression of 3 x 1, 4 x 1 and 3 x 3 elements.
template <class V>
concept VectorExpression3 = V::RowsAtCompileTime == 3 && V::ColsAtCompileTime == 1;
template <class V>
concept VectorExpression4 = V::RowsAtCompileTime == 4 && V::ColsAtCompileTime == 1;
template <class M>
concept MatrixExpression3 = M::RowsAtCompileTime == 3 && M::ColsAtCompileTime == 3;

namespace detail {
/// a1 b1 + a2 b2 + a3 b3.
template <class A, class B>
[[gnu::always_inline]] inline Promote<A, B> sumOfProducts(const A& a1, const B& b1, const A& a2,
                                                          const B& b2, const A& a3, const B& b3) {
  return multiplyAdd(a3, b3, multiplyAdd(a2, b2, Promote<A, B>(a1 * b1)));
}
}  // namespace detail

/// a . b (scalar product of 3-vectors in the same frame).
template <class U, class V>
requires VectorExpression3<U> && VectorExpression3<V>
[[gnu::always_inline]] inline Promote<ScalarOf<U>, ScalarOf<V>> dot(
    const Eigen::MatrixBase<U>& a_, const Eigen::MatrixBase<V>& b_) {
  const auto& a = a_.eval();
  const auto& b = b_.eval();
  return detail::sumOfProducts(a[0], b[0], a[1], b[1], a[2], b[2]);
}

/// a x b (vector product of 3-vectors in the same frame).
template <class U, class V>
requires VectorExpression3<U> && VectorExpression3<V>
[[gnu::always_inline]] inline Vector3<Promote<ScalarOf<U>, ScalarOf<V>>> cross(
    const Eigen::MatrixBase<U>& a_, const Eigen::MatrixBase<V>& b_) {
  using S = Promote<ScalarOf<U>, ScalarOf<V>>;
  const auto& a = a_.eval();
  const auto& b = b_.eval();
  Vector3<S> c;
  c[0] = multiplyAdd(a[1], b[2], S(-(a[2] * b[1])));
  c[1] = multiplyAdd(a[2], b[0], S(-(a[0] * b[2])));
  c[2] = multiplyAdd(a[0], b[1], S(-(a[1] * b[0])));
  return c;
}

/// skew(a) b = a x b: [0, -a3, a2; a3, 0, -a1; -a2, a1, 0].
template <class V>
requires VectorExpression3<V>
inline Matrix3<ScalarOf<V>> skew(const Eigen::MatrixBase<V>& a_) {
  using S = ScalarOf<V>;
  const auto& a = a_.eval();
  Matrix3<S> A;
  A << S(0.0), -a[2], a[1],  //
      a[2], S(0.0), -a[0],   //
      -a[1], a[0], S(0.0);
  return A;
}

/// M v.
template <class M, class V>
requires MatrixExpression3<M> && VectorExpression3<V>
[[gnu::always_inline]] inline Vector3<Promote<ScalarOf<M>, ScalarOf<V>>> multiply(
    const Eigen::MatrixBase<M>& M_, const Eigen::MatrixBase<V>& v_) {
  const auto& A = M_.eval();
  const auto& v = v_.eval();
  Vector3<Promote<ScalarOf<M>, ScalarOf<V>>> y;
  for (int i = 0; i < 3; ++i) {
    y[i] = detail::sumOfProducts(A(i, 0), v[0], A(i, 1), v[1], A(i, 2), v[2]);
  }
  return y;
}

/// M' v.
template <class M, class V>
requires MatrixExpression3<M> && VectorExpression3<V>
[[gnu::always_inline]] inline Vector3<Promote<ScalarOf<M>, ScalarOf<V>>> multiplyTransposed(
    const Eigen::MatrixBase<M>& M_, const Eigen::MatrixBase<V>& v_) {
  const auto& A = M_.eval();
  const auto& v = v_.eval();
  Vector3<Promote<ScalarOf<M>, ScalarOf<V>>> y;
  for (int i = 0; i < 3; ++i) {
    y[i] = detail::sumOfProducts(A(0, i), v[0], A(1, i), v[1], A(2, i), v[2]);
  }
  return y;
}

/// M'.
template <class S>
inline Matrix3<S> transposed(const Matrix3<S>& M) {
  Matrix3<S> Mt;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) Mt(i, j) = M(j, i);
  }
  return Mt;
}

/// A B.
template <class A, class B>
inline Matrix3<Promote<A, B>> product(const Matrix3<A>& a, const Matrix3<B>& b) {
  Matrix3<Promote<A, B>> c;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) {
      c(i, j) = detail::sumOfProducts(a(i, 0), b(0, j), a(i, 1), b(1, j), a(i, 2), b(2, j));
    }
  }
  return c;
}

/// A B'.
template <class A, class B>
inline Matrix3<Promote<A, B>> productTransposed(const Matrix3<A>& a, const Matrix3<B>& b) {
  Matrix3<Promote<A, B>> c;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) {
      c(i, j) = detail::sumOfProducts(a(i, 0), b(j, 0), a(i, 1), b(j, 1), a(i, 2), b(j, 2));
    }
  }
  return c;
}

/// A' B.
template <class A, class B>
inline Matrix3<Promote<A, B>> transposedProduct(const Matrix3<A>& a, const Matrix3<B>& b) {
  Matrix3<Promote<A, B>> c;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) {
      c(i, j) = detail::sumOfProducts(a(0, i), b(0, j), a(1, i), b(1, j), a(2, i), b(2, j));
    }
  }
  return c;
}

namespace frames {

/// Length of a 3-vector, in its unit. Exact to rounding also where the squares underflow (below
/// 1e-140); derivative 0 at the zero vector. Source: MSL 4.0 Math.Vectors.length.
template <class V>
requires VectorExpression3<V>
inline ScalarOf<V> length(const Eigen::MatrixBase<V>& v_) {
  const auto& v = v_.eval();
  const ScalarOf<V> square = dot(v, v);
  if (value(square) < 1e-280) [[unlikely]] {
    const Vector3<ScalarOf<V>> scaled = v * 0x1p600;
    return sqrt(dot(scaled, scaled)) * 0x1p-600;
  }
  return sqrt(square);
}

/// v/|v|, dimensionless; v/(100 eps) where |v| < 100 eps = 2.2e-14, so 0 for 0 (and no division by
/// zero). Source: MSL 4.0 Math.Vectors.normalize.
template <class V>
requires VectorExpression3<V>
inline Vector3<ScalarOf<V>> normalize(const Eigen::MatrixBase<V>& v_) {
  constexpr double shortest = 100.0 * std::numeric_limits<double>::epsilon();
  const auto& v = v_.eval();
  const ScalarOf<V> L = length(v);
  if (value(L) >= shortest) return v / L;
  return v / shortest;
}

/// Unit vector along axis 1, 2 or 3. Source: MSL 4.0 Frames.axis (every other number gives the
/// z-axis).
inline Vector3d axis(int i) {
  return i == 1 ? Vector3d(1, 0, 0) : i == 2 ? Vector3d(0, 1, 0) : Vector3d(0, 0, 1);
}

}  // namespace frames
}  // namespace cardan
