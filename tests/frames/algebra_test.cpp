#include "frames/algebra.h"

#include "support.h"

using namespace cardan;
using namespace cardan::frames;
using namespace cardan::test;

TEST_CASE("cross, dot, skew: literal values") {
  const Vector3d a(1, 2, 3), b(4, 5, 6);
  CHECK(dot(a, b) == 32.0);
  CHECK(cross(a, b) == Vector3d(-3, 6, -3));
  Matrix3d A;
  A << 0, -3, 2, 3, 0, -1, -2, 1, 0;
  CHECK(skew(a) == A);
}

TEST_CASE("product, multiply and their transposed forms: literal values") {
  Matrix3d A, B, AB, ABt, AtB;
  A << 1, 2, 3, 4, 5, 6, 7, 8, 10;
  B << 1, 0, 2, 0, 3, 1, 4, 1, 0;
  AB << 13, 9, 4, 28, 21, 13, 47, 34, 22;
  ABt << 7, 9, 6, 16, 21, 21, 27, 34, 36;
  AtB << 29, 19, 6, 34, 23, 9, 43, 28, 12;
  CHECK(product(A, B) == AB);
  CHECK(productTransposed(A, B) == ABt);
  CHECK(transposedProduct(A, B) == AtB);
  Matrix3d At;
  At << 1, 4, 7, 2, 5, 8, 3, 6, 10;
  CHECK(transposed(A) == At);
  CHECK(multiply(A, Vector3d(1, 2, 3)) == Vector3d(14, 32, 53));
  CHECK(multiplyTransposed(A, Vector3d(1, 2, 3)) == Vector3d(30, 36, 45));
}

TEST_CASE_TEMPLATE("products: equal the sums of products, derivatives and mixtures included", S,
                   double, Dual) {
  Random random(11);
  for (int n = 0; n < 20; ++n) {
    Matrix3<S> A, B;
    for (int i = 0; i < 9; ++i) {
      A(i) = lift<S>(random.number(), random);
      B(i) = lift<S>(random.number(), random);
    }
    const Matrix3d M = random.matrix();
    const Vector3<S> v = lift<S>(random.vector(), random), u = lift<S>(random.vector(), random);
    const Vector3d m = random.vector();
    for (int i = 0; i < 3; ++i) {
      S Av = 0.0, Atv = 0.0, Am = 0.0, Mv = 0.0;
      for (int k = 0; k < 3; ++k) {
        Av += A(i, k) * v[k];
        Atv += A(k, i) * v[k];
        Am += A(i, k) * m[k];
        Mv += M(i, k) * v[k];
      }
      CHECK(distance(multiply(A, v)[i], Av) <= kAlgebra);
      CHECK(distance(multiplyTransposed(A, v)[i], Atv) <= kAlgebra);
      CHECK(distance(multiply(A, m)[i], Am) <= kAlgebra);
      CHECK(distance(multiply(M, v)[i], Mv) <= kAlgebra);
      for (int j = 0; j < 3; ++j) {
        S AB = 0.0, ABt = 0.0, AtB = 0.0, MB = 0.0;
        for (int k = 0; k < 3; ++k) {
          AB += A(i, k) * B(k, j);
          ABt += A(i, k) * B(j, k);
          AtB += A(k, i) * B(k, j);
          MB += M(i, k) * B(k, j);
        }
        CHECK(distance(product(A, B)(i, j), AB) <= kAlgebra);
        CHECK(distance(productTransposed(A, B)(i, j), ABt) <= kAlgebra);
        CHECK(distance(transposedProduct(A, B)(i, j), AtB) <= kAlgebra);
        CHECK(distance(product(M, B)(i, j), MB) <= kAlgebra);
      }
    }
    CHECK(distance(dot(u, v), S(u[0] * v[0] + u[1] * v[1] + u[2] * v[2])) <= kAlgebra);
    CHECK(distance(multiply(skew(u), v), cross(u, v)) <= kAlgebra);
    CHECK(distance(cross(u, v), Vector3<S>(-cross(v, u))) <= kAlgebra);
    CHECK(distance(dot(cross(u, v), u), S(0.0)) <= kAlgebra);
    CHECK(distance(cross(m, v), cross(Vector3<S>(m), v)) <= kAlgebra);
    CHECK(distance(cross(u - m, v * 2.0), cross(Vector3<S>(u - m), Vector3<S>(v * 2.0))) == 0.0);
  }
}

TEST_CASE("length: literal values, exact where squares underflow, derivative 0 at zero") {
  CHECK(length(Vector3d(2, 3, 6)) == 7.0);
  CHECK(length(Vector3d(0, 0, 0)) == 0.0);
  for (double tiny : {1e-140, 1e-160, 1e-200, 1e-300}) {
    CAPTURE(tiny);
    const Vector3<Dual> v(Dual::seed(2 * tiny, 0), Dual::seed(3 * tiny, 1), 6 * tiny);
    const Dual L = length(v);
    CHECK(distance(L.v / (7 * tiny), 1.0) <= 4 * kEps);
    CHECK(distance(L.lane(0), 2.0 / 7) <= 4 * kEps);
    CHECK(distance(L.lane(1), 3.0 / 7) <= 4 * kEps);
  }
  Vector3<Dual> zero = Vector3d::Zero();
  zero[0].setLane(0, 1.0);
  CHECK(distance(length(zero), Dual(0.0)) == 0.0);
}

TEST_CASE("normalize: unit length from 100 eps upwards, v/(100 eps) below") {
  constexpr double limit = 2.220446049250313e-14;
  CHECK(normalize(Vector3d(0, 3, -4)) == Vector3d(0, 0.6, -0.8));
  CHECK(normalize(Vector3d(0, 1.01 * limit, 0)) == Vector3d(0, 1, 0));
  CHECK(distance(normalize(Vector3d(0, 0.5 * limit, 0)), Vector3d(0, 0.5, 0)) <= kEps);
  CHECK(normalize(Vector3d(0, 0, 0)) == Vector3d(0, 0, 0));
  Vector3<Dual> zero = Vector3d::Zero();
  zero[1].setLane(0, 1.0);
  CHECK(distance(normalize(zero)[1].lane(0) * limit, 1.0) <= 2 * kEps);
}

TEST_CASE("axis: unit vectors of x, y, z") {
  CHECK(axis(1) == Vector3d(1, 0, 0));
  CHECK(axis(2) == Vector3d(0, 1, 0));
  CHECK(axis(3) == Vector3d(0, 0, 1));
}
