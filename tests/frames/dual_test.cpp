#include "frames/dual.h"

#include <functional>
#include <string>

#include "support.h"

using namespace cardan;
using namespace cardan::test;

namespace {

/// One function of the catalogue, for both scalars.
struct Unary {
  std::string name;
  std::function<double(double)> f;
  std::function<Dual(const Dual&)> g;
  std::vector<double> points;
};

template <class F>
Unary unary(const std::string& name, F f, const std::vector<double>& points) {
  return {name, [f](double x) { return f(x); }, [f](const Dual& x) { return Dual(f(x)); }, points};
}

std::vector<Unary> unaryFunctions() {
  const std::vector<double> any = {-2.5, -1.0, -0.3, 0.0, 1e-12, 0.3, 1.0, 2.7};
  const std::vector<double> positive = {0.2, 1.0, 2.5, 40.0};
  const std::vector<double> inside = {-0.9, -0.3, 0.0, 0.5, 0.95};
  return {
      unary(
          "sin", [](auto x) { return sin(x); }, any),
      unary(
          "cos", [](auto x) { return cos(x); }, any),
      unary(
          "tan", [](auto x) { return tan(x); }, inside),
      unary(
          "asin", [](auto x) { return asin(x); }, inside),
      unary(
          "acos", [](auto x) { return acos(x); }, inside),
      unary(
          "atan", [](auto x) { return atan(x); }, any),
      unary(
          "sqrt", [](auto x) { return sqrt(x); }, positive),
      unary(
          "exp", [](auto x) { return exp(x); }, any),
      unary(
          "log", [](auto x) { return log(x); }, positive),
      unary(
          "log10", [](auto x) { return log10(x); }, positive),
      unary(
          "sinh", [](auto x) { return sinh(x); }, any),
      unary(
          "cosh", [](auto x) { return cosh(x); }, any),
      unary(
          "tanh", [](auto x) { return tanh(x); }, any),
      unary("abs", [](auto x) { return abs(x); }, {-2.0, -0.3, 0.3, 2.0}),
      unary("fabs", [](auto x) { return fabs(x); }, {-2.0, -0.3, 0.3, 2.0}),
      unary(
          "pow(x, 2.5)", [](auto x) { return pow(x, 2.5); }, positive),
      unary(
          "pow(x, 3.0)", [](auto x) { return pow(x, 3.0); }, any),
      unary(
          "pow(x, 0.0)", [](auto x) { return pow(x, 0.0); }, any),
      unary(
          "pow(x, 1)", [](auto x) { return pow(x, 1); }, any),
      unary(
          "pow(x, 2)", [](auto x) { return pow(x, 2); }, any),
      unary(
          "pow(x, -3)", [](auto x) { return pow(x, -3); }, positive),
      unary(
          "pow(2.5, x)", [](auto x) { return pow(2.5, x); }, any),
      unary(
          "pow(x, x)", [](auto x) { return pow(x, x); }, positive),
      unary(
          "atan2(x, 0.7)", [](auto x) { return atan2(x, 0.7); }, any),
      unary(
          "atan2(-0.7, x)", [](auto x) { return atan2(-0.7, x); }, any),
      unary(
          "atan2(x - 1, x*x + 1)", [](auto x) { return atan2(x - 1.0, x * x + 1.0); }, any),
      unary(
          "hypot(x, 0.7)", [](auto x) { return hypot(x, 0.7); }, any),
      unary(
          "hypot(0.7, x)", [](auto x) { return hypot(0.7, x); }, any),
      unary(
          "hypot(x - 3, x + 3)", [](auto x) { return hypot(x - 3.0, x + 3.0); }, any),
      unary(
          "min(x, 0.1)", [](auto x) { return min(x, 0.1 + 0.0 * x); }, any),
      unary("max(x, -x)", [](auto x) { return max(x, -x); }, {-2.0, -0.3, 0.3, 2.0}),
      unary(
          "(1 - x)/(x + 4)", [](auto x) { return (1.0 - x) / (x + 4.0); }, any),
      unary(
          "3/(x + 4)", [](auto x) { return 3.0 / (x + 4.0); }, any),
      unary(
          "(x/3 - 2)*x*2 + 1", [](auto x) { return (x / 3.0 - 2.0) * x * 2.0 + 1.0; }, any),
      unary(
          "-x - (+x)*x", [](auto x) { return -x - (+x) * x; }, any),
  };
}

}  // namespace

TEST_CASE(
    "Dual: every function has the value of double and the derivative of central differences") {
  // Truncation h^2 |f'''|/6 and rounding eps |f|/h, with |f|, |f'''| up to 2e4 (cosh, pow at 0.2).
  constexpr double h = 1e-5;
  for (const Unary& u : unaryFunctions()) {
    for (double x : u.points) {
      CAPTURE(u.name);
      CAPTURE(x);
      const Dual y = u.g(Dual::seed(x, kLanes - 1));
      CHECK(distance(y.v, u.f(x)) <= 2 * kEps * std::abs(u.f(x)));
      const double difference = (u.f(x + h) - u.f(x - h)) / (2 * h);
      const double third =
          (u.f(x + 2e-3) - 2 * u.f(x + 1e-3) + 2 * u.f(x - 1e-3) - u.f(x - 2e-3)) / 2e-9;
      const double tolerance =
          h * h * (std::abs(third) + 1.0) + 4 * kEps * std::abs(y.v) / h + 1e-10;
      CHECK(distance(y.lane(kLanes - 1), difference) <= tolerance);
      for (int i = 0; i + 1 < kLanes; ++i) CHECK(y.lane(i) == 0.0);
    }
  }
}

TEST_CASE("Dual: derivatives of two variables stay in their lanes") {
  const Dual x = Dual::seed(3.0, 0), y = Dual::seed(4.0, 1);
  CHECK((x * y).lane(0) == 4.0);
  CHECK((x * y).lane(1) == 3.0);
  CHECK((x - y).lane(1) == -1.0);
  CHECK((x / y).lane(0) == 0.25);
  CHECK((x / y).lane(1) == -3.0 / 16.0);
  CHECK(hypot(x, y).lane(0) == 0.6);
  CHECK(hypot(x, y).lane(1) == 0.8);
  CHECK(distance(atan2(y, x).lane(0), -4.0 / 25.0) <= kEps);
  CHECK(distance(atan2(y, x).lane(1), 3.0 / 25.0) <= kEps);
  CHECK(distance(pow(x, y).lane(0), 4.0 * 27.0) <= 108 * kEps);
  CHECK(distance(pow(x, y).lane(1), 81.0 * std::log(3.0)) <= 100 * kEps);
  CHECK(multiplyAdd(x, y, x).lane(0) == 5.0);
  CHECK(multiplyAdd(x, 2.0, y).lane(0) == 2.0);
  CHECK(multiplyAdd(x, 2.0, y).lane(1) == 1.0);
  CHECK(chain(7.0, -2.0, x).lane(0) == -2.0);
  CHECK(chain(7.0, -2.0, x).v == 7.0);
}

TEST_CASE(
    "Dual: where a function has no finite derivative it is zero, and its value is that of double") {
  Dual x = 0.0;
  for (int i = 0; i < kLanes; ++i) x.setLane(i, i % 2 == 0 ? 1.0 : -2.0);
  const Dual zero = 0.0 * x, one = 1.0 + x;
  const struct {
    const char* name;
    Dual y;
    double value;
  } cases[] = {
      {"sqrt(0)", sqrt(x), 0.0},
      {"sqrt(-0.0)", sqrt(-x), -0.0},
      {"atan2(0, 0)", atan2(x, x), 0.0},
      {"atan2(0, -0.0)", atan2(x, -x), kPi},
      {"atan2(0.0, Dual 0)", atan2(0.0, x), 0.0},
      {"atan2(Dual 0, 0.0)", atan2(x, 0.0), 0.0},
      {"asin(1)", asin(one), kPi / 2},
      {"asin(-1)", asin(-one), -kPi / 2},
      {"acos(1)", acos(one), 0.0},
      {"acos(-1)", acos(-one), kPi},
      {"hypot(0, 0)", hypot(x, x), 0.0},
      {"abs(0)", abs(x), 0.0},
      {"pow(0, 0.5)", pow(x, 0.5), 0.0},
      {"pow(0, 2.5)", pow(x, 2.5), 0.0},
      {"pow(0, 0.0)", pow(x, 0.0), 1.0},
      {"pow(0, 0)", pow(x, 0), 1.0},
      {"pow(0, 2)", pow(x, 2), 0.0},
      {"pow(0, Dual 2)", pow(x, 2.0 + x), 0.0},
      {"pow(0, Dual 0)", pow(zero, x), 1.0},
      {"pow(0.0, Dual 1)", pow(0.0, one), 0.0},
  };
  for (const auto& c : cases) {
    CAPTURE(c.name);
    CHECK(c.y.v == c.value);
    for (int i = 0; i < kLanes; ++i) CHECK(c.y.lane(i) == 0.0);
  }
  // A finite derivative survives at zero.
  CHECK(pow(x, 1.0).lane(0) == 1.0);
  CHECK(pow(x, 1).lane(1) == -2.0);
  CHECK(pow(-2.0 + x, 3).lane(0) == 12.0);
}

TEST_CASE("Dual: atan2 and hypot are exact where the squares underflow") {
  for (double tiny : {1e-150, 1e-160, 1e-300}) {
    CAPTURE(tiny);
    const Dual y = Dual::seed(tiny, 0), x = Dual::seed(tiny, 1);
    CHECK(distance(atan2(y, x).lane(0) * tiny, 0.5) <= 4 * kEps);
    CHECK(distance(atan2(y, x).lane(1) * tiny, -0.5) <= 4 * kEps);
    CHECK(distance(hypot(y, x).lane(0), std::sqrt(0.5)) <= 4 * kEps);
  }
}

TEST_CASE("Dual: comparisons look at the value only") {
  const Dual a = Dual::seed(1.0, 0), b = Dual::seed(2.0, 1), a2 = Dual::seed(1.0, 1);
  CHECK(a < b);
  CHECK(a <= a2);
  CHECK(a >= a2);
  CHECK(a == a2);
  CHECK(a != b);
  CHECK(b > 1.5);
  CHECK(1.5 < b);
  CHECK(a == 1.0);
  CHECK(1.0 == a);
  CHECK_FALSE(a > 1.0);
  CHECK_FALSE(a != 1.0);
  const Dual nan = std::nan("");
  CHECK_FALSE(nan < a);
  CHECK_FALSE(nan >= a);
  CHECK_FALSE(nan == nan);
}

TEST_CASE("Dual: min, max and sign choose by value and keep the derivative of the chosen") {
  const Dual a = Dual::seed(1.0, 0), b = Dual::seed(2.0, 1), a2 = Dual::seed(1.0, 1);
  CHECK(min(a, b).lane(0) == 1.0);
  CHECK(max(a, b).lane(1) == 1.0);
  CHECK(max(a, 5.0).v == 5.0);
  CHECK(max(a, 5.0).lane(0) == 0.0);
  CHECK(min(5.0, a).lane(0) == 1.0);
  CHECK(min(a, 5.0).lane(0) == 1.0);
  CHECK(max(-5.0, a).lane(0) == 1.0);
  CHECK(min(a, a2).lane(0) == 1.0);  // the first of equal ones, as std::min
  CHECK(max(a, a2).lane(0) == 1.0);
  CHECK(sign(Dual::seed(-3.0, 0)) == -1.0);
  CHECK(sign(Dual::seed(-0.0, 0)) == 0.0);
  CHECK(sign(2.0) == 1.0);
}

TEST_CASE("Dual: compound assignments equal the operators, also on themselves") {
  Random random(5);
  const Dual x = lift<Dual>(1.3, random), y = lift<Dual>(-0.7, random);
  Dual z = x;
  CHECK(distance(z += y, x + y) == 0.0);
  CHECK(distance((z = x) -= y, x - y) == 0.0);
  CHECK(distance((z = x) *= y, x * y) == 0.0);
  CHECK(distance((z = x) /= y, x / y) == 0.0);
  CHECK(distance((z = x) += 2.0, x + 2.0) == 0.0);
  CHECK(distance((z = x) -= 2.0, x - 2.0) == 0.0);
  CHECK(distance((z = x) *= 2.0, x * 2.0) == 0.0);
  CHECK(distance((z = x) /= 2.0, x / 2.0) == 0.0);
  z = x;
  const Dual& itself = z;
  z *= itself;
  CHECK(distance(z, x * x) == 0.0);
  z = x;
  z /= itself;
  CHECK(distance(z, Dual(1.0)) <= 2 * kEps);
}

TEST_CASE("sincos: equals sin and cos for both scalars, and may overwrite its argument") {
  Random random(6);
  for (double angle : nastyAngles()) {
    CAPTURE(angle);
    double s, c;
    sincos(angle, s, c);
    CHECK(distance(s, std::sin(angle)) <= kEps);
    CHECK(distance(c, std::cos(angle)) <= kEps);
    const Dual x = lift<Dual>(angle, random);
    Dual sx = x, cx;
    sincos(sx, sx, cx);
    CHECK(distance(sx, sin(x)) == 0.0);
    CHECK(distance(cx, cos(x)) == 0.0);
  }
}

TEST_CASE("isfinite: false for a Dual with a value or a derivative that is not") {
  Dual x = Dual::seed(1.0, 0);
  CHECK(isfinite(x));
  x.setLane(kLanes - 1, std::nan(""));
  CHECK_FALSE(isfinite(x));
  CHECK_FALSE(isfinite(Dual(std::numeric_limits<double>::infinity())));
}

TEST_CASE("Quotients by what has overflowed have a derivative of zero") {
  for (const double x : {720.0, 1e4}) {
    const Dual e = exp(Dual::seed(x, 0)), c = cosh(Dual::seed(-x, 0));
    for (const Dual& q : {1.0 / (1.0 + e), Dual::seed(2.0, 0) / e, 1.0 / c}) {
      CHECK(q == 0.0);
      CHECK(q.lane(0) == 0.0);
    }
  }
}

TEST_CASE("Eigen: matrices of dual numbers mix with matrices of doubles") {
  Random random(7);
  const Matrix3d A = random.matrix();
  const Vector3<Dual> x = lift<Dual>(random.vector(), random);
  const Vector3<Dual> y = A * x + Vector3d(1, 2, 3) * 2.0 - x * 0.5;
  for (int i = 0; i < 3; ++i) {
    const Dual expected =
        A(i, 0) * x[0] + A(i, 1) * x[1] + A(i, 2) * x[2] + 2.0 * (i + 1.0) - 0.5 * x[i];
    CHECK(distance(y[i], expected) <= kAlgebra);
  }
  const Vector3<Dual> constant = Vector3d(1, 2, 3);
  CHECK(constant[2].v == 3.0);
  CHECK(constant[2].lane(0) == 0.0);
}

TEST_CASE("Eigen: a dynamic matrix of dual numbers is aligned for its registers") {
  for (int n : {1, 3, 7}) {
    Eigen::Matrix<Dual, Eigen::Dynamic, 1> x(n);
    CHECK(reinterpret_cast<std::uintptr_t>(x.data()) % alignof(Dual) == 0);
  }
}
