#include "engine/initialisation/scaling.h"

#include <algorithm>
#include <cmath>

namespace cardan {
namespace {

/// Frames nearer to each other than this [m] are all at one place, but for rounding.
constexpr double kOnePlace = 1e-14;
/// Typical positions, of the extent of the model. Those of metres and more keep 1 m.
constexpr double kReach = 10;
/// Typical speeds, of the fastest coordinate's.
constexpr double kSpeed = 0.3;
/// Turns of the fastest coordinate in a run that shows it well, at least.
constexpr double kSeen = 10;

/// Typical sizes become smaller with the model, never larger than one SI unit.
void limit(Equations& e, int i, double size) {
  const Layout::Unknown& u = e.layout().unknowns[i];
  if (u.nominal == 1) e.state.nominals[i] = std::clamp(size, 1e-12, 1.0);
}

}  // namespace

void scaleLengths(Equations& e, const Workspace<double>& w) {
  const Layout& l = e.layout();
  Vector3d low = Vector3d::Zero(), high = Vector3d::Zero();
  for (const FrameState<double>& f : w.frames) {
    low = low.cwiseMin(f.r_0);
    high = high.cwiseMax(f.r_0);
  }
  const double extent = (high - low).norm();
  e.state.scales.length = std::isfinite(extent) && extent > kOnePlace ? extent : 1;

  for (const Layout::CutJoint& c : l.cutJoints) {
    ClosureRows<double> rows;
    if (c.rows > 0) {
      c.closure->closure(relativeMotion(w.frames[c.a], w.frames[c.b]), rows);
    }
    for (int i = 0; i < c.rows; ++i) {
      e.isLength[c.row + i] = !rows.rows[i].lin.isZero();
    }
  }
  for (int i = 0; i < l.lambdaOffset(); ++i) {
    if (l.unknowns[i].unit == "m") limit(e, i, kReach * e.state.scales.length);
  }
}

void scaleTimes(Equations& e, const Workspace<double>& w, double duration) {
  const Layout& l = e.layout();
  double rate = 0;  // [1/s]
  for (int i = l.nq; i < l.nq + l.nv; ++i) {
    const size_t k = i;
    const double size = l.inMetres[k] ? e.state.scales.length : 1;
    rate = std::max({rate, std::abs(w.y[k]) / size, std::sqrt(std::abs(w.yp[k]) / size)});
  }
  if (!std::isfinite(rate)) rate = 0;
  e.state.scales.time = rate > 1 ? 1 / rate : 1;

  const double slowest = duration > 0 ? std::max(rate, kSeen / duration) : 1;
  for (int i = 0; i < l.lambdaOffset(); ++i) {
    const std::string& unit = l.unknowns[i].unit;
    if (unit == "m/s") limit(e, i, kSpeed * e.state.scales.length * slowest);
    if (unit == "rad/s") limit(e, i, kSpeed * slowest);
  }
}

}  // namespace cardan
