// One component with frames in analytic motion and everything else that a View holds: inputs,
// flanges, unknowns, modes.
#pragma once

#include <limits>

#include "fakes.h"
#include "motions.h"

namespace cardan::fake {

inline constexpr double kEps = std::numeric_limits<double>::epsilon();
// Chains of some hundred operations on numbers of order 1 to 30.
inline constexpr double kHundreds = 2000 * kEps;

inline bool near(const Vector3d& a, const Vector3d& b, double tolerance = kHundreds) {
  return (a - b).norm() <= tolerance * (1 + a.norm() + b.norm());
}
inline bool near(double a, double b, double tolerance = kHundreds) {
  return std::abs(a - b) <= tolerance * (1 + std::abs(a) + std::abs(b));
}

/// A component after reading and declaring, and the tables of one evaluation in Dual (lane 0: along
/// the path).
struct LoadsBench {
  template <class C>
  LoadsBench(C& component, Values values, WorldSettings world = {}) : c(component) {
    world.prepare();
    Reader r(std::move(values));
    r.settings = world;
    r.read(c);
    for (const std::string& e : r.errors) FAIL_CHECK(e);
    declared.settings = world;
    c.declare(declared);
    CHECK(declared.errors.empty());
    c.describe(described);
    t = std::make_unique<Tables<Dual>>(declared);
    const size_t flanges_ = declared.flanges.size();
    flanges.resize(flanges_);
    flangeLoads.assign(flanges_, Dual(0));
    connectorFlows.assign(flanges_, Dual(0));
    drivingFlows.assign(flanges_, Dual(0));
    signals.assign(3 * declared.inputs.size(), Dual(0));
    y.assign(declared.unknowns.size(), Dual(0));
    yp = y;
    residual.assign(static_cast<size_t>(declared.rowCount), Dual(0));
    multipliers.assign(static_cast<size_t>(declared.constraintCount), Dual(0));
    positionResidues = velocityResidues = multipliers;
    modes.assign(static_cast<size_t>(declared.modeCount), 0);
    for (size_t i = 0; i < 64; ++i) {
      same.push_back(static_cast<int>(i));
      thrice.push_back(static_cast<int>(3 * i));
    }
    auto& e = t->tables;
    e.flangeNode = same.data();
    e.flanges = flanges.data();
    e.flangeLoads = flangeLoads.data();
    e.connectorFlows = connectorFlows.data();
    e.drivingFlows = drivingFlows.data();
    e.signalOffset = thrice.data();
    e.signals = signals.data();
    e.unknownOffset = e.rowOffset = e.constraintOffset = same.data();
    e.y = y.data();
    e.yp = yp.data();
    e.residual = residual.data();
    e.multipliers = multipliers.data();
    e.positionResidues = positionResidues.data();
    e.velocityResidues = velocityResidues.data();
    e.modes = modes.data();
  }

  FrameState<Dual>& frame(const std::string& name) {
    return t->frames[static_cast<size_t>(declared.frameIndex.at(name))];
  }
  size_t flange(const std::string& name) const {
    for (size_t i = 0; i < declared.flanges.size(); ++i) {
      if (declared.flanges[i] == name) return i;
    }
    FAIL("no flange " << name);
    return 0;
  }
  void input(const std::string& name, const Vector3d& u) {
    for (size_t i = 0; i < declared.inputs.size(); ++i) {
      if (declared.inputs[i] != name) continue;
      for (size_t k = 0; k < 3; ++k) signals[3 * i + k] = Dual(u[static_cast<Eigen::Index>(k)]);
      return;
    }
    FAIL("no input " << name);
  }
  void evaluate() {
    for (auto& l : t->loads) l.setZero();
    for (auto& l : t->connectorLoads) l.setZero();
    for (auto& f : flangeLoads) f = Dual(0);
    for (auto& f : connectorFlows) f = Dual(0);
    auto view = t->view();
    c.evaluate(view);
  }
  /// Force and torque on the component at a frame, resolved in world, and in the frame.
  Vector3d f_0(const std::string& name) const { return values(load(name).f_0); }
  Vector3d t_0(const std::string& name) const { return values(load(name).t_0); }
  Vector3d f(const std::string& name) {
    return values(frames::resolve2(frame(name).R, load(name).f_0));
  }
  Vector3d torque(const std::string& name) {
    return values(frames::resolve2(frame(name).R, load(name).t_0));
  }
  /// Power that the load at a frame puts into the component.
  double power(const std::string& name) {
    const FrameState<Dual>& a = frame(name);
    return f_0(name).dot(values(a.v_0)) + t_0(name).dot(values(frames::angularVelocity1(a.R)));
  }
  /// Rate of the component's energy.
  double energyRate() {
    const auto s = described.sums(*t);
    return s[0].lane(0) + s[1].lane(0);
  }
  Vector3d momentumRate() {
    const auto s = described.sums(*t);
    return {s[2].lane(0), s[3].lane(0), s[4].lane(0)};
  }
  Vector3d angularMomentumRate() {
    const auto s = described.sums(*t);
    return {s[5].lane(0), s[6].lane(0), s[7].lane(0)};
  }
  double value(const std::string& name) { return described.evaluate(name, *t).at(0).v; }

  Component& c;
  Declared declared;
  Described described;
  std::unique_ptr<Tables<Dual>> t;
  std::vector<FlangeState<Dual>> flanges;
  std::vector<Dual> flangeLoads, connectorFlows, drivingFlows, signals, y, yp, residual;
  std::vector<Dual> multipliers, positionResidues, velocityResidues;
  std::vector<int> modes, same, thrice;

 private:
  const Wrench<Dual>& load(const std::string& name) const {
    return t->connectorLoads[static_cast<size_t>(declared.frameIndex.at(name))];
  }
};

}  // namespace cardan::fake
