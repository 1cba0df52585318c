/// Small vectors and matrices of the two scalars of Cardan: double and Dual.
#pragma once

#include <Eigen/Core>

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

}  // namespace cardan
