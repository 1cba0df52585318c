#include "frames/quaternions.h"

#include "support.h"

using namespace cardan;
using namespace cardan::frames;
using namespace cardan::test;

namespace {

/// Quaternions of all nasty rotations, both signs.
template <class S>
std::vector<Vector4<S>> nastyQuaternions() {
  std::vector<Vector4<S>> all;
  Random random(51);
  for (const Vector3d& e : nastyAxes()) {
    for (double angle : nastyAngles()) {
      all.push_back(Quaternions::planarRotation(e, lift<S>(angle, random)));
      all.push_back(-all.back());
    }
  }
  return all;
}

const double kHalf = std::sqrt(0.5);

}  // namespace

TEST_CASE("Quaternions.to_T: literal matrix of {1,2,3,4}/sqrt(30)") {
  const Vector4d Q = Vector4d(1, 2, 3, 4) / std::sqrt(30.0);
  Matrix3d T;
  T << 4, 28, -10, -20, 10, 20, 22, 4, 20;
  CHECK(distance(Quaternions::to_T(Q), Matrix3d(T / 30)) <= 8 * kEps);
  CHECK(distance(Quaternions::to_T_inv(Q), Matrix3d(transposed(T) / 30)) <= 8 * kEps);
  CHECK(distance(from_Q(Q, Vector3d(1, 2, 3)).T, Matrix3d(T / 30)) <= 8 * kEps);
  CHECK(from_Q(Q, Vector3d(1, 2, 3)).w == Vector3d(1, 2, 3));
}

TEST_CASE("Quaternions.angularVelocity1 and 2: literal integers") {
  const Vector4d Q(1, 2, 3, 4), der_Q(5, 6, 7, 8);
  CHECK(Quaternions::angularVelocity1(Q, der_Q) == Vector3d(16, 32, 0));
  CHECK(Quaternions::angularVelocity2(Q, der_Q) == Vector3d(32, 0, 16));
}

TEST_CASE("Quaternions.relativeRotation and absoluteRotation: literal integers") {
  const Vector4d Q1(1, 2, 3, 4), Q2(5, 6, 7, 8);
  CHECK(Quaternions::relativeRotation(Q1, Q2) == Vector4d(16, 0, 8, 70));
  CHECK(Quaternions::absoluteRotation(Q1, Q2) == Vector4d(24, 48, 48, -6));
  CHECK(Quaternions::inverseRotation(Q1) == Vector4d(-1, -2, -3, 4));
  CHECK(Quaternions::smallRotation(Q1) == Vector3d(2, 4, 6));
  CHECK(Quaternions::orientationConstraint(Q1)(0) == 29.0);
  CHECK(Quaternions::nullRotation() == Vector4d(0, 0, 0, 1));
}

TEST_CASE("Quaternions.equalityConstraint: atan2 against Q1.Q2, so that -Q is not accepted") {
  const Vector4d Q1(1, 2, 3, 4), Q2(5, 6, 7, 8);
  const Vector3d residue = Quaternions::equalityConstraint(Q1, Q2);
  CHECK(residue == Vector3d(std::atan2(16.0, 70.0), std::atan2(0.0, 70.0), std::atan2(8.0, 70.0)));
  CHECK(Quaternions::equalityConstraint(Q1, Q1) == Vector3d(0, 0, 0));
  CHECK(std::abs(Quaternions::equalityConstraint(Q1, -Q1)[0]) == kPi);
}

TEST_CASE("Quaternions.planarRotation: half the angle, vector part along the axis") {
  CHECK(distance(Quaternions::planarRotation(Vector3d(0, 0.6, -0.8), kPi / 3),
                 Vector4d(0, 0.3, -0.4, std::sqrt(3.0) / 2)) <= 2 * kEps);
}

TEST_CASE_TEMPLATE("Quaternions: agree with the transformation matrices in every function", S,
                   double, Dual) {
  const auto all = nastyQuaternions<S>();
  Random random(52);
  for (const auto& Q1 : all) {
    const auto& Q2 = all[random.below(all.size())];
    const Matrix3<S> T1 = Quaternions::to_T(Q1), T2 = Quaternions::to_T(Q2);
    CHECK(distance(Quaternions::orientationConstraint(Q1)(0), S(0.0)) <= kAlgebra);
    CHECK(distance(product(T1, Quaternions::to_T_inv(Q1)), Matrix3<S>(Matrix3d::Identity())) <=
          kAlgebra);
    CHECK(distance(TransformationMatrices::from_Q(Q1), T1) == 0.0);
    CHECK(distance(Quaternions::to_T(Quaternions::relativeRotation(Q1, Q2)),
                   TransformationMatrices::relativeRotation(T1, T2)) <= kAlgebra);
    CHECK(distance(Quaternions::to_T(Quaternions::absoluteRotation(Q1, Q2)),
                   TransformationMatrices::absoluteRotation(T1, T2)) <= kAlgebra);
    CHECK(distance(Quaternions::to_T(Quaternions::inverseRotation(Q1)),
                   Quaternions::to_T_inv(Q1)) <= kAlgebra);
    CHECK(distance(Quaternions::absoluteRotation(Q1, Quaternions::relativeRotation(Q1, Q2)), Q2) <=
          kAlgebra);
    const Vector3<S> v = lift<S>(random.vector(), random);
    CHECK(distance(Quaternions::resolve1(Q1, v), TransformationMatrices::resolve1(T1, v)) <=
          kAlgebra);
    CHECK(distance(Quaternions::resolve2(Q1, v), TransformationMatrices::resolve2(T1, v)) <=
          kAlgebra);
    Eigen::Matrix<S, 3, Eigen::Dynamic> many(3, 2);
    many << v, lift<S>(random.vector(), random);
    const auto many1 = Quaternions::multipleResolve1(Q1, many);
    const auto many2 = Quaternions::multipleResolve2(Q1, many);
    for (int j = 0; j < 2; ++j) {
      CHECK(distance(many1.col(j), Quaternions::resolve1(Q1, many.col(j))) <= kAlgebra);
      CHECK(distance(many2.col(j), Quaternions::resolve2(Q1, many.col(j))) <= kAlgebra);
    }
  }
}

TEST_CASE("Quaternions.planarRotation: agrees with TransformationMatrices.planarRotation") {
  // to_T works with products of sines of half angles; see orientation of the axis in
  // planarRotation.
  Random random(53);
  for (const Vector3d& e : nastyAxes()) {
    for (double angle : nastyAngles()) {
      const auto R = from_Q(Quaternions::planarRotation(e, angle), Vector3d(0, 0, 0));
      for (const Vector3d& v : nastyVectors()) {
        // Rodrigues: the frame turns by angle, so the components turn by -angle.
        const Vector3d expected = v * std::cos(angle) - cross(e, v) * std::sin(angle) +
                                  e * dot(e, v) * (1 - std::cos(angle));
        CHECK(distance(resolve2(R, v), expected) <= kAlgebra);
      }
    }
  }
}

TEST_CASE("Quaternions.angularVelocity1 and 2: are the rate of to_T") {
  Random random(54);
  for (const auto& Q_ : nastyQuaternions<double>()) {
    // A rate of a unit quaternion is perpendicular to it.
    Vector4d der_Q(random.number(), random.number(), random.number(), random.number());
    der_Q -= Q_ * Q_.dot(der_Q);
    Vector4<Dual> Q = Q_;
    for (int i = 0; i < 4; ++i) Q[i].setLane(0, der_Q[i]);
    const Matrix3<Dual> T = Quaternions::to_T(Q);
    const Vector3d w2 = Quaternions::angularVelocity2(Q_, der_Q);
    CHECK(distance(lane(T, 0), Matrix3d(-skew(w2) * values(T))) <= kAlgebra);
    CHECK(distance(Quaternions::angularVelocity1(Q_, der_Q), Quaternions::resolve1(Q_, w2)) <=
          kAlgebra);
    CHECK(distance(TransformationMatrices::angularVelocity2(values(T), lane(T, 0)), w2) <=
          kAlgebra);
    CHECK(distance(TransformationMatrices::angularVelocity1(values(T), lane(T, 0)),
                   Quaternions::angularVelocity1(Q_, der_Q)) <= kAlgebra);
  }
}

TEST_CASE_TEMPLATE("Quaternions.from_T: gives back Q when Q itself is the guess", S, double, Dual) {
  for (const auto& Q : nastyQuaternions<S>()) {
    const Matrix3<S> T = Quaternions::to_T(Q);
    CHECK(distance(Quaternions::from_T(T, values(Q)), Q) <= kAlgebra);
    CHECK(distance(Quaternions::from_T(T, Vector4d(-values(Q))), Vector4<S>(-Q)) <= kAlgebra);
    CHECK(distance(Quaternions::from_T_inv(transposed(T), values(Q)), Q) <= kAlgebra);
    CHECK(value(Quaternions::from_T(T)[3]) >= 0.0);
    CHECK(distance(TransformationMatrices::to_Q(T), Quaternions::from_T(T)) == 0.0);
    CHECK(distance(to_Q(from_T(T, Vector3d(0, 0, 0))), Quaternions::from_T(T)) == 0.0);
  }
}

TEST_CASE(
    "Quaternions.from_T: half turns about {1,1,0}, {1,0,1}, {0,1,1}, where MSL divides by zero") {
  Matrix3d T;
  T << 0, 1, 0, 1, 0, 0, 0, 0, -1;
  CHECK(distance(Quaternions::from_T(T), Vector4d(kHalf, kHalf, 0, 0)) <= kEps);
  T << 0, 0, 1, 0, -1, 0, 1, 0, 0;
  CHECK(distance(Quaternions::from_T(T), Vector4d(kHalf, 0, kHalf, 0)) <= kEps);
  T << -1, 0, 0, 0, 0, 1, 0, 1, 0;
  CHECK(distance(Quaternions::from_T(T), Vector4d(0, kHalf, kHalf, 0)) <= kEps);
}

TEST_CASE("Quaternions.from_T: every exact rotation is reproduced, derivatives finite") {
  for (const Matrix3d& T_ : exactRotations()) {
    Matrix3<Dual> T = T_;
    for (int i = 0; i < 9; ++i) T(i).setLane(i % kLanes, 1.0);
    const Vector4<Dual> Q = Quaternions::from_T(T);
    for (int i = 0; i < 4; ++i) CHECK(isfinite(Q[i]));
    CHECK(distance(Quaternions::to_T(values(Q)), T_) <= 4 * kEps);
  }
}

TEST_CASE("Quaternions.from_T: of Q and -Q the one with Q.Q_guess >= 0") {
  const Matrix3d I = Matrix3d::Identity();
  CHECK(Quaternions::from_T(I) == Vector4d(0, 0, 0, 1));
  CHECK(Quaternions::from_T(I, Vector4d(1, 1, 1, -1e-3)) == Vector4d(0, 0, 0, -1));
  Matrix3d half;
  half << 1, 0, 0, 0, -1, 0, 0, 0, -1;
  CHECK(Quaternions::from_T(half) == Vector4d(1, 0, 0, 0));
  CHECK(Quaternions::from_T(half, Vector4d(-1, 0, 0, 0)) == Vector4d(-1, 0, 0, 0));
}
