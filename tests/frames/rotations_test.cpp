#include "frames/rotations.h"

#include <stdexcept>

#include "support.h"

using namespace cardan;
using namespace cardan::frames;
using namespace cardan::test;
namespace TM = cardan::frames::TransformationMatrices;

namespace {

const std::vector<Sequence> kSequences = {{1, 2, 3}, {3, 1, 3}, {3, 2, 1}, {1, 2, 1},
                                          {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {2, 3, 2},
                                          {3, 1, 2}, {1, 3, 1}, {2, 1, 2}, {3, 2, 3}};

Matrix3d rowsOfRotations(const Vector3d& x, const Vector3d& y, const Vector3d& z) {
  Matrix3d T;
  T << x.transpose(), y.transpose(), z.transpose();
  return T;
}

}  // namespace

TEST_CASE("axisRotation: literal matrices for 30 degrees about x, y, z") {
  const double c = std::sqrt(3.0) / 2, s = 0.5;
  const auto Rx = axisRotation(1, kPi / 6, 2.0), Ry = axisRotation(2, kPi / 6, 2.0),
             Rz = axisRotation(3, kPi / 6, 2.0);
  CHECK(distance(Rx.T, rowsOfRotations({1, 0, 0}, {0, c, s}, {0, -s, c})) <= kEps);
  CHECK(distance(Ry.T, rowsOfRotations({c, 0, -s}, {0, 1, 0}, {s, 0, c})) <= kEps);
  CHECK(distance(Rz.T, rowsOfRotations({c, s, 0}, {-s, c, 0}, {0, 0, 1})) <= kEps);
  CHECK(Rx.w == Vector3d(2, 0, 0));
  CHECK(Ry.w == Vector3d(0, 2, 0));
  CHECK(Rz.w == Vector3d(0, 0, 2));
}

TEST_CASE("planarRotation: a third of a turn about {1,1,1} takes x to y, y to z, z to x") {
  const auto R = planarRotation(Vector3d(1, 1, 1).normalized(), 2 * kPi / 3, std::sqrt(3.0));
  CHECK(distance(R.T, rowsOfRotations({0, 1, 0}, {0, 0, 1}, {1, 0, 0})) <= 8 * kEps);
  CHECK(distance(R.w, Vector3d(1, 1, 1)) <= 2 * kEps);
}

TEST_CASE_TEMPLATE("planarRotation: equals axisRotation about the axes", S, double, Dual) {
  Random random(31);
  for (double angle : nastyAngles()) {
    const S phi = lift<S>(angle, random), rate = lift<S>(0.7, random);
    for (int i = 1; i <= 3; ++i) {
      CHECK(distance(planarRotation(axis(i), phi, rate), axisRotation(i, phi, rate)) <= 2 * kEps);
    }
  }
}

TEST_CASE_TEMPLATE("planarRotation: keeps its axis, is a rotation, adds angles", S, double, Dual) {
  Random random(32);
  for (const Vector3d& e : nastyAxes()) {
    for (double angle : nastyAngles()) {
      const S phi = lift<S>(angle, random), rate = lift<S>(-0.4, random);
      const auto R = planarRotation(e, phi, rate);
      CHECK(distance(resolve2(R, e), Vector3<S>(e)) <= kAlgebra);
      CHECK(distance(product(R.T, transposed(R.T)), Matrix3<S>(Matrix3d::Identity())) <= kAlgebra);
      CHECK(distance(dot(cross(R.T.col(0), R.T.col(1)), R.T.col(2)), S(1.0)) <= kAlgebra);
      const S more = lift<S>(0.9, random);
      CHECK(distance(absoluteRotation(R, planarRotation(e, more, rate)),
                     planarRotation(e, S(phi + more), S(rate + rate))) <=
            kAlgebra + 2 * kEps * std::abs(angle));
      CHECK(distance(planarRotation(e, S(-phi), S(-rate)), inverseRotation(R)) <= kAlgebra);
    }
  }
}

TEST_CASE("planarRotation: an axis of dual numbers gives the same as one of doubles") {
  Random random(33);
  for (const Vector3d& e : nastyAxes()) {
    const Dual phi = lift<Dual>(0.8, random);
    CHECK(distance(TM::planarRotation(Vector3<Dual>(e), phi), TM::planarRotation(e, phi)) <=
          kAlgebra);
  }
}

TEST_CASE("planarRotation and axesRotations: w is the rate of T, der(T) = -skew(w) T") {
  Random random(34);
  auto check = [](const Orientation<Dual>& R) {
    const Matrix3d der_T = lane(R.T, 0);
    CHECK(distance(der_T, Matrix3d(-skew(values(R.w)) * values(R.T))) <= kAlgebra);
  };
  for (double angle : nastyAngles()) {
    Dual phi = angle;
    phi.setLane(0, 1.3);
    for (const Vector3d& e : nastyAxes()) check(planarRotation(e, phi, 1.3));
    for (const Sequence& sequence : kSequences) {
      const Vector3d rate = random.vector(), second = random.vector(3.0);
      Vector3<Dual> angles(angle, second[0], second[1]);
      for (int i = 0; i < 3; ++i) angles[i].setLane(0, rate[i]);
      check(axesRotations(sequence, angles, rate));
    }
    check(axesRotations({1, 1, 3}, Vector3<Dual>(phi, phi, phi), Vector3d(1.3, 1.3, 1.3)));
  }
}

TEST_CASE("planarRotationAngle: literal quarter turn about z is positive") {
  CHECK(planarRotationAngle(Vector3d(0, 0, 1), Vector3d(1, 0, 0), Vector3d(0, -1, 0)) == kPi / 2);
  CHECK(planarRotationAngle(Vector3d(0, 0, 1), Vector3d(1, 0, 5), Vector3d(0, -1, 5)) == kPi / 2);
}

TEST_CASE_TEMPLATE("planarRotationAngle: recovers the rotation, for v of any length", S, double,
                   Dual) {
  Random random(35);
  for (const Vector3d& e : nastyAxes()) {
    const Vector3d v1 = cross(e, random.unitVector()).normalized() + 0.5 * e;
    for (double angle : nastyAngles()) {
      const S phi = lift<S>(angle, random);
      const Matrix3<S> T = TM::planarRotation(e, phi);
      for (double size : {1.0, 1e-12, 1e6}) {
        const Vector3d v = size * v1;
        const S found = planarRotationAngle(e, v, multiply(T, v));
        CHECK(std::abs(value(found)) <= kPi);
        CHECK(distance(TM::planarRotation(e, found), T) <= kAlgebra);
      }
    }
  }
}

TEST_CASE("planarRotationAngle: zero or parallel vectors give no NaN, in derivatives neither") {
  Vector3<Dual> v = Vector3d::Zero();
  for (int i = 0; i < 3; ++i) v[i].setLane(0, 1.0);
  const Vector3d z(0, 0, 1);
  CHECK(distance(planarRotationAngle(z, v, v), Dual(0.0)) == 0.0);
  v[2] = 1.0;
  CHECK(isfinite(planarRotationAngle(z, v, v)));
  CHECK(value(planarRotationAngle(z, v, v)) == 0.0);
}

TEST_CASE("axesRotations: the first rotation is rightmost, w = e3 da3 + T3 e2 da2 + T3 T2 e1 da1") {
  // The second and third are quarter turns about y and z.
  const auto R = axesRotations({1, 2, 3}, Vector3d(kPi / 2, kPi / 2, kPi / 2), Vector3d(1, 2, 3));
  CHECK(distance(R.T, rowsOfRotations({0, 0, 1}, {0, -1, 0}, {1, 0, 0})) <= 4 * kEps);
  CHECK(distance(R.w, Vector3d(2, 0, 4)) <= 8 * kEps);
}

TEST_CASE("axesRotations: {1,1,3} adds the first two angles") {
  const auto R = axesRotations({1, 1, 3}, Vector3d(0.2, 0.3, 0.7), Vector3d(1, 2, 4));
  const auto expected = absoluteRotation(axisRotation(1, 0.5, 3.0), axisRotation(3, 0.7, 4.0));
  CHECK(distance(R, expected) <= 8 * kEps);
}

TEST_CASE_TEMPLATE("axesRotations: equals three axisRotations one after the other", S, double,
                   Dual) {
  Random random(36);
  for (const Sequence& sequence : kSequences) {
    for (double angle : nastyAngles()) {
      const Vector3<S> angles = lift<S>(Vector3d(angle, 0.4, -angle), random);
      const Vector3<S> rates = lift<S>(random.vector(), random);
      const auto R =
          absoluteRotation(absoluteRotation(axisRotation(sequence[0], angles[0], rates[0]),
                                            axisRotation(sequence[1], angles[1], rates[1])),
                           axisRotation(sequence[2], angles[2], rates[2]));
      CHECK(distance(axesRotations(sequence, angles, rates), R) <= kAlgebra);
      CHECK(distance(TM::axesRotations(sequence, angles), R.T) <= kAlgebra);
    }
  }
}

TEST_CASE_TEMPLATE("axesRotationsAngles: give back the rotation, from every guess, within -pi..pi",
                   S, double, Dual) {
  for (const auto& R : nastyOrientations<S>()) {
    for (const Sequence& sequence : kSequences) {
      for (double guess : {0.0, 3.0, -2.0}) {
        const Vector3<S> angles = axesRotationsAngles(R, sequence, guess);
        CAPTURE(values(R.T));
        CAPTURE(guess);
        for (int i = 0; i < 3; ++i) {
          CHECK(isfinite(angles[i]));
          CHECK(std::abs(value(angles[i])) <= kPi);
        }
        const Matrix3d T = values(TM::axesRotations(sequence, angles));
        // Beside the singular position the first angle is lost below the threshold of 1e-12, and
        // errors of A and B of one eps count 1e12-fold in angles that nearly cancel: 4e-12 covers
        // both.
        CHECK(distance(T, values(R.T)) <= 4e-12);
      }
    }
  }
}

TEST_CASE("axesRotationsAngles: derivatives give back those of the rotation where it is regular") {
  Random random(37);
  for (int n = 0; n < 50; ++n) {
    for (const Sequence& sequence : kSequences) {
      const bool cardan = sequence[0] != sequence[2];
      const double middle = cardan ? random.number(1.3) : kPi / 2 + random.number(1.3);
      const Vector3d angles_(random.number(3.1), middle, random.number(3.1));
      const Vector3<Dual> angles = lift<Dual>(angles_, random);
      const auto R = axesRotations(sequence, angles, Vector3d(0, 0, 0));
      // Regular by cos(1.3) = 0.27, so derivatives of the angles are at most 4 times larger,
      // squared once.
      CHECK(distance(axesRotationsAngles(R, sequence, angles_[0]), angles) <= 32 * kAlgebra);
    }
  }
}

TEST_CASE(
    "axesRotationsAngles: of two solutions the one nearest to the guess, by plain difference") {
  const Matrix3d T = TM::axisRotation(1, -3.0);
  CHECK(distance(TM::axesRotationsAngles(T)[0], kPi - 3.0) <= 4 * kEps);
  CHECK(distance(TM::axesRotationsAngles(T, {1, 2, 3}, -3.0)[0], -3.0) <= 4 * kEps);
  // -3 is nearer to 3.5 modulo 2 pi, but not by plain difference.
  CHECK(distance(TM::axesRotationsAngles(T, {1, 2, 3}, 3.5)[0], kPi - 3.0) <= 4 * kEps);
}

TEST_CASE("axesRotationsAngles: a tie goes to atan2(A, -B)") {
  // A = T32 = -1 and B = T33 = 0: the solutions -pi/2 and pi/2 are equally near to 0.
  const Matrix3d T = rowsOfRotations({1, 0, 0}, {0, 0, 1}, {0, -1, 0});
  CHECK(TM::axesRotationsAngles(T)[0] == -kPi / 2);
  CHECK(TM::axesRotationsAngles(T, {1, 2, 3}, 0.1)[0] == kPi / 2);
}

TEST_CASE("axesRotationsAngles: half turns about the second and third axis keep their sign") {
  // Turned about z alone by more than a quarter, {3, 2, 1} gives (phi + pi, -pi, -pi), whatever the
  // rounding of the zeros in between.
  for (double phi = -3.1; phi < -1.6; phi += 0.01) {
    const Vector3d angles =
        TM::axesRotationsAngles(TM::planarRotation(Vector3d(0, 0, 1), phi), {3, 2, 1});
    CHECK(std::abs(angles[0] - phi - kPi) <= kAlgebra);
    CHECK(angles[1] == -kPi);
    CHECK(angles[2] == -kPi);
  }
}

TEST_CASE("axesRotationsAngles: singular where both |A| and |B| are at most 1e-12") {
  Matrix3d T = rowsOfRotations({0, 0, -1}, {0, 1, 0}, {1, 0, 0});  // quarter turn about y
  CHECK(TM::axesRotationsAngles(T, {1, 2, 3}, 0.5)[0] == 0.5);
  T(2, 1) = 1e-12;
  CHECK(TM::axesRotationsAngles(T, {1, 2, 3}, 0.5)[0] == 0.5);
  T(2, 1) = 1.01e-12;  // A alone is larger
  CHECK(TM::axesRotationsAngles(T, {1, 2, 3}, 0.5)[0] == kPi / 2);
  T(2, 1) = 0.0;
  T(2, 2) = 1.01e-12;  // B alone is larger
  CHECK(TM::axesRotationsAngles(T, {1, 2, 3}, 0.5)[0] == 0.0);
}

TEST_CASE(
    "axesRotationsAngles: gimbal lock keeps the guess and puts the rest into the third angle") {
  const auto R = axesRotations({1, 2, 3}, Vector3d(0.2, kPi / 2, 0.3), Vector3d(0, 0, 0));
  const Vector3d angles = axesRotationsAngles(R, {1, 2, 3}, 0.1);
  CHECK(angles[0] == 0.1);
  CHECK(distance(angles[1], kPi / 2) <= kAlgebra);
  CHECK(distance(angles[2], 0.4) <= kAlgebra);
}

TEST_CASE("axesRotationsAngles: refuses equal neighbours and axes that do not exist") {
  const auto R = nullRotation();
  for (const Sequence& sequence :
       std::vector<Sequence>{{1, 1, 3}, {1, 2, 2}, {3, 3, 3}, {0, 1, 2}, {1, 4, 2}, {1, 2, -1}}) {
    CHECK_THROWS_AS(axesRotationsAngles(R, sequence), std::invalid_argument);
    CHECK_THROWS_AS(TM::axesRotationsAngles(R.T, sequence), std::invalid_argument);
  }
  CHECK_NOTHROW(axesRotationsAngles(R, {3, 1, 3}));
}
