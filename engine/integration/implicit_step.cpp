#include "engine/integration/implicit_step.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "engine/integration/state_archive.h"
#include "engine/integration/step_method.h"
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
    const double nominal = usableNominal(system, i);
    // Of algebraic unknowns the nominal value is the tolerance itself.
    units_.push_back(system.isDifferential(i) ? nominal : nominal / tolerance_);
  }
  for (auto* v : {&y0_, &update_, &trialUpdate_, &factorY_, &factorYp_}) v->resize(units_.size());
  for (Point* p : {&at_, &trial_, &first_}) {
    for (auto* v : {&p->d, &p->y, &p->yp, &p->r}) v->resize(units_.size());
  }
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

/// y and its rates at p.d.
void ImplicitStep::place(Point& p) const {
  const auto n = std::ssize(p.d);
  vectors::sum(n, 1, y0_.data(), 1, p.d.data(), p.y.data());
  vectors::sum(n, 1 / h_, p.d.data(), 0, p.d.data(), p.yp.data());
  system_.alignVelocities(p.y.data(), p.yp.data());
  const Layout& l = system_.equations().layout();
  for (int i = l.nq; i < l.nq + l.nv; ++i) {
    p.d[i] = p.y[i] - y0_[i];
    p.yp[i] = p.d[i] / h_;
  }
}

bool ImplicitStep::residual(Point& p) {
  ++counts_.residuals;
  const Stopwatch watch(timing_, counts_.residualSeconds);
  place(p);
  return system_.residual(t_, p.y.data(), p.yp.data(), p.r.data());
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
  isHere_ = system_.factor(t_, 1 / h_, at_.y.data(), at_.yp.data());
  cj_ = isHere_ ? 1 / h_ : 0;
  factorT_ = t_;
  factorY_ = at_.y;
  factorYp_ = at_.yp;
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
  vectors::sum(std::ssize(at_.d), h, yp0.data(), 0, yp0.data(), at_.d.data());
  const Outcome ahead = iterate();
  if (ahead == Outcome::solved) return ahead;
  // Along the rates it may have come too far.
  const double size = size_;
  const int largest = largest_;
  std::swap(first_, at_);
  std::ranges::fill(at_.d, 0.0);
  cj_ = 0;
  const Outcome behind = iterate();
  if (behind == Outcome::solved || ahead == Outcome::notComputable) return behind;
  if (behind == Outcome::nearest && size_ <= size) return behind;
  std::swap(first_, at_);
  size_ = size;
  largest_ = largest;
  isHere_ = false;
  return ahead;
}

/// A part of the update after which the next one is smaller, of the size `next`; with factors of this
/// point before it is less than all. False: none is.
bool ImplicitStep::shorten(bool& fresh, double& part, double& next) {
  for (part = 1; part >= kLeastPart; part *= 0.5) {
    vectors::sum(std::ssize(at_.d), 1, at_.d.data(), part, update_.data(), trial_.d.data());
    next = kNotFinite;
    if (residual(trial_)) {
      updateFrom(trial_.r, trialUpdate_);
      next = norm(trialUpdate_, trial_.y, &largest_);
    }
    if (next <= (1 - 0.25 * part) * size_) return true;
    if (size_ <= kNothingLeft && std::isfinite(next) && fresh) return true;
    if (fresh) continue;
    if (!factorHere()) return false;
    fresh = true;
    updateFrom(at_.r, update_);
    size_ = norm(update_, at_.y, &largest_);
    part = 2;
  }
  return false;
}

ImplicitStep::Outcome ImplicitStep::iterate() {
  isHere_ = false;
  if (!residual(at_)) return Outcome::notComputable;
  bool fresh = cj_ == 0;
  if (fresh && !factorHere()) return Outcome::notComputable;
  updateFrom(at_.r, update_);
  size_ = norm(update_, at_.y, &largest_);
  for (int k = 0; k < kMostUpdates; ++k) {
    double part = 1, next = 0;
    if (!std::isfinite(size_) || !shorten(fresh, part, next)) return Outcome::nearest;
    std::swap(at_, trial_);
    isHere_ = false;
    const double rate = size_ > 0 ? next / size_ : 0;
    const double left = rate < 1 ? rate / (1 - rate) * next : next;
    size_ = next;
    std::swap(update_, trialUpdate_);
    if ((part == 1 && left <= kLeftUndone && (fresh || rate <= kFastRate)) ||
        next <= kNothingLeft) {
      vectors::sum(std::ssize(at_.d), 1, at_.d.data(), 1, update_.data(), at_.d.data());
      place(at_);
      return Outcome::solved;
    }
    fresh = part < 1 || rate > kFastRate;
    if (!fresh) continue;
    if (!factorHere()) return Outcome::nearest;
    updateFrom(at_.r, update_);
    size_ = norm(update_, at_.y, &largest_);
  }
  return Outcome::nearest;
}

void ImplicitStep::exchange(StateArchive& archive, double t, double h, const double* y,
                            const double* yp) {
  archive(*this);
  if (!archive.isReading()) return;
  // The first factors of a system learn its structure.
  system_.factor(t, 1 / h, y, yp);
  if (cj_ == 0) return;
  std::vector<int>& modes = system_.equations().state.modes;
  modes.swap(factorModes_);
  ++system_.equations().state.changes;
  if (!system_.factor(factorT_, cj_, factorY_.data(), factorYp_.data())) cj_ = 0;
  modes.swap(factorModes_);
  ++system_.equations().state.changes;
}

}  // namespace cardan
