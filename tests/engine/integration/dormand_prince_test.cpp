// The explicit method of order 8 on its own: order of the steps and of the polynomial inside them,
// the control of their length, and what it says of stiff problems.
#include "engine/integration/dormand_prince.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

using namespace cardan;

namespace {

/// An equation given as a function, with its evaluations counted.
class Given final : public OdeSystem {
 public:
  using Rates = std::function<void(double t, const double* y, double* f)>;
  Given(int n, Rates rates) : n_(n), rates_(std::move(rates)) {}
  int size() const override { return n_; }
  bool rates(double t, const double* y, double* f) override {
    ++evaluations;
    if (t >= end) return false;
    rates_(t, y, f);
    return true;
  }
  bool project(double, double* y) override {
    y[0] += shift;
    return true;
  }

  long evaluations = 0;
  double end = 1e300;  ///< [s]  from here on nothing can be computed
  double shift = 0;    ///< by the projection

 private:
  int n_;
  Rates rates_;
};

/// A body around another one, eccentricity 0.1, from its nearest point.
Given orbit() {
  return {4, [](double, const double* y, double* f) {
            const double r = std::hypot(y[0], y[1]);
            f[0] = y[2];
            f[1] = y[3];
            f[2] = -y[0] / (r * r * r);
            f[3] = -y[1] / (r * r * r);
          }};
}
constexpr double kEccentricity = 0.1;

std::vector<double> orbitAt(double t) {
  double anomaly = t;
  for (int i = 0; i < 50; ++i) {
    anomaly -=
        (anomaly - kEccentricity * std::sin(anomaly) - t) / (1 - kEccentricity * std::cos(anomaly));
  }
  const double rate = 1 / (1 - kEccentricity * std::cos(anomaly));
  const double b = std::sqrt(1 - kEccentricity * kEccentricity);
  return {std::cos(anomaly) - kEccentricity, b * std::sin(anomaly), -std::sin(anomaly) * rate,
          b * std::cos(anomaly) * rate};
}

void begin(DormandPrince& method, Given& system, double t, const std::vector<double>& y) {
  std::vector<double> f(y.size());
  system.rates(t, y.data(), f.data());
  method.start(t, y.data(), f.data());
}

double largest(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

/// Steps to `stop` as the method proposes; returns how many, and their largest error.
std::pair<int, double> runTo(DormandPrince& method, double stop) {
  int steps = 0;
  double error = 0;
  for (double h = method.firstStep(stop - method.time()); method.time() < stop;
       h = method.proposal()) {
    const bool last = method.time() + 1.001 * h >= stop;
    if (last) h = stop - method.time();
    if (method.attempt(h) == DormandPrince::Trial::Accepted) {
      ++steps;
      error = std::max(error, largest(method.y(), orbitAt(method.time())));
      if (last) break;
    }
    REQUIRE(h > 1e-12);
  }
  return {steps, error};
}

/// Least squares slope of log(y) over log(x).
double slope(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const double u = std::log(x[i]), v = std::log(y[i]);
    sx += u;
    sy += v;
    sxx += u * u;
    sxy += u * v;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace

TEST_CASE("DormandPrince: steps of one length have order 8") {
  std::vector<double> lengths, errors;
  for (const int n : {24, 30, 38, 48, 60}) {
    Given system = orbit();
    DormandPrince method(system, 1e300, {1, 1, 1, 1});
    begin(method, system, 0, orbitAt(0));
    const double h = 5.0 / n;
    for (int i = 0; i < n; ++i) {
      REQUIRE(method.attempt(h) == DormandPrince::Trial::Accepted);
    }
    lengths.push_back(h);
    errors.push_back(largest(method.y(), orbitAt(5)));
  }
  CHECK(errors.front() < 1e-9);
  CHECK(errors.back() > 1e-13);  // of the method, not of rounding
  CHECK(std::abs(slope(lengths, errors) - 8) < 0.3);
}

TEST_CASE("DormandPrince: errors fall with the eighth power of the number of steps to 1e-12") {
  std::vector<double> counts, errors;
  for (const double tolerance : {1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
    Given system = orbit();
    DormandPrince method(system, tolerance, std::vector<double>(4, tolerance));
    begin(method, system, 0, orbitAt(0));
    const auto [steps, error] = runTo(method, 10);
    counts.push_back(steps);
    errors.push_back(error);
    CHECK(error < 100 * tolerance);  // local errors add up over the steps
  }
  CHECK(std::abs(slope(counts, errors) + 8) < 0.3);
}

TEST_CASE("DormandPrince: the polynomial inside a step has order 7, its derivative 6") {
  std::vector<double> lengths, errors, slopes;
  for (const double h : {0.4, 0.32, 0.25, 0.2, 0.16}) {
    Given system = orbit();
    DormandPrince method(system, 1e300, {1, 1, 1, 1});
    begin(method, system, 0.5, orbitAt(0.5));
    REQUIRE(method.attempt(h) == DormandPrince::Trial::Accepted);
    const long before = system.evaluations;
    double error = 0, ofRates = 0;
    std::vector<double> y(4), f(4), exact(4);
    for (int k = 0; k <= 20; ++k) {
      const double t = 0.5 + h * k / 20;
      method.interpolate(t, y.data(), f.data());
      const std::vector<double> wanted = orbitAt(t);
      system.rates(t, wanted.data(), exact.data());
      error = std::max(error, largest(y, wanted));
      ofRates = std::max(ofRates, largest(f, exact));
    }
    CHECK(system.evaluations - before == 3 + 21);  // three are the polynomial's, once
    lengths.push_back(h);
    errors.push_back(error);
    slopes.push_back(ofRates);
  }
  // A method of order p errs by h^(p + 1) in one step.
  CHECK(std::abs(slope(lengths, errors) - 8) < 0.3);
  CHECK(std::abs(slope(lengths, slopes) - 7) < 0.3);
}

TEST_CASE("DormandPrince: the polynomial meets values and rates at both ends of a step") {
  Given system = orbit();
  DormandPrince method(system, 1e-6, std::vector<double>(4, 1e-6));
  begin(method, system, 0, orbitAt(0));
  REQUIRE(method.attempt(0.2) == DormandPrince::Trial::Accepted);
  std::vector<double> y(4), f(4);
  method.interpolate(0.2, y.data(), f.data());
  CHECK(largest(y, method.y()) < 1e-15);
  CHECK(largest(f, method.rates()) < 1e-13);
  method.interpolate(0, y.data(), f.data());
  CHECK(largest(y, orbitAt(0)) < 1e-15);
  CHECK(largest(f, method.previousRates()) < 1e-13);
}

TEST_CASE("DormandPrince: a step costs twelve evaluations, and one that is refused eleven") {
  Given system = orbit();
  DormandPrince method(system, 1e-8, std::vector<double>(4, 1e-8));
  begin(method, system, 0, orbitAt(0));
  REQUIRE(system.evaluations == 1);
  REQUIRE(method.attempt(0.1) == DormandPrince::Trial::Accepted);
  CHECK(system.evaluations == 1 + 12);
  const std::vector<double> y = method.y();
  CHECK(method.attempt(3) == DormandPrince::Trial::TooLarge);
  CHECK(system.evaluations == 1 + 12 + 11);
  CHECK(method.proposal() < 1);
  CHECK(method.proposal() >= 0.3);  // a tenth of the step at least
  CHECK(method.time() == 0.1);
  CHECK(method.y() == y);
}

TEST_CASE("DormandPrince: a step that one state refuses is refused beside any other one") {
  // t^1.5, as contacts of Hertz begin, beside a large sine, of which a step is up to some radians long. The
  // mean over two states is 1/sqrt 2 of what one of them has, where the other has none; three times as much
  // as beside none is never passed over.
  constexpr double tolerance = 1e-6;
  int refused = 0;
  for (const auto& [size, speed] :
       {std::pair{100.0, 20.0}, {1.0, 40.0}, {10.0, 40.0}, {0.1, 80.0}}) {
    for (double h = 1e-3; h < 0.1; h *= 1.1) {
      Given alone(1, [](double t, const double*, double* f) { f[0] = 1.5 * std::sqrt(t); });
      Given beside(2, [size = size, speed = speed](double t, const double*, double* f) {
        f[0] = 1.5 * std::sqrt(t);
        f[1] = speed * size * std::cos(speed * t);
      });
      DormandPrince one(alone, 1e-14, {3 * std::sqrt(2.0) * tolerance});
      DormandPrince two(beside, 1e-14, {tolerance, tolerance});
      begin(one, alone, 0, {0});
      begin(two, beside, 0, {0, 0});
      const auto trial = one.attempt(h);
      if (trial != DormandPrince::Trial::TooLarge) continue;
      ++refused;
      CAPTURE(speed);
      CAPTURE(h);
      CHECK(two.attempt(h) == DormandPrince::Trial::TooLarge);
    }
  }
  CHECK(refused > 50);
}

TEST_CASE("DormandPrince: what cannot be computed is tried again shorter") {
  Given system = orbit();
  system.end = 0.35;
  DormandPrince method(system, 1e-6, std::vector<double>(4, 1e-6));
  begin(method, system, 0, orbitAt(0));
  CHECK(method.attempt(0.4) == DormandPrince::Trial::NotComputable);
  CHECK(method.time() == 0);
  CHECK(method.proposal() == doctest::Approx(0.4 / 3));
  CHECK(method.attempt(0.1) == DormandPrince::Trial::Accepted);
  CHECK(method.proposal() <= 0.1);  // it does not grow at once
}

TEST_CASE("DormandPrince: a projection of more than the error allows is refused") {
  Given system = orbit();
  DormandPrince method(system, 1e-6, std::vector<double>(4, 1e-6));
  begin(method, system, 0, orbitAt(0));
  system.shift = 5e-6;
  CHECK(method.attempt(0.1) == DormandPrince::Trial::Accepted);
  CHECK(method.projected() > 0.5);
  system.shift = 1e-3;
  CHECK(method.attempt(0.1) == DormandPrince::Trial::NotProjected);
  CHECK(method.time() == 0.1);
}

TEST_CASE("DormandPrince: a stiff equation is told, a long smooth one is not") {
  const auto relaxing = [](double rate) {
    return Given(1, [rate](double t, const double* y, double* f) {
      f[0] = -rate * (y[0] - std::cos(t)) - std::sin(t);
    });
  };
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    CAPTURE(tolerance);
    Given stiff = relaxing(1e5);
    DormandPrince method(stiff, tolerance, {tolerance});
    begin(method, stiff, 0, {1});
    int steps = 0;
    double h = 1e-4;
    for (; !method.isStiff() && steps < 400; h = method.proposal()) {
      if (method.attempt(h) == DormandPrince::Trial::Accepted) ++steps;
    }
    CHECK(method.isStiff());
    CHECK(h * 1e5 == doctest::Approx(6.3).epsilon(0.3));  // the border of stability

    Given smooth = orbit();
    DormandPrince other(smooth, tolerance, std::vector<double>(4, tolerance));
    begin(other, smooth, 0, orbitAt(0));
    h = 0.01;
    for (steps = 0; steps < 300; h = other.proposal()) {
      if (other.attempt(h) == DormandPrince::Trial::Accepted) ++steps;
      REQUIRE(!other.isStiff());
      REQUIRE(!other.isFading());
    }
    CHECK(other.stiffness() > 0);  // it is measured
  }
}

TEST_CASE("DormandPrince: what fades within a step is told where it sets the length of the steps") {
  // The end goes round as slowly as the length of a step that fades within 5 ms allows.
  Given fading(1, [](double t, const double* y, double* f) {
    f[0] = -200 * (y[0] - std::cos(5 * t)) - 5 * std::sin(5 * t);
  });
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    CAPTURE(tolerance);
    DormandPrince method(fading, tolerance, {tolerance});
    begin(method, fading, 0, {1});
    int steps = 0;
    for (double h = 1e-4; !method.isFading() && steps < 200; h = method.proposal()) {
      if (method.attempt(h) == DormandPrince::Trial::Accepted) ++steps;
    }
    CHECK(method.isFading());
    CHECK(steps < 100);
  }
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
extern long allocations;  // counted by malloc in initialisation_test.cpp

TEST_CASE("DormandPrince: a step and a look inside it allocate nothing") {
  Given system = orbit();
  DormandPrince method(system, 1e-6, std::vector<double>(4, 1e-6));
  begin(method, system, 0, orbitAt(0));
  const volatile long& counter = allocations;
  std::array<double, 4> y{};
  const long before = counter;
  for (int i = 0; i < 20; ++i) {
    method.attempt(0.05);
    method.interpolate(method.time() - 0.02, y.data(), nullptr);
  }
  CHECK(counter == before);
}
#endif

/// A body on hard ground at the speed of its fall: at the first stages it is in the ground, which
/// throws those that have weight out of it. They agree with each other about a free fall.
TEST_CASE("Dormand-Prince: what only stages without weight have met is no step") {
  Given ground(2, [](double, const double* y, double* f) {
    f[0] = y[1];
    f[1] = -9.81 + (y[0] < 0 ? 1e12 * y[0] * y[0] : 0);
  });
  DormandPrince method(ground, 1e-6, {1e-6, 1e-6});
  begin(method, ground, 0, {0, -1.4});
  int rejected = 0;
  for (double h = 0.012; method.time() < 0.012;
       h = std::min(method.proposal(), 0.012 - method.time())) {
    if (method.attempt(h) != DormandPrince::Trial::Accepted) ++rejected;
    REQUIRE(method.y()[0] > -2e-4);
  }
  CHECK(rejected > 0);
  // It has bounced, with all of its energy.
  const double* y = method.y().data();
  CHECK(y[0] > 0);
  CHECK(0.5 * y[1] * y[1] + 9.81 * y[0] == doctest::Approx(0.98).epsilon(1e-4));
}
