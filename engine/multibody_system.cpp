#include "engine/multibody_system.h"

#include <algorithm>
#include <cmath>

#include "engine/event_system.h"

namespace cardan {

void MultibodySystem::evaluate(double t, const double* y, const double* yp) {
  std::copy_n(y, w_.y.size(), w_.y.begin());
  std::copy_n(yp, w_.yp.size(), w_.yp.begin());
  w_.tables.time = t;
  equations_.evaluate(w_, {});
  evaluated_ = true;
}

bool MultibodySystem::residual(double t, const double* y, const double* yp, double* r) {
  evaluate(t, y, yp);
  double sum = 0;  // not finite as soon as one residual is not
  for (size_t i = 0; i < w_.y.size(); ++i) {
    r[i] = w_.residual[i];
    sum += std::abs(r[i]);
  }
  return std::isfinite(sum);
}

void MultibodySystem::watch(const EventSystem* events) { events_ = events; }

int MultibodySystem::rootCount() const { return events_ ? events_->crossings() : 0; }

bool MultibodySystem::roots(double t, const double* y, const double* yp, double* g) {
  evaluate(t, y, yp);
  events_->evaluateCrossings(w_, g);
  for (int i = 0; i < rootCount(); ++i) {
    if (!std::isfinite(g[i])) return false;
  }
  return true;
}

}  // namespace cardan
