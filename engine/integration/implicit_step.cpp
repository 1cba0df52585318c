#include "engine/integration/implicit_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "engine/integration/state_archive.h"
#include "engine/integration/stopwatch.h"
#include "engine/integration/vector_operations.h"

namespace cardan {
namespace {

constexpr int kMostUpdates = 40;
constexpr double kLeastPart = 1.0 / 64;  // of an update
constexpr double kFastRate = 0.25;       // factors serve as long as updates become so much smaller
constexpr double kLeftUndone = 0.1;      // of the tolerance: what may be left undone
constexpr double kNothingLeft =
    1e-3;  // of the tolerance: an update that says nothing about factors
constexpr double kNotFinite = std::numeric_limits<double>::infinity();

}  // namespace

ImplicitStep::ImplicitStep(MultibodySystem& system, double relativeTolerance, bool timing,
                           IntegratorStatistics& counts)
    : system_(system), tolerance_(relativeTolerance), timing_(timing), counts_(counts) {
  for (int i = 0; i < system.size(); ++i) {
    const double nominal = system.nominal(i);
    if (!(nominal > 0) || !std::isfinite(nominal)) {
      throw std::invalid_argument("nominal value of '" + system.unknownName(i) +
                                  "' must be positive and finite");
    }
    // Of algebraic unknowns the nominal value is the tolerance itself.
    units_.push_back(system.isDifferential(i) ? nominal : nominal / tolerance_);
  }
  for (auto* v : {&y0_, &y_, &yp_, &r_, &update_, &trialY_, &trialYp_, &trialR_, &trialUpdate_,
                  &factorY_, &factorYp_})
    v->resize(units_.size());
}

double ImplicitStep::norm(std::span<const double> update, std::span<const double> y,
                          int* largest) const {
  double most = 0;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const double size = std::abs(update[i]) / (tolerance_ * (std::abs(y[i]) + units_[i]));
    if (size <= most) continue;
    if (largest) *largest = static_cast<int>(i);
    if (!std::isfinite(size)) return kNotFinite;
    most = size;
  }
  return most;
}

/// Rates and residual at y, which is (y - y_0)/h further.
bool ImplicitStep::residual(const std::vector<double>& y, std::vector<double>& yp,
                            std::vector<double>& r) {
  ++counts_.residuals;
  const Stopwatch watch(timing_, counts_.residualSeconds);
  vectors::sum(std::ssize(y), 1 / h_, y.data(), -1 / h_, y0_.data(), yp.data());
  return system_.residual(t_, y.data(), yp.data(), r.data());
}

void ImplicitStep::updateFrom(const std::vector<double>& r, std::vector<double>& update) {
  ++counts_.newtonIterations;
  const Stopwatch watch(timing_, counts_.linearSolveSeconds);
  std::ranges::transform(r, update.begin(), std::negate<>());
  system_.solve(update.data(), update.data());
}

bool ImplicitStep::factorHere() {
  if (std::exchange(isHere_, true)) return true;
  ++counts_.newtonMatrices;
  const Stopwatch watch(timing_, counts_.newtonMatrixSeconds);
  isHere_ = system_.factor(t_, 1 / h_, y_.data(), yp_.data());
  cj_ = isHere_ ? 1 / h_ : 0;
  factorT_ = t_;
  factorY_ = y_;
  factorYp_ = yp_;
  factorModes_ = system_.equations().state.modes;
  return isHere_;
}

ImplicitStep::Outcome ImplicitStep::solve(double t, double h, std::span<const double> y0,
                                          std::span<const double> yp0) {
  t_ = t + h;
  h_ = h;
  std::ranges::copy(y0, y0_.begin());
  isHere_ = false;
  if (cj_ != 1 / h) cj_ = 0;
  vectors::sum(std::ssize(y_), 1, y0.data(), h, yp0.data(), y_.data());
  const Outcome ahead = iterate();
  if (ahead == Outcome::solved) return ahead;
  // Along the rates it may have come too far.
  y_ = y0_;
  cj_ = 0;
  return iterate();
}

/// To the point that was tried.
void ImplicitStep::move() {
  std::swap(y_, trialY_);
  std::swap(yp_, trialYp_);
  std::swap(r_, trialR_);
  isHere_ = false;
}

/// A part of the update after which the next one is smaller, of the size `next`; with factors of this
/// point before it is less than all. False: none is.
bool ImplicitStep::shorten(bool& fresh, double& part, double& next) {
  for (part = 1; part >= kLeastPart; part *= 0.5) {
    vectors::sum(std::ssize(y_), 1, y_.data(), part, update_.data(), trialY_.data());
    next = kNotFinite;
    if (residual(trialY_, trialYp_, trialR_)) {
      updateFrom(trialR_, trialUpdate_);
      next = norm(trialUpdate_, trialY_, &largest_);
    }
    if (next <= (1 - 0.25 * part) * size_) return true;
    if (size_ <= kNothingLeft && std::isfinite(next) && fresh) return true;
    if (fresh) continue;
    if (!factorHere()) return false;
    fresh = true;
    updateFrom(r_, update_);
    size_ = norm(update_, y_, &largest_);
    part = 2;
  }
  return false;
}

ImplicitStep::Outcome ImplicitStep::iterate() {
  isHere_ = false;
  if (!residual(y_, yp_, r_)) return Outcome::notComputable;
  bool fresh = cj_ == 0;
  if (fresh && !factorHere()) return Outcome::notComputable;
  updateFrom(r_, update_);
  size_ = norm(update_, y_, &largest_);
  for (int k = 0; k < kMostUpdates; ++k) {
    double part = 1, next = 0;
    if (!std::isfinite(size_) || !shorten(fresh, part, next)) return Outcome::nearest;
    move();
    const double rate = size_ > 0 ? next / size_ : 0;
    const double left = rate < 1 ? rate / (1 - rate) * next : next;
    size_ = next;
    std::swap(update_, trialUpdate_);
    if ((part == 1 && left <= kLeftUndone && (fresh || rate <= kFastRate)) ||
        next <= kNothingLeft) {
      vectors::sum(std::ssize(y_), 1, y_.data(), 1, update_.data(), y_.data());
      vectors::sum(std::ssize(y_), 1 / h_, y_.data(), -1 / h_, y0_.data(), yp_.data());
      return Outcome::solved;
    }
    fresh = part < 1 || rate > kFastRate;
    if (!fresh) continue;
    if (!factorHere()) return Outcome::nearest;
    updateFrom(r_, update_);
    size_ = norm(update_, y_, &largest_);
  }
  return Outcome::nearest;
}

void ImplicitStep::exchange(StateArchive& archive) {
  archive(*this);
  if (!archive.isReading() || cj_ == 0) return;
  std::vector<int>& modes = system_.equations().state.modes;
  modes.swap(factorModes_);
  ++system_.equations().state.changes;
  if (!system_.factor(factorT_, cj_, factorY_.data(), factorYp_.data())) cj_ = 0;
  modes.swap(factorModes_);
  ++system_.equations().state.changes;
}

}  // namespace cardan
