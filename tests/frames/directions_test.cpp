#include "frames/rotations.h"

#include "support.h"

using namespace cardan;
using namespace cardan::frames;
using namespace cardan::test;
namespace TM = cardan::frames::TransformationMatrices;

namespace {

Matrix3d rowsOfDirections(const Vector3d& x, const Vector3d& y, const Vector3d& z) {
  Matrix3d T;
  T << x.transpose(), y.transpose(), z.transpose();
  return T;
}

/// A vector at an angle of which the sine is s, beside the x-axis in the xz-plane.
Vector3d besideX(double s) { return {std::sqrt(1 - s * s), 0, s}; }

}  // namespace

TEST_CASE("from_nxy: keeps n_x, takes from n_y only the plane, at rest") {
  const auto R = from_nxy(Vector3d(0, 2, 0), Vector3d(-3, 5, 0));
  CHECK(R.T == rowsOfDirections({0, 1, 0}, {-1, 0, 0}, {0, 0, 1}));
  CHECK(R.w == Vector3d(0, 0, 0));
}

TEST_CASE("from_nxz: keeps n_x, takes from n_z only the plane, at rest") {
  const auto R = from_nxz(Vector3d(0, 2, 0), Vector3d(-3, 5, 0));
  CHECK(R.T == rowsOfDirections({0, 1, 0}, {0, 0, -1}, {-1, 0, 0}));
  CHECK(R.w == Vector3d(0, 0, 0));
}

TEST_CASE_TEMPLATE(
    "from_nxy and from_nxz: a rotation comes out of all vectors, zero and parallel too", S, double,
    Dual) {
  Random random(41);
  for (const Vector3d& a_ : nastyVectors()) {
    for (const Vector3d& b_ : nastyVectors()) {
      for (double sign : {1.0, -1.0}) {
        const Vector3<S> a = lift<S>(a_, random), b = lift<S>(sign * b_, random);
        CAPTURE(a_);
        CAPTURE(b_);
        for (const Matrix3<S>& T : {TM::from_nxy(a, b), TM::from_nxz(a, b)}) {
          const Matrix3d V = values(T);
          CHECK(distance(product(V, transposed(V)), Matrix3d(Matrix3d::Identity())) <= kAlgebra);
          CHECK(distance(dot(cross(V.col(0), V.col(1)), V.col(2)), 1.0) <= kAlgebra);
          for (int i = 0; i < 9; ++i) CHECK(isfinite(T(i)));
          if (a_.norm() > 1e-3) CHECK(distance(Vector3d(V.row(0)), a_.normalized()) <= kAlgebra);
        }
        const double sine = cross(a_.normalized(), b_.normalized()).norm();
        if (a_.norm() > 1e-3 && b_.norm() > 1e-3 && sine > 0.1) {
          CHECK(dot(values(TM::from_nxy(a, b)).row(1).transpose(), sign * b_) > 0.0);
          CHECK(std::abs(dot(values(TM::from_nxy(a, b)).row(2).transpose(), b_)) <= kAlgebra);
          CHECK(dot(values(TM::from_nxz(a, b)).row(2).transpose(), sign * b_) > 0.0);
          CHECK(std::abs(dot(values(TM::from_nxz(a, b)).row(1).transpose(), b_)) <= kAlgebra);
        }
      }
    }
  }
}

TEST_CASE("from_nxy and from_nxz: vectors shorter than 1e-10 are replaced by the axes") {
  const Vector3d x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  CHECK(TM::from_nxy(0.99e-10 * z, y) == rowsOfDirections(x, y, z));
  CHECK(TM::from_nxy(1.01e-10 * z, y) == rowsOfDirections(z, y, -x));
  CHECK(TM::from_nxy(x, 0.99e-10 * z) == rowsOfDirections(x, y, z));
  CHECK(TM::from_nxy(x, 1.01e-10 * z) == rowsOfDirections(x, z, -y));
  CHECK(TM::from_nxz(0.99e-10 * y, z) == rowsOfDirections(x, y, z));
  CHECK(TM::from_nxz(1.01e-10 * y, z) == rowsOfDirections(y, -x, z));
  CHECK(TM::from_nxz(x, 0.99e-10 * y) == rowsOfDirections(x, y, z));
  CHECK(TM::from_nxz(x, 1.01e-10 * y) == rowsOfDirections(x, -z, y));
  CHECK(TM::from_nxy(0.0 * x, 0.0 * x) == rowsOfDirections(x, y, z));
  CHECK(TM::from_nxz(0.0 * x, 0.0 * x) == rowsOfDirections(x, y, z));
}

TEST_CASE("from_nxy and from_nxz: parallel means a squared sine of at most 1e-6") {
  const Vector3d x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  CHECK(distance(TM::from_nxy(x, 7.0 * besideX(std::sqrt(1.01e-6))), rowsOfDirections(x, z, -y)) <=
        kEps);
  CHECK(distance(TM::from_nxy(x, 7.0 * besideX(std::sqrt(0.99e-6))), rowsOfDirections(x, y, z)) <=
        kEps);
  const Vector3d besideY(std::sqrt(1 - 1.01e-6), std::sqrt(1.01e-6), 0);
  const Vector3d closerY(std::sqrt(1 - 0.99e-6), std::sqrt(0.99e-6), 0);
  CHECK(distance(TM::from_nxz(x, 7.0 * besideY), rowsOfDirections(x, -z, y)) <= kEps);
  CHECK(distance(TM::from_nxz(x, 7.0 * closerY), rowsOfDirections(x, y, z)) <= kEps);
}

TEST_CASE("from_nxy and from_nxz: the substitute of a parallel vector depends on |e_x[1]| > 1e-6") {
  const Vector3d x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  // e_x = y: {1,0,0} gives e_z = y x x = -z; {0,1,0} beside y gives e_z = z for a positive
  // x-component.
  CHECK(TM::from_nxy(y, y) == rowsOfDirections(y, x, -z));
  for (double sign : {1.0, -1.0}) {
    const Vector3d below(sign * 0.99e-6, 1, 0), above(sign * 1.01e-6, 1, 0);
    CHECK(distance(TM::from_nxy(below, y), rowsOfDirections(below, x, -z)) <= 1e-6);
    CHECK(distance(TM::from_nxy(above, y), rowsOfDirections(above, -sign * x, sign * z)) <= 2e-6);
    const Vector3d zBelow(sign * 0.99e-6, 0, 1), zAbove(sign * 1.01e-6, 0, 1);
    CHECK(distance(TM::from_nxz(zBelow, z), rowsOfDirections(zBelow, -y, x)) <= 1e-6);
    CHECK(distance(TM::from_nxz(zAbove, z), rowsOfDirections(zAbove, sign * y, -sign * x)) <= 2e-6);
  }
}

TEST_CASE("from_nxy and from_nxz: the lengths of the vectors play no part") {
  Random random(42);
  for (int n = 0; n < 50; ++n) {
    const Vector3d a = random.vector(), b = random.vector();
    CHECK(distance(TM::from_nxy(a, b), TM::from_nxy(1e-6 * a, 1e6 * b)) <= kAlgebra / a.norm());
    CHECK(distance(TM::from_nxz(a, b), TM::from_nxz(1e6 * a, 1e-6 * b)) <= kAlgebra / a.norm());
  }
}
