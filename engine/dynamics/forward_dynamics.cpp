#include "engine/dynamics/forward_dynamics.h"

#include <fmt/format.h>

namespace cardan {
namespace {

/// What an iteration for algebraic unknowns may still change, relative: beyond it the rates are
/// rough, and an error test of order 8 takes that for motion.
constexpr double kSteady = 1e-8;

std::string obstacleOf(const Equations& equations) {
  const Layout& l = equations.layout();
  if (!equations.followers().empty()) {
    const Layout::Unknown& u = l.unknowns[equations.followers().front().unknown];
    return fmt::format("the motion reads the rate of '{}', which a signal of the motion gives",
                       u.name);
  }
  if (!l.freePoints.empty()) {
    const Layout::Unknown& u = l.unknowns[l.freePoints.front().x];
    return fmt::format("'{}' is of a point without mass, which the forces on it alone place",
                       u.name);
  }
  if (!equations.flatModel().pasts.empty()) {
    const FlatModel& b = equations.flatModel();
    return fmt::format("'{}' reads what a signal was, which is known up to the step before only",
                       b.instances[b.pasts.front().instance].name);
  }
  return "";
}

}  // namespace

ForwardDynamics::ForwardDynamics(const Equations& equations)
    : completion_(equations), obstacle_(obstacleOf(equations)) {
  completion_.useTreeSolver();
  completion_.forgetPoints();
  const Layout& l = equations.layout();
  if (!l.rated && !l.still) {
    iterates_ =
        fmt::format("'{}' follows from the motion by iteration only", l.unknowns[l.xOffset()].name);
  }
}

std::string ForwardDynamics::obstacleAt(double t, std::vector<double> y) {
  if (!obstacle_.empty()) return obstacle_;
  std::vector<double> yp(y.size(), 0.0);
  if (rates(t, y, yp)) return "";
  if (completion_.hidden()) return "some of its states are tied to each other by equations";
  if (completion_.singular()) return "its equations leave forces or accelerations open";
  return "its equations cannot be solved for the accelerations and algebraic unknowns";
}

bool ForwardDynamics::rates(double t, std::vector<double>& y, std::vector<double>& yp) {
  return completion_.complete(t, y, yp) && !completion_.hidden() && !completion_.singular() &&
         completion_.lastChange() <= kSteady;
}

bool ForwardDynamics::project(double t, std::vector<double>& y) {
  return completion_.project(t, y);
}

}  // namespace cardan
