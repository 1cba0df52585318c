#include "frames/orientation.h"

#include "support.h"

using namespace cardan;
using namespace cardan::frames;
using namespace cardan::test;

namespace {

Matrix3d matrix(double a, double b, double c, double d, double e, double f, double g, double h,
                double i) {
  Matrix3d M;
  M << a, b, c, d, e, f, g, h, i;
  return M;
}

const Matrix3d kCount = matrix(1, 2, 3, 4, 5, 6, 7, 8, 10);
const Matrix3d kQuarterX = matrix(1, 0, 0, 0, 0, 1, 0, -1, 0);
const Matrix3d kQuarterZ = matrix(0, 1, 0, -1, 0, 0, 0, 0, 1);

}  // namespace

TEST_CASE("orientationConstraint: lengths and products of the columns, in this order") {
  Eigen::Matrix<double, 6, 1> expected;
  expected << 65, 92, 144, 78, 97, 116;
  CHECK(orientationConstraint(from_T(kCount, Vector3d(0, 0, 0))) == expected);
  CHECK(TransformationMatrices::orientationConstraint(kCount) == expected);
}

TEST_CASE("equalityConstraint: atan2 of D23/D11, -D13/D22, D12/D33, literally") {
  const auto R1 = nullRotation();
  const auto R2 = from_T(kCount, Vector3d(0, 0, 0));
  const Vector3d residue = Orientation<double>::equalityConstraint(R1, R2);
  CHECK(residue[0] == std::atan2(6.0, 1.0));
  CHECK(residue[1] == std::atan2(-3.0, 5.0));
  CHECK(residue[2] == std::atan2(2.0, 10.0));
  CHECK(TransformationMatrices::equalityConstraint(R1.T, R2.T) == Vector3d(6, -3, 2));
}

TEST_CASE(
    "equalityConstraint: the third axis of R1 is the product of the first two, except in D33") {
  const auto R1 = from_T(matrix(1, 0, 0, 0, 1, 0, 9, 9, 2), Vector3d(0, 0, 0));
  const auto R2 = from_T(kCount, Vector3d(0, 0, 0));
  const Vector3d residue = Orientation<double>::equalityConstraint(R1, R2);
  CHECK(residue[0] == std::atan2(6.0, 1.0));
  CHECK(residue[1] == std::atan2(-3.0, 5.0));
  CHECK(residue[2] == std::atan2(2.0, 155.0));
  CHECK(TransformationMatrices::equalityConstraint(R1.T, R2.T) == Vector3d(6, -3, 2));
}

TEST_CASE("equalityConstraint: pi/4 at a quarter turn about x, pi at a half turn about z") {
  const auto R0 = nullRotation();
  const auto quarter = from_T(kQuarterX, Vector3d(0, 0, 0));
  CHECK(Orientation<double>::equalityConstraint(R0, quarter)[0] == kPi / 4);
  const auto half = from_T(matrix(-1, 0, 0, 0, -1, 0, 0, 0, 1), Vector3d(0, 0, 0));
  const Vector3d residue = Orientation<double>::equalityConstraint(R0, half);
  CHECK(std::abs(residue[0]) == kPi);
  CHECK(std::abs(residue[1]) == kPi);
  CHECK(residue[2] == 0.0);
  CHECK(TransformationMatrices::equalityConstraint(R0.T, half.T) == Vector3d(0, 0, 0));
}

TEST_CASE_TEMPLATE("equalityConstraint: zero for equal orientations and for no others", S, double,
                   Dual) {
  for (const auto& [R1, R2] : nastyPairs<S>()) {
    const Vector3<S> residue = Orientation<S>::equalityConstraint(R1, R2);
    const Matrix3d T1 = values(R1.T), T2 = values(R2.T);
    const double apart = (T1 - T2).norm();
    CAPTURE(T1);
    CAPTURE(T2);
    if (apart <= kAlgebra) {
      CHECK(values(residue).norm() <= kAlgebra);
    } else {
      // |T1 - T2| = 2 sqrt(2) sin(phi/2); some residue exceeds half of phi/sqrt(3) near zero.
      CHECK(values(residue).norm() >= 0.1 * apart);
    }
    for (int i = 0; i < 3; ++i) CHECK(isfinite(residue[i]));
  }
}

TEST_CASE("equalityConstraint: to first order the angles about x, y, z of frame 1") {
  Random random(21);
  for (const auto& [R1, other] : nastyPairs<double>()) {
    const double angle = 1e-6;
    const Vector3d e = random.unitVector();
    // T_rel = I - skew(e) angle + terms of second order below angle^2.
    const auto R2 = absoluteRotation(
        R1, from_T(Matrix3d(Matrix3d::Identity() - angle * skew(e)), Vector3d(0, 0, 0)));
    const double secondOrder = angle * angle + kAlgebra;
    CHECK(distance(Orientation<double>::equalityConstraint(R1, R2), e * angle) <= secondOrder);
    CHECK(distance(TransformationMatrices::equalityConstraint(R1.T, R2.T), e * angle) <=
          secondOrder);
    CHECK(distance(smallRotation(relativeRotation(R1, R2)), e * angle) <= secondOrder);
  }
}

TEST_CASE("relativeRotation, absoluteRotation, inverseRotation: literal quarter turns") {
  const auto R1 = from_T(kQuarterZ, Vector3d(1, 2, 3));
  const auto R_rel = from_T(kQuarterX, Vector3d(10, 20, 30));
  const auto R2 = absoluteRotation(R1, R_rel);
  CHECK(R2.T == matrix(0, 1, 0, 0, 0, 1, 1, 0, 0));
  CHECK(R2.w == Vector3d(11, 23, 28));
  const auto inverse = inverseRotation(R1);
  CHECK(inverse.T == matrix(0, -1, 0, 1, 0, 0, 0, 0, 1));
  CHECK(inverse.w == Vector3d(2, -1, -3));
  const auto relative = relativeRotation(R1, nullRotation());
  CHECK(relative.T == inverse.T);
  CHECK(relative.w == inverse.w);
}

TEST_CASE_TEMPLATE("resolve1 and resolve2: inverse to each other, and as T says", S, double, Dual) {
  Random random(22);
  for (const auto& R : nastyOrientations<S>()) {
    for (const Vector3d& v_ : nastyVectors()) {
      const Vector3<S> v = lift<S>(v_, random);
      CHECK(distance(resolve1(R, resolve2(R, v)), v) <= kAlgebra);
      CHECK(distance(resolve2(R, resolve1(R, v)), v) <= kAlgebra);
      CHECK(distance(resolve2(R, v), Vector3<S>(to_T(R) * v)) <= kAlgebra);
      CHECK(distance(resolve1(R, v), Vector3<S>(to_T_inv(R) * v)) <= kAlgebra);
      CHECK(distance(resolve2(R, v_), resolve2(R, Vector3<S>(v_))) <= kAlgebra);
    }
  }
}

TEST_CASE("resolve2: the first row of T is the x-axis of frame 2 in frame 1") {
  const auto R = from_T(kCount, Vector3d(0, 0, 0));
  CHECK(resolve2(R, Vector3d(1, 0, 0)) == Vector3d(1, 4, 7));
  CHECK(resolve1(R, Vector3d(1, 0, 0)) == Vector3d(1, 2, 3));
}

TEST_CASE_TEMPLATE("resolve1 and resolve2: keep lengths, scalar and vector products", S, double,
                   Dual) {
  Random random(23);
  for (const auto& R : nastyOrientations<S>()) {
    const Vector3<S> u = lift<S>(random.vector(), random), v = lift<S>(random.vector(), random);
    CHECK(distance(dot(resolve2(R, u), resolve2(R, v)), dot(u, v)) <= kAlgebra);
    CHECK(distance(cross(resolve1(R, u), resolve1(R, v)), resolve1(R, cross(u, v))) <= kAlgebra);
  }
}

TEST_CASE_TEMPLATE("relativeRotation and absoluteRotation: undo each other, w included", S, double,
                   Dual) {
  for (const auto& [R1, R2] : nastyPairs<S>()) {
    CHECK(distance(absoluteRotation(R1, relativeRotation(R1, R2)), R2) <= kAlgebra);
    CHECK(distance(relativeRotation(R1, absoluteRotation(R1, R2)), R2) <= kAlgebra);
    CHECK(distance(relativeRotation(R2, R1), inverseRotation(relativeRotation(R1, R2))) <=
          kAlgebra);
    CHECK(distance(TransformationMatrices::relativeRotation(R1.T, R2.T),
                   relativeRotation(R1, R2).T) == 0.0);
    CHECK(distance(TransformationMatrices::absoluteRotation(R1.T, R2.T),
                   absoluteRotation(R1, R2).T) == 0.0);
  }
}

TEST_CASE_TEMPLATE("inverseRotation: is its own inverse, and cancels the rotation and its rate", S,
                   double, Dual) {
  for (const auto& R : nastyOrientations<S>()) {
    CHECK(distance(inverseRotation(inverseRotation(R)), R) <= kAlgebra);
    CHECK(distance(absoluteRotation(R, inverseRotation(R)), nullRotation<S>()) <= kAlgebra);
    CHECK(distance(TransformationMatrices::inverseRotation(R.T), inverseRotation(R).T) == 0.0);
  }
}

TEST_CASE_TEMPLATE("absoluteRotation: is associative, and nullRotation does nothing", S, double,
                   Dual) {
  const auto all = nastyOrientations<S>();
  Random random(24);
  for (const auto& [R1, R2] : nastyPairs<S>()) {
    const auto& R3 = all[random.below(all.size())];
    CHECK(distance(absoluteRotation(absoluteRotation(R1, R2), R3),
                   absoluteRotation(R1, absoluteRotation(R2, R3))) <= kAlgebra);
    CHECK(distance(absoluteRotation(nullRotation<S>(), R1), R1) == 0.0);
    CHECK(distance(absoluteRotation(R1, nullRotation<S>()), R1) == 0.0);
  }
}

TEST_CASE_TEMPLATE("resolveRelative: equals resolve2 of relativeRotation", S, double, Dual) {
  Random random(25);
  for (const auto& [R1, R2] : nastyPairs<S>()) {
    const Vector3<S> v = lift<S>(random.vector(), random);
    CHECK(distance(resolveRelative(v, R1, R2), resolve2(relativeRotation(R1, R2), v)) <= kAlgebra);
  }
}

TEST_CASE_TEMPLATE("resolveDyade: commutes with the product with a vector", S, double, Dual) {
  Random random(26);
  for (const auto& R : nastyOrientations<S>()) {
    const Matrix3d D = random.matrix();
    const Vector3<S> v = lift<S>(random.vector(), random);
    CHECK(distance(multiply(resolveDyade2(R, D), resolve2(R, v)), resolve2(R, multiply(D, v))) <=
          kAlgebra);
    CHECK(distance(multiply(resolveDyade1(R, D), resolve1(R, v)), resolve1(R, multiply(D, v))) <=
          kAlgebra);
    CHECK(distance(resolveDyade1(R, resolveDyade2(R, D)), Matrix3<S>(D)) <= kAlgebra);
  }
}

TEST_CASE("resolveDyade: literal quarter turn about z") {
  const auto R = from_T(kQuarterZ, Vector3d(0, 0, 0));
  CHECK(resolveDyade2(R, kCount) == matrix(5, -4, 6, -2, 1, -3, 8, -7, 10));
  CHECK(resolveDyade1(R, matrix(5, -4, 6, -2, 1, -3, 8, -7, 10)) == kCount);
}

TEST_CASE_TEMPLATE("angularVelocity1: is angularVelocity2 resolved in frame 1", S, double, Dual) {
  for (const auto& R : nastyOrientations<S>()) {
    CHECK(distance(angularVelocity1(R), resolve1(R, angularVelocity2(R))) == 0.0);
    CHECK(distance(angularVelocity2(R), R.w) == 0.0);
  }
  CHECK(angularVelocity1(from_T(kQuarterZ, Vector3d(1, 2, 3))) == Vector3d(-2, 1, 3));
}

TEST_CASE("from_T2: products of the rows of T and der(T), literally") {
  const Vector3d w = from_T2(Matrix3d(Matrix3d::Identity()), kCount).w;
  CHECK(w == Vector3d(6, -3, 2));
  const auto R = from_T2(kQuarterZ, kCount);
  CHECK(R.w == Vector3d(6, -3, -1));  // {T[3].dT[2], -T[3].dT[1], T[2].dT[1]}
  CHECK(R.T == kQuarterZ);
}

TEST_CASE("from_T2: recovers w from der(T) = -skew(w) T") {
  for (const auto& R : nastyOrientations<double>()) {
    const Matrix3d der_T = -product(skew(R.w), R.T);
    CHECK(distance(from_T2(R.T, der_T).w, R.w) <= kAlgebra);
    CHECK(distance(TransformationMatrices::angularVelocity2(R.T, der_T), R.w) <= kAlgebra);
    CHECK(distance(TransformationMatrices::angularVelocity1(R.T, der_T), angularVelocity1(R)) <=
          kAlgebra);
  }
}

TEST_CASE("from_T, from_T_inv, to_T, to_T_inv: transpose the matrix and only negate w") {
  const Vector3d w(1, 2, 3);
  CHECK(from_T(kCount, w).T == kCount);
  CHECK(from_T(kCount, w).w == w);
  CHECK(from_T_inv(kQuarterZ, w).T == transposed(kQuarterZ));
  CHECK(from_T_inv(kQuarterZ, w).w == Vector3d(-1, -2, -3));
  CHECK(to_T(from_T(kCount, w)) == kCount);
  CHECK(to_T_inv(from_T(kCount, w)) == transposed(kCount));
  CHECK(TransformationMatrices::from_T(kCount) == kCount);
  CHECK(TransformationMatrices::to_T(kCount) == kCount);
  CHECK(TransformationMatrices::from_T_inv(kCount) == transposed(kCount));
  CHECK(TransformationMatrices::to_T_inv(kCount) == transposed(kCount));
}

TEST_CASE("to_vector: by columns, to_exy: the first two rows as columns") {
  const auto R = from_T(kCount, Vector3d(0, 0, 0));
  Eigen::Matrix<double, 9, 1> v;
  v << 1, 4, 7, 2, 5, 8, 3, 6, 10;
  CHECK(to_vector(R) == v);
  Eigen::Matrix<double, 3, 2> exy;
  exy << 1, 4, 2, 5, 3, 6;
  CHECK(to_exy(R) == exy);
}

TEST_CASE("smallRotation: T23, -T13, T12, and with residues three more") {
  const auto R = from_T(kCount, Vector3d(0, 0, 0));
  CHECK(smallRotation(R) == Vector3d(6, -3, 2));
  Eigen::Matrix<double, 6, 1> expected;
  expected << 6, -3, 2, 0, 4, -4;
  CHECK(smallRotationWithResidues(R) == expected);
}

TEST_CASE_TEMPLATE("smallRotationWithResidues: all six are zero only without rotation", S, double,
                   Dual) {
  for (const auto& R : nastyOrientations<S>()) {
    const auto r = smallRotationWithResidues(R);
    const double apart = (values(R.T) - Matrix3d::Identity()).norm();
    if (apart > 1e-7) CHECK(values(r).norm() >= 0.1 * apart);
    if (apart == 0.0) CHECK(values(r).norm() == 0.0);
  }
}

TEST_CASE_TEMPLATE("orientationConstraint: zero for every rotation, derivatives included", S,
                   double, Dual) {
  for (const auto& R : nastyOrientations<S>()) {
    const Eigen::Matrix<S, 6, 1> zero = Eigen::Matrix<double, 6, 1>::Zero();
    CHECK(distance(orientationConstraint(R), zero) <= kAlgebra);
  }
}

TEST_CASE("multipleResolve: resolves every column, for fixed and dynamic widths") {
  Random random(27);
  const Eigen::Matrix<double, 3, Eigen::Dynamic> v = Eigen::Matrix<double, 3, 5>::NullaryExpr(
      [&](Eigen::Index, Eigen::Index) { return random.number(); });
  for (const auto& R : nastyOrientations<Dual>()) {
    const auto v2 = TransformationMatrices::multipleResolve2(R.T, v);
    const auto v1 = TransformationMatrices::multipleResolve1(R.T, v);
    REQUIRE(v2.cols() == 5);
    for (int j = 0; j < 5; ++j) {
      CHECK(distance(v2.col(j), TransformationMatrices::resolve2(R.T, v.col(j))) <= kAlgebra);
      CHECK(distance(v1.col(j), TransformationMatrices::resolve1(R.T, v.col(j))) <= kAlgebra);
    }
  }
}

TEST_CASE("Orientation: a constant one becomes one of dual numbers without derivatives") {
  const auto R = from_T(kQuarterZ, Vector3d(1, 2, 3));
  const Orientation<Dual> D = R;
  CHECK(distance(D.T, R.T) == 0.0);
  CHECK(distance(D.w, R.w) == 0.0);
  CHECK(distance(TransformationMatrices::nullRotation<Dual>(), Matrix3d(Matrix3d::Identity())) ==
        0.0);
}
