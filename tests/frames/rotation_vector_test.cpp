#include "frames/rotations.h"

#include "support.h"

using namespace cardan;
using namespace cardan::frames;
using namespace cardan::test;

TEST_CASE("rotationVector: literal turns about the axes") {
  CHECK(rotationVector(nullRotation()) == Vector3d(0, 0, 0));
  CHECK(distance(rotationVector(axisRotation(1, 0.5, 0.0)), Vector3d(0.5, 0, 0)) <= kAlgebra);
  CHECK(distance(rotationVector(axisRotation(2, -3.0, 0.0)), Vector3d(0, -3, 0)) <= kAlgebra);
  CHECK(distance(rotationVector(axisRotation(3, 4.0, 0.0)), Vector3d(0, 0, 4 - 2 * kPi)) <=
        kAlgebra);
}

TEST_CASE_TEMPLATE("rotationVector: is the inverse of planarRotation up to the half turn", S,
                   double, Dual) {
  Random random(61);
  for (const Vector3d& e : nastyAxes()) {
    for (double angle :
         {0.0, 1e-160, 1e-12, 1e-8, 1e-3, 0.06, 0.0633, 0.07, 1.0, 2.5, kPi - 1e-6}) {
      const S phi = lift<S>(angle, random);
      CAPTURE(angle);
      const Vector3<S> found = rotationVector(planarRotation(e, phi, 0.0));
      CHECK(distance(found, Vector3<S>(e * phi)) <= kAlgebra);
      const auto Q = Quaternions::planarRotation(e, phi);
      CHECK(distance(rotationVector(Q), Vector3<S>(e * phi)) <= kAlgebra);
      CHECK(distance(rotationVector(Vector4<S>(Q * -3.0)), Vector3<S>(e * phi)) <= kAlgebra);
    }
  }
}

TEST_CASE_TEMPLATE("rotationVector: never longer than pi, finite, and gives back the rotation", S,
                   double, Dual) {
  for (const auto& R : nastyOrientations<S>()) {
    const Vector3<S> phi = rotationVector(R);
    const double angle = values(phi).norm();
    CHECK(angle <= kPi * (1 + 4 * kEps));
    for (int i = 0; i < 3; ++i) CHECK(isfinite(phi[i]));
    const Vector3d e = angle > 0 ? Vector3d(values(phi) / angle) : Vector3d(1, 0, 0);
    if (angle > 1e-150) {
      CHECK(distance(TransformationMatrices::planarRotation(e, angle), values(R.T)) <= kAlgebra);
    } else {
      CHECK(distance(Matrix3d(Matrix3d::Identity()), values(R.T)) <= kAlgebra);
    }
  }
}

TEST_CASE("rotationVector: exact half turns have length pi and a positive largest component") {
  Matrix3d T;
  T << 0, 1, 0, 1, 0, 0, 0, 0, -1;
  const double a = kPi * std::sqrt(0.5);
  CHECK(distance(rotationVector(from_T(T, Vector3d(0, 0, 0))), Vector3d(a, a, 0)) <= kAlgebra);
  T << -1, 0, 0, 0, -1, 0, 0, 0, 1;
  CHECK(distance(rotationVector(from_T(T, Vector3d(0, 0, 0))), Vector3d(0, 0, kPi)) <= kAlgebra);
}

TEST_CASE("rotationVector: its derivative at no rotation is that of smallRotation") {
  for (const auto& R : nastyOrientations<double>()) {
    Matrix3<Dual> T = Matrix3d::Identity();
    const Matrix3d der_T = -skew(R.w);
    for (int i = 0; i < 9; ++i) T(i).setLane(0, der_T(i));
    const Orientation<Dual> turning{T, Vector3d::Zero()};
    CHECK(distance(lane(rotationVector(turning), 0), R.w) <= kAlgebra);
    CHECK(distance(rotationVector(turning), smallRotation(turning)) <= kAlgebra);
  }
}

TEST_CASE("rotationVector: one Newton step leads from any angle about a fixed axis to the goal") {
  for (double angle : {0.3, 1.5, 3.0, -3.1}) {
    const Vector3d e = Vector3d(1, 2, -2) / 3.0;
    const auto goal = planarRotation(e, angle, 0.0);
    const Dual start = Dual::seed(0.0, 0);
    const auto residue = rotationVector(relativeRotation(planarRotation(e, start, 0.0), goal));
    const Vector3d J = lane(residue, 0);
    CHECK(distance(-J.dot(values(residue)) / J.dot(J), angle) <= kAlgebra);
  }
}
