#include "engine/robots/inertia.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "components/principal_moments.h"

namespace cardan::robots {
namespace {

/// Relative to the largest moment: what the digits of a file may leave.
constexpr double kNegative = 1e-9, kTriangle = 1e-6;
/// [m2]  Moments below this times the mass are those of a point: (30 um)^2.
constexpr double kPoint = 1e-9;
constexpr double kLargest = 1e100;  ///< [kg.m2]  its square is a number still

std::string moments(const Vector3d& p) {
  return fmt::format("{:.6g}, {:.6g}, {:.6g}", p[0], p[1], p[2]);
}

/// What Body takes for rounding [kg.m2].
double rounding(const Mass& l) {
  return 1e-10 * l.I.cwiseAbs().maxCoeff() + 1e-15 * l.m * std::max(1.0, l.r_CM.squaredNorm());
}

/// The rule that the tensor violates, with what was found; "" if it is one of a body.
std::string violatedRule(Mass& l, bool refused) {
  if (l.m == 0 && !l.I.isZero(0))
    return "a link without mass must have no inertia, found principal moments of " +
           moments(principalMoments(l.I)) + " kg.m2" + (refused ? "" : "; it keeps them");
  const Vector3d p = principalMoments(l.I);
  const double largest = p.cwiseAbs().maxCoeff();
  const bool isNegative =
      p[0] < -kNegative * std::max(largest, kPoint * l.m) || p[0] < -rounding(l);
  if (isNegative) {
    // Source  N. J. Higham, Linear Algebra Appl. 103 (1988) 103
    PrincipalAxes nearest = principalAxes(l.I);
    nearest.moments = nearest.moments.cwiseMax(0);
    l.I = nearest.tensor();
    return "no principal moment of inertia may be negative, found " + moments(p) + " kg.m2" +
           (refused ? "" : "; the nearest possible tensor is taken, " + moments(p.cwiseMax(0)));
  }
  if (p[0] + p[1] < p[2] * (1 - kTriangle) && largest > kPoint * l.m)
    return "no principal moment of inertia may exceed the sum of the others, found " + moments(p) +
           " kg.m2" + (refused ? "" : "; it is kept: the equations of motion bear it");
  return "";
}

}  // namespace

Matrix3d PrincipalAxes::tensor() const {
  const Matrix3d I = axes * moments.asDiagonal() * axes.transpose();
  return (I + I.transpose()) / 2;
}

PrincipalAxes principalAxes(const Matrix3d& I) {
  Matrix3d A = I, V = Matrix3d::Identity();
  constexpr int kMostSweeps = 30;  // it takes five or six
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    for (const auto& [p, q] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
      if (A(p, q) == 0) continue;
      // The angle that brings A(p, q) to zero, by the smaller root of its tangent.
      const double theta = (A(q, q) - A(p, p)) / (2 * A(p, q));
      const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::hypot(theta, 1.0));
      const double c = 1 / std::hypot(t, 1.0);
      Matrix3d J = Matrix3d::Identity();
      J(p, p) = J(q, q) = c;
      J(p, q) = t * c;
      J(q, p) = -t * c;
      A = Matrix3d(J.transpose() * A * J);
      A(p, q) = A(q, p) = 0;
      V = Matrix3d(V * J);
    }
  }
  return {A.diagonal(), V};
}

void checkInertias(std::vector<Body>& bodies, bool refused, ImportReport& report,
                   Diagnostics& diagnostics) {
  for (Body& l : bodies) {
    if (!l.mass.I.allFinite() || !(l.mass.I.cwiseAbs().maxCoeff() < kLargest)) {
      diagnostics.error(l.massAt, "link '" + l.name + "': its inertia must not be larger than " +
                                      fmt::format("{:g} kg.m2", kLargest));
      continue;
    }
    const std::string rule = violatedRule(l.mass, refused);
    if (rule.empty()) continue;
    const std::string text = "link '" + l.name + "': " + rule;
    if (refused) {
      diagnostics.error(l.massAt, text);
    } else {
      report.warn(l.name, l.massAt, text);
    }
  }
}

}  // namespace cardan::robots
