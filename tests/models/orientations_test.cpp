// Free rotation against closed forms, in all three forms of orientation coordinates.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/models/energy.h"
#include "tests/models/model_run.h"

using namespace cardan;
using test::ModelRun;
using test::runModel;

namespace {

/// Jacobi's elliptic functions for the parameter m = k^2, by descending Landen transformations
/// (Abramowitz and Stegun 16.4).
struct Jacobi {
  double sn, cn, dn;
};
Jacobi jacobi(double u, double m) {
  double a[12] = {1}, c[12] = {std::sqrt(m)}, b = std::sqrt(1 - m);
  int n = 0;
  while (std::abs(c[n]) > 1e-16 && n < 11) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = std::sqrt(a[n] * b);
    ++n;
  }
  double phi = std::ldexp(a[n] * u, n);
  for (int i = n; i > 0; --i) {
    phi = 0.5 * (phi + std::asin(c[i] * std::sin(phi) / a[i]));
  }
  const double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1 - m * sn * sn)};
}

/// A body with principal moments 1, 2, 3 spun about its middle axis without loads (Dzhanibekov).
std::string tumbler(const std::string& form, double stop, double tolerance) {
  return fmt::format(R"(
world: {{gravityType: NoGravity}}
components:
  body: {{type: Body, m: 1, I_11: 1, I_22: 2, I_33: 3, r_0: {{fixed: true}}, v_0: {{start: [0.1, 0, 0], fixed: true}},
         angles_fixed: true, w_0_fixed: true, w_0_start: [0.2, 3, 0.1], {}}}
simulation: {{stop: {}, interval: 0.05, tolerance: {}}}
outputs: [body.w_a, body.phi, body.frame_a.R.T, angularMomentum, totalEnergy, kineticEnergy]
)",
                     form, stop, tolerance);
}

const std::vector<std::string> kOrientationsForms{
    "orientationStates: quaternions", "orientationStates: transformationMatrix",
    "orientationStates: angles", "orientationStates: angles, sequence_angleStates: [3, 1, 3]"};

Eigen::Matrix3d rotation(const Trajectory& t, const std::string& frame, size_t row) {
  Eigen::Matrix3d T;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      T(i, j) = t[fmt::format("{}.R.T[{},{}]", frame, i + 1, j + 1)][row];
    }
  }
  return T;
}

}  // namespace

/// Angular velocity of the tumbler: Landau and Lifshitz, Mechanics, section 37, for L^2 < 2 T I_2:
/// w_1 = W1 dn, w_2 = W2 sn, w_3 = W3 cn, each of u0 + rate t.
struct TumblerInClosedForm {
  double m, rate, u0, W1, W2, W3;

  TumblerInClosedForm() {
    const double I1 = 1, I2 = 2, I3 = 3;
    const Eigen::Vector3d w0(0.2, 3, 0.1);
    const double twoT = I1 * w0[0] * w0[0] + I2 * w0[1] * w0[1] + I3 * w0[2] * w0[2];
    const double L2 = std::pow(I1 * w0[0], 2) + std::pow(I2 * w0[1], 2) + std::pow(I3 * w0[2], 2);
    REQUIRE(L2 < twoT * I2);
    rate = std::sqrt((I2 - I1) * (twoT * I3 - L2) / (I1 * I2 * I3));
    m = (I3 - I2) * (L2 - twoT * I1) / ((I2 - I1) * (twoT * I3 - L2));
    W1 = std::sqrt((twoT * I3 - L2) / (I1 * (I3 - I1)));
    W2 = std::sqrt((L2 - twoT * I1) / (I2 * (I2 - I1)));
    W3 = std::sqrt((L2 - twoT * I1) / (I3 * (I3 - I1)));
    // The phase of the start: sn(u0) = w_2/W2 where cn(u0) > 0, as w_3 is.
    double low = -quarter(), high = quarter();
    for (int i = 0; i < 200; ++i) {
      const double middle = 0.5 * (low + high);
      (jacobi(middle, m).sn < w0[1] / W2 ? low : high) = middle;
    }
    u0 = 0.5 * (low + high);
    REQUIRE(W1 * jacobi(u0, m).dn == doctest::Approx(w0[0]).epsilon(1e-9));
    REQUIRE(W3 * jacobi(u0, m).cn == doctest::Approx(w0[2]).epsilon(1e-9));
  }
  double quarter() const { return std::comp_ellint_1(std::sqrt(m)); }
  Eigen::Vector3d w(double t) const {
    const Jacobi j = jacobi(u0 + rate * t, m);
    return {W1 * j.dn, W2 * j.sn, W3 * j.cn};
  }
  /// Changes of sign of w_2 up to time t.
  int flips(double t) const { return static_cast<int>((u0 + rate * t) / (2 * quarter())); }
};

TEST_CASE("orientations: the torque-free body follows Jacobi's elliptic functions in every form") {
  const TumblerInClosedForm wanted;
  for (const std::string& form : kOrientationsForms) {
    CAPTURE(form);
    const ModelRun r = runModel(tumbler(form, 20, 1e-10));
    double worst = 0;
    for (size_t i = 0; i < r.rows.time().size(); ++i) {
      const Eigen::Vector3d w(r.rows["body.w_a[1]"][i], r.rows["body.w_a[2]"][i],
                              r.rows["body.w_a[3]"][i]);
      worst = std::max(worst, (w - wanted.w(r.rows.time()[i])).norm());
    }
    // Along the separatrix errors grow as exp(rate t) between the flips: some thousand tolerances.
    CHECK(worst < 1e-5);
  }
}

TEST_CASE("orientations: residues, energy and momentum over 100 s of flips, without a restart") {
  for (const std::string& form : kOrientationsForms) {
    CAPTURE(form);
    const ModelRun r = runModel(tumbler(form, 100, 1e-8));
    const Trajectory& t = r.rows;
    double residue = 0, momentum = 0;
    const Eigen::Vector3d L0(0.2, 6, 0.3);
    int flips = 0;
    for (size_t i = 0; i < t.time().size(); ++i) {
      const Eigen::Matrix3d T = rotation(t, "body.frame_a", i);
      residue = std::max(residue,
                         (T.transpose() * T - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff());
      const Eigen::Vector3d w(t["body.w_a[1]"][i], t["body.w_a[2]"][i], t["body.w_a[3]"][i]);
      const Eigen::Vector3d L = T.transpose() * Eigen::Vector3d(w[0], 2 * w[1], 3 * w[2]);
      momentum = std::max(momentum, (L - L0).norm() / L0.norm());
      flips += i > 0 && t["body.w_a[2]"][i] * t["body.w_a[2]"][i - 1] < 0;
    }
    MESSAGE(
        fmt::format("{}: {} steps, {} changes of angles, residue {:.1e}, momentum {:.1e}, "
                    "energy {:.1e}",
                    form, r.report.integrator.steps, r.report.chartChanges, residue, momentum,
                    test::energyDrift(t)));
    CHECK(flips == TumblerInClosedForm().flips(100));
    CHECK(residue < 1e-10);
    CHECK(momentum < 1e-5);  // 1000 tolerances
    CHECK(test::energyDrift(t) < 1e-5);
    CHECK(r.report.integrator.restarts == 0);
    const bool angles = form.find("angles") != std::string::npos;
    CHECK((r.report.chartChanges > 10) == angles);
  }
}

TEST_CASE("orientations: angles count on through changes of their reference") {
  // A steady turn about z and then the same about y, where the angles pass their singular place.
  for (const char* axis : {"[0, 0, 3]", "[0, 3, 0]"}) {
    CAPTURE(std::string(axis));
    const ModelRun r = runModel(fmt::format(R"(
world: {{gravityType: NoGravity}}
components:
  body: {{type: Body, m: 1, I_11: 1, I_22: 1, I_33: 1, orientationStates: angles, r_0: {{fixed: true}}, v_0: {{fixed: true}},
         angles_fixed: true, w_0_fixed: true, w_0_start: {}}}
simulation: {{stop: 10, interval: 0.01, tolerance: 1e-8}}
outputs: [body.phi]
)",
                                            axis));
    const bool z = std::string(axis) == "[0, 0, 3]";
    const auto& phi = r.rows[z ? "body.phi[3]" : "body.phi[2]"];
    for (size_t i = 0; i < phi.size(); ++i) {
      if (z) CHECK(phi[i] == doctest::Approx(3 * r.rows.time()[i]).epsilon(1e-6));
    }
    CHECK((r.report.chartChanges > 0) == !z);
    CHECK(r.report.integrator.restarts == 0);
  }
}

TEST_CASE("orientations: angles may start at their singular place") {
  const ModelRun r = runModel(R"(
world: {gravityType: NoGravity}
components:
  body: {type: Body, m: 1, I_11: 1, I_22: 2, I_33: 3, orientationStates: angles, r_0: {fixed: true}, v_0: {fixed: true},
         angles_fixed: true, angles_start: [0.4, "pi/2", 0], w_0_fixed: true, w_0_start: [1, 2, 3]}
simulation: {stop: 1, interval: 0.1, tolerance: 1e-8}
outputs: [totalEnergy, kineticEnergy]
)");
  CHECK(r.rows.time().back() == 1);
  CHECK(test::energyDrift(r.rows) < 1e-6);
}

TEST_CASE("heavy top: steady precession at the rate of the closed form") {
  // Body with a fixed point: I_1 about it, I_3 along its axis, centre of mass at l. Steady
  // precession W at nutation angle theta: I_1 W^2 cos(theta) - I_3 w_3 W + m g l = 0.
  const double m = 0.5, l = 0.3, g = 9.81, Ic = 0.002, I3 = 0.004, theta = 0.6;
  const double I1 = Ic + m * l * l, w3 = 200;
  const double c = std::cos(theta), s = std::sin(theta);
  const double root = std::sqrt(I3 * I3 * w3 * w3 - 4 * I1 * c * m * g * l);
  REQUIRE(std::isfinite(root));
  const double W = (I3 * w3 - root) / (2 * I1 * c);  // the slow one
  // The axis starts in the y-z plane, tilted about x by -theta... from z: axis = (0, s, c).
  const Eigen::Vector3d axis(0, s, c);
  const Eigen::Vector3d w = W * Eigen::Vector3d(0, 0, 1) + (w3 - W * c) * axis;
  const ModelRun r = runModel(fmt::format(R"(
world: {{g: {}, n: [0, 0, -1]}}
components:
  joint: {{type: Spherical, angles_fixed: true, angles_start: [{}, 0, 0], w_rel_a_fixed: true,
          w_rel_a_start: [{:.17g}, {:.17g}, {:.17g}]}}
  top: {{type: Body, m: {}, r_CM: [0, 0, {}], I_11: {}, I_22: {}, I_33: {}}}
connections:
  - [world.frame_b, joint.frame_a]
  - [joint.frame_b, top.frame_a]
simulation: {{stop: 10, interval: 0.1, tolerance: 1e-9}}
outputs: [top.frame_a.R.T]
)",
                                          g, -theta, w[0], w[1], w[2], m, l, Ic, Ic, I3));
  for (size_t i = 0; i < r.rows.time().size(); ++i) {
    const double angle = W * r.rows.time()[i];
    const Eigen::Vector3d now = rotation(r.rows, "top.frame_a", i).row(2);
    const Eigen::Vector3d wanted(-s * std::sin(angle), s * std::cos(angle), c);
    CHECK((now - wanted).norm() < 1e-5);  // the nutation that an error of 1e-9 excites, 10^4 of it
  }
}

TEST_CASE("heavy top: it nods between the roots of its cubic") {
  // Started at rest of the axis (u = cos theta): u' = 0 where
  // (E' - m g l u)(1 - u^2) 2/I_1 = (b - a u)^2, a = I_3 w_3/I_1, b = a u_0.
  const double m = 0.5, l = 0.3, g = 9.81, Ic = 0.002, I3 = 0.004, theta = 0.6, w3 = 100;
  const double I1 = Ic + m * l * l, u0 = std::cos(theta);
  const double a = I3 * w3 / I1, beta = 2 * m * g * l / I1;
  // beta (u0 - u)(1 - u^2) = a^2 (u0 - u)^2: the other root of beta (1 - u^2) = a^2 (u0 - u).
  const double lowest =
      (a * a - std::sqrt(a * a * a * a - 4 * beta * (a * a * u0 - beta))) / (2 * beta);
  const ModelRun r =
      runModel(fmt::format(R"(
world: {{g: {}, n: [0, 0, -1]}}
components:
  joint: {{type: Spherical, angles_fixed: true, angles_start: [{}, 0, 0], w_rel_a_fixed: true,
          w_rel_a_start: [0, {:.17g}, {:.17g}]}}
  top: {{type: Body, m: {}, r_CM: [0, 0, {}], I_11: {}, I_22: {}, I_33: {}}}
connections:
  - [world.frame_b, joint.frame_a]
  - [joint.frame_b, top.frame_a]
simulation: {{stop: 2, interval: 0.0005, tolerance: 1e-9}}
outputs: ["top.frame_a.R.T[3,3]"]
)",
                           g, -theta, w3 * std::sin(theta), w3 * u0, m, l, Ic, Ic, I3));
  const auto& u = r.rows["top.frame_a.R.T[3,3]"];
  CHECK(*std::max_element(u.begin(), u.end()) == doctest::Approx(u0).epsilon(1e-6));
  CHECK(*std::min_element(u.begin(), u.end()) == doctest::Approx(lowest).epsilon(1e-5));
  CHECK(lowest < u0 - 0.01);
}

TEST_CASE("point gravity: a Kepler ellipse closes after its period") {
  // Perihelion at (1, 0, 0), mu = 1, eccentricity e: v^2 = (1 + e), a = 1/(1 - e), T = 2 pi a^1.5.
  const double e = 0.5, a = 1 / (1 - e), T = 2 * std::numbers::pi * std::pow(a, 1.5);
  for (const char* type : {"PointMass", "Body"}) {
    CAPTURE(type);
    const ModelRun r = runModel(fmt::format(
        R"(
world: {{gravityType: PointGravity, mu: 1}}
components:
  planet: {{type: {}, m: 3, r_0: {{start: [1, 0, 0], fixed: true}}, v_0: {{start: [0, {:.17g}, 0], fixed: true}}{}}}
simulation: {{stop: {:.17g}, interval: {:.17g}, tolerance: 1e-10}}
outputs: ["planet.r_0"]
)",
        type, std::sqrt(1 + e),
        std::string(type) == "Body" ? ", angles_fixed: true, w_0_fixed: true" : "", T, T / 2));
    const size_t half = 1, end = 2;
    REQUIRE(r.rows.time().size() == 3);
    CHECK(r.rows["planet.r_0[1]"][half] == doctest::Approx(-a * (1 + e)).epsilon(1e-7));
    CHECK(std::abs(r.rows["planet.r_0[1]"][end] - 1) < 1e-7);
    CHECK(std::abs(r.rows["planet.r_0[2]"][end]) < 1e-6);
    CHECK(std::abs(r.rows["planet.r_0[3]"][end]) < 1e-12);
  }
}

TEST_CASE("start: a double pendulum is placed by its tip") {
  Simulation s = Simulation::fromText(catalogue(), R"(
components:
  j1: {type: Revolute, phi: {start: 0.4}, w: {fixed: true}}
  rod1: {type: BodyBox, r: [0.5, 0, 0], width: 0.06}
  j2: {type: Revolute, phi: {start: 0.2}, w: {fixed: true}}
  rod2: {type: BodyBox, r: [0.4, 0, 0], width: 0.06}
  tip: {type: AbsolutePosition, resolveInFrame: world, r: {start: [0.7, 0.3, 0], fixed: [true, true, false]}}
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, rod1.frame_a]
  - [rod1.frame_b, j2.frame_a]
  - [j2.frame_b, rod2.frame_a]
  - [rod2.frame_b, tip.frame_a]
simulation: {stop: 0.01, interval: 0.01}
outputs: [j1.phi, j2.phi, tip.r]
)",
                                      "tip.yaml");
  Trajectory t;
  s.run(t);
  // Law of cosines; elbow up or down as the guess of j2 says.
  const double x = 0.7, y = 0.3, a = 0.5, b = 0.4, d2 = x * x + y * y;
  const double phi2 = std::acos((d2 - a * a - b * b) / (2 * a * b));
  const double phi1 = std::atan2(y, x) - std::atan2(b * std::sin(phi2), a + b * std::cos(phi2));
  CHECK(t["j1.phi"][0] == doctest::Approx(phi1).epsilon(1e-10));
  CHECK(t["j2.phi"][0] == doctest::Approx(phi2).epsilon(1e-10));
  CHECK(t["tip.r[1]"][0] == doctest::Approx(0.7).epsilon(1e-12));
}
