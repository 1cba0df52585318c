#include "engine/integration/step_method.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "components/instants.h"
#include "engine/integration/time_resolution.h"

namespace cardan {

double usableNominal(const DaeSystem& system, int i) {
  const double nominal = system.nominal(i);
  if (!(nominal > 0) || !std::isfinite(nominal)) {
    throw std::invalid_argument("nominal value of '" + system.unknownName(i) +
                                "' must be positive and finite");
  }
  return nominal;
}

StepMethod::StepMethod(DaeSystem& system, const char* name)
    : roots_(system), dae_(system), name_(name) {
  for (auto* v : {&y_, &yp_, &endY_, &endYp_}) v->resize(system.size());
}

void StepMethod::interpolate(double t, std::span<double> y, std::span<double> yp) const {
  if (t == time_) {  // also before the first step
    std::ranges::copy(y_, y.begin());
    std::ranges::copy(yp_, yp.begin());
    return;
  }
  if (!(t >= previousTime_ && t <= time_)) {
    throw std::out_of_range(name_ + ": " + std::to_string(t) + " s is outside the last step, " +
                            std::to_string(previousTime_) + " to " + std::to_string(time_) + " s");
  }
  polynomial(t, y.data(), yp.data());
}

void StepMethod::place(double t, std::span<const double> y, std::span<const double> yp) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (std::isfinite(y[i]) && std::isfinite(yp[i])) continue;
    throw failure(SolverError::Cause::StartNotFinite, static_cast<int>(i), y[i]);
  }
  std::ranges::copy(y, y_.begin());
  std::ranges::copy(yp, yp_.begin());
  time_ = previousTime_ = stepEnd_ = t;
}

bool StepMethod::isThere(double tStop) {
  if (!(tStop >= time_)) throw std::invalid_argument(name_ + ": tStop lies before time()");
  if (stepEnd_ > time_) return false;  // the rest of a step with an event inside
  constexpr double kLeast = 1e-290;    // [s] beside which no step has a length
  if (tStop - time_ > std::max({timeRoundoff(tStop - origin_), instantWidth(tStop), kLeast}))
    return false;
  previousTime_ = std::exchange(time_, tStop);
  stepEnd_ = tStop;
  return true;
}

StepRoots::Found StepMethod::search(double resolution, const IntegratorOptions& options,
                                    double width, const StepRoots::Interpolate& inside) {
  const StepRoots::Found found =
      roots_.advance({.end = stepEnd_,
                      .y = endY_.data(),
                      .yp = endYp_.data(),
                      .resolution = resolution,
                      .together = sameEvent(options.relativeTolerance, width),
                      .look = options.look},
                     inside);
  if (found == StepRoots::Found::NotComputable) stepEnd_ = time_;
  return found;
}

StepRoots::Found StepMethod::search(double resolution, const IntegratorOptions& options,
                                    double width) {
  return search(resolution, options, width, [this](double t, double* y, double* yp) {
    polynomial(t, y, yp);
    return true;
  });
}

void StepMethod::goTo(double t, bool refined) {
  previousTime_ = std::exchange(time_, t);
  if (refined) {
    y_ = roots_.y();
    yp_ = roots_.yp();
  } else if (t < stepEnd_) {
    polynomial(t, y_.data(), yp_.data());
  } else {
    y_ = endY_;
    yp_ = endYp_;
  }
}

void StepMethod::requireHistory(bool anyStep) const {
  // Without a step the start values are all there is.
  if (!anyStep) throw std::logic_error(name_ + ": mapHistory before the first step, use start()");
  if (stepEnd_ > time_)
    throw std::logic_error(name_ + ": mapHistory between a root and the end of its step");
}

SolverError StepMethod::failure(SolverError::Cause cause, int unknown, double value) const {
  SolverError::Details details;
  details.cause = cause;
  details.time = time_;
  details.step = nextStep();
  details.steps = statistics().steps;
  details.order = lastOrder();
  if (unknown >= 0) details.unknown = dae_.unknownName(unknown);
  details.value = value;
  details.solverReport = solverReport();
  return SolverError(std::move(details));
}

}  // namespace cardan
