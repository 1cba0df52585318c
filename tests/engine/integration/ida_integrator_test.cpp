#include "engine/integration/ida_integrator.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

using namespace cardan;

namespace {

using StepResult = IdaIntegrator::StepResult;
using Cause = SolverError::Cause;
using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A system with dense Jacobians, which can be told to misbehave.
class DenseSystem : public DaeSystem {
 public:
  explicit DenseSystem(std::vector<std::string> names) : names_(std::move(names)) {}

  int size() const override { return static_cast<int>(names_.size()); }

  bool residual(double t, const double* y, const double* yp, double* r) final {
    Map<VectorXd> result(r, size());
    result = equations(t, Map<const VectorXd>(y, size()), Map<const VectorXd>(yp, size()));
    return beforeResidual ? beforeResidual(t, r) : true;
  }
  bool factor(double t, double cj, const double* y, const double* yp) final {
    if (beforeFactor && !beforeFactor(t)) return false;
    const Map<const VectorXd> Y(y, size()), YP(yp, size());
    lu_.compute(matrixFactor * (dy(t, Y, YP) + cj * dyp(t, Y, YP)));
    return lu_.matrixLU().diagonal().cwiseAbs().minCoeff() > 0;
  }
  void solve(const double* b, double* x) final {
    Map<VectorXd>(x, size()) = lu_.solve(Map<const VectorXd>(b, size())).eval();
    if (afterSolve) afterSolve(x);
  }
  bool isDifferential(int) const override { return true; }
  double nominal(int) const override { return 1; }
  std::string unknownName(int i) const override { return names_[static_cast<std::size_t>(i)]; }

  std::function<bool(double t, double* r)> beforeResidual;  // sees the computed residual
  std::function<bool(double t)> beforeFactor;
  std::function<void(double* x)> afterSolve;
  double matrixFactor = 1;  // anything but 1 is a wrong Newton matrix

 protected:
  virtual VectorXd equations(double t, const VectorXd& y, const VectorXd& yp) const = 0;
  virtual MatrixXd dy(double t, const VectorXd& y, const VectorXd& yp) const = 0;
  virtual MatrixXd dyp(double, const VectorXd&, const VectorXd&) const {
    return MatrixXd::Identity(size(), size());
  }

 private:
  std::vector<std::string> names_;
  Eigen::PartialPivLU<MatrixXd> lu_;
};

// y' = -k y
class Decay : public DenseSystem {
 public:
  Decay() : DenseSystem({"tank.level"}) {}
  double k = 1;

 protected:
  VectorXd equations(double, const VectorXd& y, const VectorXd& yp) const override {
    return yp + k * y;
  }
  MatrixXd dy(double, const VectorXd&, const VectorXd&) const override {
    return MatrixXd::Constant(1, 1, k);
  }
};

// y' = y^2, y = 1 / (1 - t): no solution beyond t = 1.
class BlowUp : public DenseSystem {
 public:
  BlowUp() : DenseSystem({"reactor.T"}) {}

 protected:
  VectorXd equations(double, const VectorXd& y, const VectorXd& yp) const override {
    return yp - y.cwiseProduct(y);
  }
  MatrixXd dy(double, const VectorXd& y, const VectorXd&) const override {
    return MatrixXd::Constant(1, 1, -2 * y[0]);
  }
};

// x' = v, v' = -x, in charts z of the plane: z = R(angle) s(x, v), where s shears nonlinearly,
// s = (x + shear v^2, v). Roots: x = 0 and v = 0.
class Oscillator : public DenseSystem {
 public:
  Oscillator() : DenseSystem({"mass.s", "mass.v"}) {}
  int watched = 0;
  double angle = 0;
  double shear = 0;

  Eigen::Vector2d toChart(const Eigen::Vector2d& s) const {
    return rotation() * Eigen::Vector2d(s[0] + shear * s[1] * s[1], s[1]);
  }
  Eigen::Vector2d fromChart(const Eigen::Vector2d& z) const {
    const Eigen::Vector2d s = rotation().transpose() * z;
    return {s[0] - shear * s[1] * s[1], s[1]};
  }
  int rootCount() const override { return watched; }
  bool roots(double, const double* y, const double*, double* g) override {
    for (int i = 0; i < watched; ++i) g[i] = y[i];
    return rootsComputable ? rootsComputable() : true;
  }
  std::function<bool()> rootsComputable;

 protected:
  // z = R (x + c v^2, v)  =>  R^T z' = (v - 2 c v x, -x)
  VectorXd equations(double, const VectorXd& y, const VectorXd& yp) const override {
    const Eigen::Vector2d s = fromChart(y);
    return rotation().transpose() * yp - Eigen::Vector2d(s[1] - 2 * shear * s[0] * s[1], -s[0]);
  }
  MatrixXd dy(double, const VectorXd& y, const VectorXd&) const override {
    const Eigen::Vector2d s = fromChart(y);
    Eigen::Matrix2d f;  // d(rates)/d(x, v)
    f << -2 * shear * s[1], 1 - 2 * shear * s[0], -1, 0;
    Eigen::Matrix2d inverse;  // d(x, v)/d(sheared)
    inverse << 1, -2 * shear * s[1], 0, 1;
    return -f * inverse * rotation().transpose();
  }
  MatrixXd dyp(double, const VectorXd&, const VectorXd&) const override {
    return rotation().transpose();
  }

 private:
  Eigen::Matrix2d rotation() const { return Eigen::Rotation2Dd(angle).toRotationMatrix(); }
};

// Point mass on a circle of radius 1 in Cartesian coordinates, stabilised index 2 (GGL):
//   x' = u + 2 x mu, y' = v + 2 y mu, u' = 2 x lambda, v' = -g + 2 y lambda, x u + y v = 0, x^2 +
//   y^2 = 1
class Pendulum : public DenseSystem {
 public:
  Pendulum() : DenseSystem({"x", "y", "u", "v", "lambda", "mu"}) {}
  static constexpr double g = 9.81;
  bool isDifferential(int i) const override { return i < 4; }
  double nominal(int) const override { return 1; }

  // Released at rest at the angle from the hanging position; the acceleration is tangential.
  static VectorXd start(double angle) {
    VectorXd y = VectorXd::Zero(6);
    y << std::sin(angle), -std::cos(angle), 0, 0, -g * std::cos(angle) / 2, 0;
    return y;
  }
  static VectorXd startRate(double angle) {
    const double a = -g * std::sin(angle);
    VectorXd yp = VectorXd::Zero(6);
    yp << 0, 0, a * std::cos(angle), a * std::sin(angle), 0, 0;
    return yp;
  }

 protected:
  VectorXd equations(double, const VectorXd& q, const VectorXd& qp) const override {
    const double x = q[0], y = q[1], u = q[2], v = q[3], lambda = q[4], mu = q[5];
    VectorXd r(6);
    r << qp[0] - u - 2 * x * mu, qp[1] - v - 2 * y * mu, qp[2] - 2 * x * lambda,
        qp[3] + g - 2 * y * lambda, x * u + y * v, x * x + y * y - 1;
    return r;
  }
  MatrixXd dy(double, const VectorXd& q, const VectorXd&) const override {
    const double x = q[0], y = q[1], u = q[2], v = q[3], lambda = q[4], mu = q[5];
    MatrixXd j = MatrixXd::Zero(6, 6);
    j.row(0) << -2 * mu, 0, -1, 0, 0, -2 * x;
    j.row(1) << 0, -2 * mu, 0, -1, 0, -2 * y;
    j.row(2) << -2 * lambda, 0, 0, 0, -2 * x, 0;
    j.row(3) << 0, -2 * lambda, 0, 0, -2 * y, 0;
    j.row(4) << u, v, x, y, 0, 0;
    j.row(5) << 2 * x, 2 * y, 0, 0, 0, 0;
    return j;
  }
  MatrixXd dyp(double, const VectorXd&, const VectorXd&) const override {
    MatrixXd m = MatrixXd::Zero(6, 6);
    m.topLeftCorner(4, 4).setIdentity();
    return m;
  }
};

IntegratorOptions tolerance(double relative) {
  IntegratorOptions options;
  options.relativeTolerance = relative;
  return options;
}

StepResult runTo(IdaIntegrator& ida, double tStop) {
  StepResult result = StepResult::Stepped;
  while (result == StepResult::Stepped) result = ida.step(tStop);
  return result;
}

void start(IdaIntegrator& ida, const Decay& system, double t, double y) {
  const double yp = -system.k * y;
  ida.start(t, {&y, 1}, {&yp, 1});
}

void startAtRest(IdaIntegrator& ida) {  // x = cos t, v = -sin t
  const std::vector<double> y{1, 0}, yp{0, -1};
  ida.start(0, y, yp);
}

void start(IdaIntegrator& ida, double pendulumAngle) {
  const VectorXd y = Pendulum::start(pendulumAngle), yp = Pendulum::startRate(pendulumAngle);
  ida.start(0, {y.data(), 6}, {yp.data(), 6});
}

SolverError failureOf(IdaIntegrator& ida, double tStop) {
  try {
    runTo(ida, tStop);
  } catch (const SolverError& error) {
    return error;
  }
  FAIL("no SolverError");
  return SolverError({});
}

// The global error of the BDF over a few time constants, as a multiple of the tolerance (30 to 3e4
// over long runs; the smooth, short ones of this file stay well below).
constexpr double kGlobalError = 500;

}  // namespace

TEST_CASE("IdaIntegrator: decay follows exp(-t) within the global error of every tolerance") {
  double previousError = 1;
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    CAPTURE(rtol);
    Decay system;
    IdaIntegrator ida(system, tolerance(rtol));
    start(ida, system, 0, 1);
    CHECK(runTo(ida, 2) == StepResult::ReachedStop);
    const double error = std::abs(ida.y()[0] - std::exp(-2.0));
    CHECK(error < kGlobalError * rtol);
    CHECK(error < previousError / 10);
    CHECK(std::abs(ida.yp()[0] + ida.y()[0]) < 1e-14);
    previousError = error;
  }
}

TEST_CASE("IdaIntegrator: steps grow like tolerance^(-1/(order+1)) of the maximum order") {
  const auto steps = [](double rtol, int order) {
    Decay system;
    IntegratorOptions options = tolerance(rtol);
    options.maximumOrder = order;
    IdaIntegrator ida(system, options);
    start(ida, system, 0, 1);
    while (ida.step(2) == StepResult::Stepped) CHECK(ida.lastOrder() <= order);
    return static_cast<double>(ida.statistics().steps);
  };
  // Two digits cost 100^(1/2) = 10 at order 1 and 100^(1/6) = 2.2 at order 5.
  CHECK(steps(1e-7, 1) / steps(1e-5, 1) == doctest::Approx(10).epsilon(0.2));
  CHECK(steps(1e-11, 5) / steps(1e-9, 5) == doctest::Approx(2.2).epsilon(0.2));
}

TEST_CASE("IdaIntegrator: pendulum in index 2 swings with the period of the elliptic integral") {
  const double angle = 2;
  const double k = std::sin(angle / 2);
  const double period = 4 * std::comp_ellint_1(k) / std::sqrt(Pendulum::g);
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    CAPTURE(rtol);
    Pendulum system;
    IdaIntegrator ida(system, tolerance(rtol));
    start(ida, angle);
    double drift = 0;
    while (ida.step(period / 4) == StepResult::Stepped) {
      const auto y = ida.y();
      drift = std::max(drift, std::abs(y[0] * y[0] + y[1] * y[1] - 1));
      drift = std::max(drift, std::abs(y[0] * y[2] + y[1] * y[3]));
    }
    // At the bottom with u = -2 k sqrt(g): the energy of the height 2 k^2.
    CHECK(std::abs(ida.y()[0]) < kGlobalError * rtol);
    CHECK(std::abs(ida.y()[2] + 2 * k * std::sqrt(Pendulum::g)) < kGlobalError * rtol);

    CHECK(runTo(ida, period) == StepResult::ReachedStop);
    const VectorXd home = Pendulum::start(angle);
    // Near its turning point the position feels the time only in second order, the speed in first.
    CHECK(std::abs(ida.y()[0] - home[0]) < 10 * kGlobalError * rtol);
    CHECK(std::abs(ida.y()[2] - home[2]) < 10 * kGlobalError * rtol);
    // Newton solves the constraints far below the tolerance.
    CHECK(drift < 1e-3 * rtol);
  }
}

TEST_CASE("IdaIntegrator: one Newton iteration and one fresh matrix per step, and no failures") {
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    CAPTURE(rtol);
    Pendulum system;
    IdaIntegrator ida(system, tolerance(rtol));
    start(ida, 2);
    runTo(ida, 10);
    const IntegratorStatistics s = ida.statistics();
    const auto attempts = static_cast<double>(s.steps + s.errorTestFailures);
    CHECK(s.newtonFailures == 0);
    CHECK(s.newtonMatrices == s.steps + s.errorTestFailures);
    CHECK(s.residuals == s.newtonIterations);
    CHECK(static_cast<double>(s.newtonIterations) / attempts < 1.3);
    // The rate is learned again and again, at least in every 21st step.
    CHECK(s.newtonIterations - s.newtonMatrices >= s.newtonMatrices / 21 - 1);
  }
}

TEST_CASE("IdaIntegrator: where matrices are dear one serves several steps, as exactly") {
  struct DearPendulum : Pendulum {
    bool isMatrixDear() const override { return true; }
  };
  const double angle = 2, stop = 10;
  Pendulum exact;
  IdaIntegrator reference(exact, tolerance(1e-11));
  start(reference, angle);
  runTo(reference, stop);
  for (const double rtol : {1e-6, 1e-8}) {
    CAPTURE(rtol);
    Pendulum cheap;
    DearPendulum dear;
    IdaIntegrator always(cheap, tolerance(rtol)), seldom(dear, tolerance(rtol));
    const auto error = [&](IdaIntegrator& ida) {
      start(ida, angle);
      double drift = 0;
      while (ida.step(stop) == StepResult::Stepped) {
        const auto y = ida.y();
        drift = std::max(drift, std::abs(y[0] * y[0] + y[1] * y[1] - 1));
      }
      CHECK(drift < 0.01 * rtol);
      double worst = 0;
      for (size_t i = 0; i < 4; ++i)
        worst = std::max(worst, std::abs(ida.y()[i] - reference.y()[i]));
      return worst;
    };
    const double before = error(always);
    CHECK(error(seldom) < 1.5 * before);
    const IntegratorStatistics a = always.statistics(), s = seldom.statistics();
    CHECK(s.newtonMatrices < 0.9 * static_cast<double>(a.newtonMatrices));
    CHECK(s.newtonFailures == 0);
    CHECK(s.steps < 1.05 * static_cast<double>(a.steps));
    CHECK(s.residuals == s.newtonIterations);
  }
}

TEST_CASE("IdaIntegrator: a matrix that can be carried serves while steps grow after a start") {
  // x' = cos t - a (x - sin t): the matrix cj + a is that of another cj but for a.
  struct Slow : DaeSystem {
    bool carries = false;
    double a = 0.01, factored = 1, now = 1;
    int size() const override { return 1; }
    bool residual(double t, const double* y, const double* yp, double* r) override {
      r[0] = yp[0] - std::cos(t) + a * (y[0] - std::sin(t));
      return true;
    }
    bool factor(double, double cj, const double*, const double*) override {
      factored = now = cj;
      return true;
    }
    bool isMatrixDear() const override { return true; }
    bool carryTo(double cj) override {
      if (carries) now = cj;
      return carries;
    }
    void solve(const double* b, double* x) override {
      x[0] = b[0] / (factored + a) * factored / now;
    }
    bool isDifferential(int) const override { return true; }
    double nominal(int) const override { return 1; }
    std::string unknownName(int) const override { return "x"; }
  };
  const auto run = [](bool carries) {
    Slow system;
    system.carries = carries;
    IdaIntegrator ida(system, tolerance(1e-6));
    const double y = 0, yp = 1;
    ida.start(0, std::span(&y, 1), std::span(&yp, 1), 1e-5);
    runTo(ida, 1);
    CHECK(std::abs(ida.y()[0] - std::sin(1.0)) < kGlobalError * 1e-6);
    return ida.statistics();
  };
  const IntegratorStatistics fresh = run(false), carried = run(true);
  CHECK(carried.steps == fresh.steps);
  CHECK(carried.newtonMatrices < 0.5 * static_cast<double>(fresh.newtonMatrices));
  CHECK(carried.newtonFailures == 0);
}

TEST_CASE("IdaIntegrator: a matrix that serves is not believed where the system has changed") {
  // x' = -k x + sin t: the rate k falls at once by 1e6, from a matrix that holds the larger one.
  struct Relaxing : DaeSystem {
    mutable double rate = 1e6;
    double pivot = 1;
    int size() const override { return 1; }
    bool residual(double t, const double* y, const double* yp, double* r) override {
      r[0] = yp[0] + rate * (y[0] - std::sin(t));
      return true;
    }
    bool factor(double, double cj, const double*, const double*) override {
      pivot = cj + rate;
      return true;
    }
    bool isMatrixDear() const override { return true; }
    void solve(const double* b, double* x) override { x[0] = b[0] / pivot; }
    bool isDifferential(int) const override { return true; }
    double nominal(int) const override { return 1; }
    std::string unknownName(int) const override { return "x"; }
  } system;
  IdaIntegrator ida(system, tolerance(1e-6));
  const double y = 0, yp = 0;
  ida.start(0, std::span(&y, 1), std::span(&yp, 1), 0);
  while (ida.time() < 1) ida.step(2);
  const long served = ida.statistics().steps - ida.statistics().newtonMatrices;
  CHECK(served > 0);
  system.rate = 1;
  const double from = ida.time(), here = ida.y()[0];
  runTo(ida, 2);
  // x = a e^-t + (sin t - cos t) / 2
  const auto forced = [](double t) { return (std::sin(t) - std::cos(t)) / 2; };
  const double exact = (here - forced(from)) * std::exp(from - 2) + forced(2);
  CHECK(std::abs(ida.y()[0] - exact) < 1e-4);
}

TEST_CASE("IdaIntegrator: a stiffness that is gone is noticed beside a motion that converges") {
  // The same x, its rate so large that what its updates would be later is far below the tolerance.
  // z' = -z (1 + z^2), with a matrix that is off by a fifth, converges by larger updates.
  struct Two : DaeSystem {
    double rate = 1e12;
    double pivot = 1, slow = 1;
    int size() const override { return 2; }
    bool residual(double t, const double* y, const double* yp, double* r) override {
      r[0] = yp[0] + rate * (y[0] - std::sin(t));
      r[1] = yp[1] + y[1] * (1 + y[1] * y[1]);
      return true;
    }
    bool factor(double, double cj, const double*, const double*) override {
      pivot = cj + rate;
      slow = 1.2 * cj;
      return true;
    }
    bool isMatrixDear() const override { return true; }
    void solve(const double* b, double* x) override {
      x[0] = b[0] / pivot;
      x[1] = b[1] / slow;
    }
    bool isDifferential(int) const override { return true; }
    double nominal(int) const override { return 1; }
    std::string unknownName(int i) const override { return i == 0 ? "x" : "z"; }
  };
  IntegratorOptions options = tolerance(1e-6);
  options.maximumStep = 0.01;  // all of one length, so that a matrix serves long
  const auto forced = [](double t) { return (std::sin(t) - std::cos(t)) / 2; };
  for (const double gone : {1.0, 1.04, 1.08, 1.12, 1.16}) {  // wherever among those that one serves
    CAPTURE(gone);
    Two system;
    IdaIntegrator ida(system, options);
    const double y[] = {0, 1}, yp[] = {0, -2};
    ida.start(0, y, yp, 0);
    while (ida.time() < gone) ida.step(2);
    CHECK(ida.statistics().steps > ida.statistics().newtonMatrices);
    system.rate = 1;
    const double from = ida.time(), here = ida.y()[0];
    runTo(ida, 2);
    const double exact = (here - forced(from)) * std::exp(from - 2) + forced(2);
    CHECK(std::abs(ida.y()[0] - exact) < 1e-5);
  }
}

TEST_CASE("IdaIntegrator: a linear system is solved by one iteration although cj changes") {
  // Any scaling of the update for an old cj would leave a residual behind.
  Decay system;
  IdaIntegrator ida(system, tolerance(1e-8));
  start(ida, system, 0, 1);
  while (ida.step(3) == StepResult::Stepped) {
    CHECK(std::abs(ida.yp()[0] + ida.y()[0]) < 1e-13);
  }
  const IntegratorStatistics s = ida.statistics();
  CHECK(s.newtonIterations < 1.1 * static_cast<double>(s.newtonMatrices) + 2);
}

TEST_CASE("IdaIntegrator: stop times are hit exactly and the equations hold there") {
  Pendulum system;
  IdaIntegrator ida(system, tolerance(1e-6));
  start(ida, 2);
  VectorXd r(6);
  double tStop = 0;
  for (int i = 1; i <= 50; ++i) {
    tStop += 0.1 * std::sqrt(i) / 3;
    double latest = 0;
    StepResult result = StepResult::Stepped;
    while (result == StepResult::Stepped) {
      result = ida.step(tStop);
      latest = ida.time();
      CHECK(latest <= tStop);
    }
    CHECK(result == StepResult::ReachedStop);
    CHECK(ida.time() == tStop);
    CHECK(system.residual(tStop, ida.y().data(), ida.yp().data(), r.data()));
    CHECK(r.cwiseAbs().maxCoeff() < 1e-9);  // the polynomial's derivative would leave about 1e-5
  }
}

TEST_CASE(
    "IdaIntegrator: a stop time at the present time is an empty step, an earlier one refused") {
  Decay system;
  IdaIntegrator ida(system, tolerance(1e-6));
  start(ida, system, 1, 1);
  CHECK(ida.step(1) == StepResult::ReachedStop);
  CHECK(ida.step(std::nextafter(1, 2)) == StepResult::ReachedStop);
  CHECK(ida.time() == std::nextafter(1, 2));
  CHECK(ida.statistics().steps == 0);
  CHECK(ida.y()[0] == 1);
  CHECK(runTo(ida, 2) == StepResult::ReachedStop);
  CHECK(ida.step(2) == StepResult::ReachedStop);
  CHECK_THROWS_AS(ida.step(1.5), std::invalid_argument);
  CHECK_THROWS_AS(ida.step(std::nan("")), std::invalid_argument);
}

TEST_CASE("IdaIntegrator: the regular step ignores a step cut short by a stop time") {
  Decay system;
  IdaIntegrator ida(system, tolerance(1e-6));
  start(ida, system, 0, 1);
  while (ida.statistics().steps < 40) ida.step(100);
  const double regular = ida.lastStep();
  CHECK(ida.regularStep() == regular);
  ida.step(ida.time() + 1e-9);
  CHECK(ida.lastStep() == doctest::Approx(1e-9).epsilon(1e-3));
  CHECK(ida.regularStep() == regular);
}

TEST_CASE("IdaIntegrator: interpolation between the ends of a step is as good as the steps") {
  for (const double rtol : {1e-6, 1e-9}) {
    CAPTURE(rtol);
    Oscillator system;
    IdaIntegrator ida(system, tolerance(rtol));
    startAtRest(ida);
    std::vector<double> y(2), yp(2);
    double worst = 0, worstRate = 0;
    while (ida.step(10) == StepResult::Stepped) {
      for (const double part : {0.0, 0.2, 0.5, 0.9, 1.0}) {
        const double t = std::lerp(ida.previousTime(), ida.time(), part);
        ida.interpolate(t, y, yp);
        worst = std::max(worst, std::hypot(y[0] - std::cos(t), y[1] + std::sin(t)));
        worstRate = std::max(worstRate, std::hypot(yp[0] + std::sin(t), yp[1] + std::cos(t)));
      }
      CHECK(y[0] == ida.y()[0]);
      CHECK(yp[1] == ida.yp()[1]);
    }
    CHECK(worst < kGlobalError * rtol);
    // One order less: the error of a step divided by its length, here some hundredths.
    CHECK(worstRate < 20 * kGlobalError * rtol);
    CHECK_THROWS_AS(ida.interpolate(std::nextafter(10, 11), y, yp), std::out_of_range);
    CHECK_THROWS_AS(ida.interpolate(ida.previousTime() - 1e-6, y, yp), std::out_of_range);
    CHECK_THROWS_AS(ida.interpolate(std::nan(""), y, yp), std::out_of_range);
  }
}

TEST_CASE("IdaIntegrator: before the first step interpolation gives the start values") {
  Decay system;
  IdaIntegrator ida(system, tolerance(1e-6));
  start(ida, system, 3, 7);
  std::vector<double> y(1), yp(1);
  ida.interpolate(3, y, yp);
  CHECK(y[0] == 7);
  CHECK(yp[0] == -7);
}

TEST_CASE("IdaIntegrator: a restart with the last step needs fewer steps than a cold one") {
  const auto run = [](bool warm) {
    Decay system;
    IdaIntegrator ida(system, tolerance(1e-6));
    start(ida, system, 0, 1);
    double expected = 1;
    for (int i = 1; i <= 20; ++i) {  // k jumps at every full second
      runTo(ida, i);
      expected *= std::exp(-system.k);
      system.k = i % 2 == 0 ? 1 : -0.5;
      const std::vector<double> y(ida.y().begin(), ida.y().end());
      const std::vector<double> yp{-system.k * y[0]};
      ida.restart(i, y, yp, warm ? ida.regularStep() : 0);
      CHECK(ida.time() == i);
      CHECK(ida.previousTime() == i);
    }
    CHECK(std::abs(ida.y()[0] / expected - 1) < 20 * kGlobalError * 1e-6);
    const IntegratorStatistics s = ida.statistics();
    CHECK(s.restarts == 20);
    CHECK(s.newtonMatrices == s.steps + s.errorTestFailures);  // summed over all restarts
    return s.steps;
  };
  const long warm = run(true), cold = run(false);
  CHECK(warm > 20);
  CHECK(static_cast<double>(warm) < 0.9 * static_cast<double>(cold));
}

TEST_CASE("IdaIntegrator: a restart of arrays it owns is safe") {
  Decay system;
  IdaIntegrator ida(system, tolerance(1e-6));
  start(ida, system, 0, 1);
  runTo(ida, 1);
  const double y = ida.y()[0];
  ida.restart(1, ida.y(), ida.yp(), ida.lastStep());
  CHECK(ida.y()[0] == y);
  runTo(ida, 2);
  CHECK(std::abs(ida.y()[0] - std::exp(-2.0)) < kGlobalError * 1e-6);
}

TEST_CASE("IdaIntegrator: a restart with a step lost in roundoff chooses its own") {
  Decay system;
  IdaIntegrator ida(system, tolerance(1e-6));
  const double y = 1, yp = -1;
  ida.restart(1, {&y, 1}, {&yp, 1}, 1e-17);
  CHECK(runTo(ida, 2) == StepResult::ReachedStop);
  CHECK(ida.lastStep() > 1e-3);
}

TEST_CASE("IdaIntegrator: roots are found where they are, with the sign of the crossing") {
  const double pi = std::numbers::pi;
  Oscillator system;  // g = (cos t, -sin t); at t = 0 the second is exactly zero: no event
  system.watched = 2;
  IdaIntegrator ida(system, tolerance(1e-11));
  startAtRest(ida);
  const auto check = [&](double t, int first, int second) {
    CHECK(runTo(ida, 100) == StepResult::Root);
    CHECK(std::abs(ida.time() - t) < 1e-9);
    CHECK(ida.rootsFound()[0] == first);
    CHECK(ida.rootsFound()[1] == second);
    CHECK(std::abs(ida.y()[first != 0 ? 0 : 1]) < 1e-12);
    CHECK(std::abs(ida.yp()[1] + ida.y()[0]) < 1e-7);
  };
  check(pi / 2, -1, 0);
  check(pi, 0, 1);
  check(3 * pi / 2, 1, 0);

  ida.restart(ida.time(), ida.y(), ida.yp(), ida.lastStep());
  check(2 * pi, 0, -1);
  CHECK(ida.step(100) == StepResult::Stepped);
  CHECK(ida.rootsFound()[0] == 0);
  CHECK(ida.rootsFound()[1] == 0);
}

TEST_CASE("IdaIntegrator: a root function that was zero at one start is watched after the next") {
  Oscillator system;
  system.watched = 2;
  IdaIntegrator ida(system, tolerance(1e-2));
  // At rest in the origin both functions are zero and stay so.
  const std::vector<double> rest{0, 0};
  ida.start(0, rest, rest);
  CHECK(runTo(ida, 1) == StepResult::ReachedStop);
  // The first step after the restart, coarse as it is, jumps over the root at once.
  const std::vector<double> y{0.01, -1}, yp{-1, -0.01};
  ida.restart(1, y, yp, 0.02);
  CHECK(ida.step(1.5) == StepResult::Root);
  CHECK(ida.time() == doctest::Approx(1 + std::atan(0.01)).epsilon(1e-3));
}

TEST_CASE("IdaIntegrator: what the system throws comes out of step() unchanged") {
  struct Trouble {};
  for (const int where : {0, 1, 2, 3}) {
    CAPTURE(where);
    Oscillator system;
    system.watched = 1;
    IdaIntegrator ida(system, tolerance(1e-6));
    startAtRest(ida);
    runTo(ida, 0.5);
    const std::vector<double> y(ida.y().begin(), ida.y().end());
    const auto fail = [](auto...) -> bool { throw Trouble(); };
    if (where == 0) system.beforeResidual = fail;
    if (where == 1) system.beforeFactor = fail;
    if (where == 2) system.afterSolve = fail;
    if (where == 3) system.rootsComputable = fail;
    CHECK_THROWS_AS(ida.step(1), Trouble);
    CHECK(ida.time() == 0.5);
    CHECK(ida.y()[0] == y[0]);
    CHECK(ida.y()[1] == y[1]);

    // Not stored for later: without the trouble the run goes on.
    system.beforeResidual = nullptr;
    system.beforeFactor = nullptr;
    system.afterSolve = nullptr;
    system.rootsComputable = nullptr;
    ida.restart(0.5, ida.y(), ida.yp(), 0);
    CHECK(runTo(ida, 1) == StepResult::ReachedStop);
    CHECK(std::abs(ida.y()[0] - std::cos(1.0)) < kGlobalError * 1e-6);
  }
}

TEST_CASE(
    "IdaIntegrator: a residual that cannot be computed ends the run with the unknown's name") {
  Decay system;
  system.beforeResidual = [](double t, double*) { return t <= 1; };
  IdaIntegrator ida(system, tolerance(1e-6));
  start(ida, system, 0, 1);
  const SolverError error = failureOf(ida, 2);
  const SolverError::Details& d = error.details();
  CHECK(d.cause == Cause::ResidualNotComputable);
  CHECK(d.unknown == "tank.level");
  CHECK(d.value == ida.y()[0]);
  CHECK(d.time == ida.time());
  CHECK(d.steps == ida.statistics().steps);
  CHECK(d.step > 0);
  CHECK(d.order == ida.lastOrder());
  CHECK(ida.time() > 0.9);  // the domain is used almost to its end
  CHECK(ida.time() <= 1);
  CHECK(std::abs(ida.y()[0] - std::exp(-ida.time())) < kGlobalError * 1e-6);
  const std::string text = error.what();
  CHECK(text.find("'tank.level' = 0.3") != std::string::npos);
  CHECK(text.find("cannot be evaluated") != std::string::npos);
  CHECK(text.find("try: ") != std::string::npos);

  std::vector<double> y(1), yp(1);  // the rows so far are the caller's
  ida.interpolate(std::midpoint(ida.previousTime(), ida.time()), y, yp);
  CHECK(y[0] >= ida.y()[0]);
}

TEST_CASE("IdaIntegrator: a residual that is never computable fails at the start, by name") {
  Oscillator system;
  system.beforeResidual = [](double, double*) { return false; };
  IdaIntegrator ida(system, tolerance(1e-6));
  startAtRest(ida);
  const SolverError error = failureOf(ida, 2);
  CHECK(error.details().cause == Cause::ResidualNotComputable);
  CHECK(error.details().unknown == "mass.v");  // the one that changes
  CHECK(error.details().time == 0);
  CHECK(error.details().steps == 0);
  CHECK(ida.y()[0] == 1);
}

TEST_CASE("IdaIntegrator: each kind of failure has its own cause and names the guilty unknown") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Oscillator system;
  IdaIntegrator ida(system, tolerance(1e-6));
  startAtRest(ida);
  runTo(ida, 0.5);
  const auto causeOfNextStep = [&] { return failureOf(ida, 1).details(); };

  SUBCASE("singular matrix") {
    system.beforeFactor = [](double) { return false; };
    CHECK(causeOfNextStep().cause == Cause::SingularMatrix);
  }
  SUBCASE("wrong matrix: Newton diverges") {
    system.matrixFactor = -0.5;
    ida.restart(0.5, ida.y(), ida.yp(), 1e-3);
    const auto d = causeOfNextStep();
    CHECK(d.cause == Cause::NewtonConvergence);
    CHECK_FALSE(d.unknown.empty());
  }
  SUBCASE("one unknown without an answer") {
    system.afterSolve = [nan](double* x) { x[1] = nan; };
    const auto d = causeOfNextStep();
    CHECK(d.cause == Cause::NewtonConvergence);
    CHECK(d.unknown == "mass.v");
  }
  SUBCASE("residual with a NaN that claims to be fine") {
    system.beforeResidual = [nan](double, double* r) {
      r[0] = nan;
      return true;
    };
    CHECK(causeOfNextStep().cause == Cause::ResidualNotComputable);
  }
  SUBCASE("infinite residual") {
    system.beforeResidual = [](double, double* r) {
      r[0] = std::numeric_limits<double>::infinity();
      return true;
    };
    CHECK(causeOfNextStep().cause == Cause::ResidualNotComputable);
  }
  CHECK(ida.time() < 0.5001);  // tiny steps may pass on the predictor alone
  CHECK(std::abs(ida.y()[0] - std::cos(ida.time())) < kGlobalError * 1e-6);
}

TEST_CASE("IdaIntegrator: a condition that cannot be evaluated is reported as such") {
  Oscillator system;
  system.watched = 1;
  system.rootsComputable = [] { return false; };
  IdaIntegrator ida(system, tolerance(1e-6));
  startAtRest(ida);
  CHECK(failureOf(ida, 1).details().cause == Cause::RootNotComputable);
}

// y_i = jump_i(t), stated as differential unknowns: no step over the jump passes the error test.
class Jump : public DenseSystem {
 public:
  Jump() : DenseSystem({"smooth", "jumping"}) {}
  bool differential = true;
  bool isDifferential(int i) const override { return i == 0 || differential; }

 protected:
  VectorXd equations(double t, const VectorXd& y, const VectorXd& yp) const override {
    return Eigen::Vector2d(yp[0] + y[0], y[1] - (t < 0.7 ? 0.0 : 100.0));
  }
  MatrixXd dy(double, const VectorXd&, const VectorXd&) const override {
    return MatrixXd::Identity(2, 2);
  }
  MatrixXd dyp(double, const VectorXd&, const VectorXd&) const override {
    return Eigen::Vector2d(1, 0).asDiagonal();
  }
};

TEST_CASE("IdaIntegrator: a jump fails the error test however short the step, and is named") {
  Jump system;
  IdaIntegrator ida(system, tolerance(1e-6));
  ida.start(0, std::vector<double>{1, 0}, std::vector<double>{-1, 0});
  const SolverError error = failureOf(ida, 1);
  CHECK(error.details().cause == Cause::ErrorTest);
  CHECK(error.details().unknown == "jumping");
  CHECK(ida.time() <= 0.7);
  const IntegratorStatistics s = ida.statistics();
  CHECK(s.errorTestFailures > 0);
  // After each failure the rate is learned anew, by a second iteration.
  CHECK(s.newtonIterations - s.newtonMatrices >= s.errorTestFailures);
}

TEST_CASE("IdaIntegrator: algebraic unknowns are outside the error test") {
  Jump system;
  system.differential = false;
  IdaIntegrator ida(system, tolerance(1e-6));
  ida.start(0, std::vector<double>{1, 0}, std::vector<double>{-1, 0});
  CHECK(runTo(ida, 1) == StepResult::ReachedStop);
  CHECK(ida.y()[1] == doctest::Approx(100));
  CHECK(ida.statistics().errorTestFailures == 0);
  CHECK(ida.statistics().steps < 100);
}

TEST_CASE("IdaIntegrator: a solution that grows without bound ends the run near its pole") {
  BlowUp system;
  IdaIntegrator ida(system, tolerance(1e-6));
  ida.start(0, std::vector<double>{1}, std::vector<double>{1});
  const SolverError error = failureOf(ida, 2);
  CHECK(error.details().unknown == "reactor.T");
  CHECK(std::abs(ida.time() - 1) < kGlobalError * 1e-6);
  CHECK(std::isfinite(ida.y()[0]));
}

TEST_CASE("IdaIntegrator: nothing that is not a number gets in") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Oscillator system;
  IdaIntegrator ida(system, tolerance(1e-6));
  const std::vector<double> good{1, 0}, bad{0, nan};
  for (const auto& [y, yp] : {std::pair(good, bad), std::pair(bad, good)}) {
    try {
      ida.start(0, y, yp);
      FAIL("start accepted a NaN");
    } catch (const SolverError& error) {
      CHECK(error.details().cause == Cause::StartNotFinite);
      CHECK(error.details().unknown == "mass.v");
    }
  }

  startAtRest(ida);
  ida.step(3);
  const double before = ida.y()[0], time = ida.time();
  CHECK_THROWS_AS(ida.restart(1, bad, good, 0), SolverError);
  CHECK_THROWS_AS(ida.mapHistory([nan](double* y) { y[1] = nan; }), SolverError);
  CHECK(ida.y()[0] == before);
  CHECK(ida.time() == time);
  CHECK(ida.step(3) == StepResult::Stepped);
  CHECK(ida.statistics().steps == 2);

  // A NaN here and there costs shorter steps, never a wrong value.
  int call = 0;
  system.beforeResidual = [&call, nan](double, double* r) {
    if (++call % 7 == 0) r[1] = nan;
    return true;
  };
  startAtRest(ida);
  while (ida.step(3) == StepResult::Stepped) CHECK(std::isfinite(ida.y()[0] + ida.yp()[0]));
  CHECK(std::abs(ida.y()[0] - std::cos(3.0)) < kGlobalError * 1e-6);
  CHECK(ida.statistics().newtonFailures > 0);
}

TEST_CASE("IdaIntegrator: a nominal value that is no scale is refused by name") {
  class Bad : public Decay {
    double nominal(int) const override { return 0; }
  };
  Bad system;
  CHECK_THROWS_WITH_AS(IdaIntegrator(system, tolerance(1e-6)),
                       "nominal value of 'tank.level' must be positive and finite",
                       std::invalid_argument);
}

TEST_CASE("IdaIntegrator: a change of coordinates costs neither order nor steps nor accuracy") {
  const double end = 30;
  const auto run = [end](double rtol, double turn, double shear, bool restart) {
    Oscillator system;
    IdaIntegrator ida(system, tolerance(rtol));
    startAtRest(ida);
    double orders = 0;
    for (int i = 1; ida.step(end) == StepResult::Stepped; ++i) {
      orders += ida.lastOrder();
      if (i % 10 != 0 || (turn == 0 && shear == 0)) continue;
      const int order = ida.lastOrder();
      const double step = ida.lastStep();
      Oscillator next = system;
      next.angle += turn;
      next.shear = shear - system.shear;  // sheared and straight in turns
      const auto map = [&](double* y) {
        Map<Eigen::Vector2d> z(y);
        z = next.toChart(system.fromChart(z));
      };
      if (restart) {
        Eigen::Vector2d z(ida.y()[0], ida.y()[1]), zp(ida.yp()[0], ida.yp()[1]);
        const double h = 1e-6;
        Eigen::Vector2d later = z + h * zp, earlier = z - h * zp;
        map(z.data());
        map(later.data());
        map(earlier.data());
        zp = (later - earlier) / (2 * h);
        ida.restart(ida.time(), {z.data(), 2}, {zp.data(), 2}, step);
      } else {
        ida.mapHistory(map);
        CHECK(ida.lastOrder() == order);
        CHECK(ida.lastStep() == step);
      }
      system.angle = next.angle;
      system.shear = next.shear;
    }
    const Eigen::Vector2d s = system.fromChart(Eigen::Vector2d(ida.y()[0], ida.y()[1]));
    if (!restart)
      CHECK(std::hypot(s[0] - std::cos(end), s[1] + std::sin(end)) < 10 * kGlobalError * rtol);
    const auto steps = static_cast<double>(ida.statistics().steps);
    return std::pair(steps, orders / steps);
  };
  for (const double rtol : {1e-6, 1e-8}) {
    CAPTURE(rtol);
    const auto [steps, order] = run(rtol, 0, 0, false);
    for (const auto& [turn, shear] :
         {std::pair(0.7, 0.0), std::pair(0.0, 0.2), std::pair(0.7, 0.2)}) {
      CAPTURE(turn);
      CAPTURE(shear);
      const auto [mappedSteps, mappedOrder] = run(rtol, turn, shear, false);
      CHECK(mappedSteps < 1.2 * steps);  // the new unknowns have other weights
      CHECK(mappedOrder > order - 0.25);
    }
    CHECK(run(rtol, 0.7, 0, true).first > 2 * steps);
  }
}

TEST_CASE("IdaIntegrator: the order rises as before under changes of coordinates in every step") {
  const auto run = [](bool mapped) {
    Oscillator system;
    IntegratorOptions options = tolerance(1e-8);
    options.initialStep = 1e-4;
    IdaIntegrator ida(system, options);
    startAtRest(ida);
    if (mapped) CHECK_THROWS_AS(ida.mapHistory([](double*) {}), std::logic_error);
    double orders = 0;
    while (ida.step(3) == StepResult::Stepped) {
      orders += ida.lastOrder();
      if (!mapped) continue;
      ida.mapHistory([](double* y) {  // almost upside down: differences with old values are large
        Map<Eigen::Vector2d> z(y);
        z = (Eigen::Rotation2Dd(3) * z).eval();
      });
      system.angle += 3;
    }
    const Eigen::Vector2d s = system.fromChart(Eigen::Vector2d(ida.y()[0], ida.y()[1]));
    CHECK(std::abs(s[0] - std::cos(3)) < kGlobalError * 1e-8);
    const auto steps = static_cast<double>(ida.statistics().steps);
    return std::pair(steps, orders / steps);
  };
  const auto [steps, order] = run(false);
  const auto [mappedSteps, mappedOrder] = run(true);
  CHECK(mappedSteps < 1.2 * steps);
  CHECK(mappedOrder > order - 0.25);
}

TEST_CASE("IdaIntegrator: a map that changes nothing leaves the run as it is") {
  // From the regular steps on: those of the start are so short that y differs in its last digits
  // only.
  Oscillator plainSystem, mappedSystem;
  IdaIntegrator plain(plainSystem, tolerance(1e-8)), mapped(mappedSystem, tolerance(1e-8));
  startAtRest(plain);
  startAtRest(mapped);
  std::vector<double> y1(2), y2(2), yp1(2), yp2(2);
  for (int i = 0; i < 300; ++i) {
    plain.step(100);
    mapped.step(100);
    if (plain.time() > 1) mapped.mapHistory([](double*) {});
    CHECK(mapped.lastOrder() == plain.lastOrder());
    CHECK(mapped.time() == doctest::Approx(plain.time()).epsilon(1e-9));
    const double t = std::midpoint(plain.previousTime(), std::min(plain.time(), mapped.time()));
    plain.interpolate(t, y1, yp1);
    mapped.interpolate(t, y2, yp2);
    CHECK(std::abs(y1[0] - y2[0]) < 1e-10);
    CHECK(std::abs(yp1[0] - yp2[0]) < 1e-10);
  }
}

TEST_CASE("IdaIntegrator: two integrators in turns do the same as each alone") {
  const auto alone = [](double angle) {
    Pendulum system;
    IdaIntegrator ida(system, tolerance(1e-8));
    start(ida, angle);
    std::vector<double> path;
    for (int i = 0; i < 300; ++i) {
      ida.step(100);
      path.push_back(ida.time());
      path.push_back(ida.y()[0]);
    }
    return path;
  };
  const std::vector<double> path1 = alone(1), path2 = alone(2.5);

  Pendulum system1, system2;
  IdaIntegrator ida1(system1, tolerance(1e-8)), ida2(system2, tolerance(1e-8));
  start(ida1, 1);
  start(ida2, 2.5);
  bool same = true;
  for (std::size_t i = 0; i < 300; ++i) {
    ida1.step(100);
    ida2.step(100);
    same = same && ida1.time() == path1[2 * i] && ida1.y()[0] == path1[2 * i + 1];
    same = same && ida2.time() == path2[2 * i] && ida2.y()[0] == path2[2 * i + 1];
  }
  CHECK(same);
  CHECK(path1 != path2);
}

TEST_CASE("IdaIntegrator: start begins a run anew") {
  Pendulum system;
  IdaIntegrator ida(system, tolerance(1e-8));
  start(ida, 2);
  runTo(ida, 1);
  const double x = ida.y()[0];
  const long steps = ida.statistics().steps, iterations = ida.statistics().newtonIterations;
  start(ida, 2);
  CHECK(ida.time() == 0);
  CHECK(ida.statistics().steps == 0);
  runTo(ida, 1);
  CHECK(ida.y()[0] == x);
  CHECK(ida.statistics().steps == steps);
  CHECK(ida.statistics().newtonIterations == iterations);
}

TEST_CASE("IdaIntegrator: time shares are measured when asked for") {
  for (const bool timing : {false, true}) {
    Pendulum system;
    IntegratorOptions options = tolerance(1e-6);
    options.timing = timing;
    IdaIntegrator ida(system, options);
    start(ida, 1);
    runTo(ida, 1);
    const IntegratorStatistics s = ida.statistics();
    CHECK((s.residualSeconds > 0) == timing);
    CHECK((s.newtonMatrixSeconds > 0) == timing);
    CHECK((s.linearSolveSeconds > 0) == timing);
  }
}

TEST_CASE("IdaIntegrator: the maximum step is kept") {
  Decay system;
  IntegratorOptions options = tolerance(1e-4);
  options.maximumStep = 0.01;
  IdaIntegrator ida(system, options);
  start(ida, system, 0, 1);
  while (ida.step(1) == StepResult::Stepped) CHECK(ida.lastStep() <= 0.01 * (1 + 1e-12));
  CHECK(ida.statistics().steps >= 100);
}
