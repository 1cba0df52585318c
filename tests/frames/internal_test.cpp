#include "frames/rotations.h"

#include "support.h"

using namespace cardan;
using namespace cardan::frames;
using namespace cardan::test;

namespace {

/// An orientation whose derivative in direction 0 is its rate: T turns with w, w does not change.
Orientation<Dual> inTime(const Orientation<double>& R) {
  Orientation<Dual> moving = R;
  const Matrix3d der_T = -skew(R.w) * R.T;
  for (int i = 0; i < 9; ++i) moving.T(i).setLane(0, der_T(i));
  return moving;
}

Vector3<Dual> inTime(const Vector3d& v, const Vector3d& der_v) {
  Vector3<Dual> moving = v;
  for (int i = 0; i < 3; ++i) moving[i].setLane(0, der_v[i]);
  return moving;
}

}  // namespace

TEST_CASE("resolve1_der, resolve2_der, resolveRelative_der: are the derivatives in time") {
  Random random(71);
  for (const auto& [R1, R2] : nastyPairs<double>()) {
    const Vector3d v = random.vector(), der_v = random.vector();
    const auto v_t = inTime(v, der_v);
    const auto R1_t = inTime(R1), R2_t = inTime(R2);
    CHECK(distance(Internal::resolve1_der(R1, v, der_v), lane(resolve1(R1_t, v_t), 0)) <= kAlgebra);
    CHECK(distance(Internal::resolve2_der(R1, v, der_v), lane(resolve2(R1_t, v_t), 0)) <= kAlgebra);
    CHECK(distance(Internal::resolveRelative_der(v, R1, R2, der_v),
                   lane(resolveRelative(v_t, R1_t, R2_t), 0)) <= kAlgebra);
  }
}

TEST_CASE(
    "absoluteRotation, relativeRotation, inverseRotation: w of the result is the rate of its T") {
  for (const auto& [R1, R2] : nastyPairs<double>()) {
    const auto R1_t = inTime(R1), R2_t = inTime(R2);
    for (const Orientation<Dual>& R :
         {absoluteRotation(R1_t, R2_t), relativeRotation(R1_t, R2_t), inverseRotation(R1_t)}) {
      CHECK(distance(lane(R.T, 0), Matrix3d(-skew(values(R.w)) * values(R.T))) <= kAlgebra);
    }
  }
}

TEST_CASE("from_anglesd: literal, resolved in frame 2") {
  const Vector3d w =
      Internal::from_anglesd({1, 2, 3}, Vector3d(0.3, kPi / 2, kPi / 2), Vector3d(1, 2, 3));
  CHECK(distance(w, Vector3d(2, 0, 4)) <= 8 * kEps);
}
