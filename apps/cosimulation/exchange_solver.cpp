#include "apps/cosimulation/exchange_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan::cosimulation {
namespace {

constexpr double kTolerance = 1e-7;     // of a state, relative to itself and to its nominal value
constexpr double kDifference = 1e-8;    // likewise, for derivatives
constexpr double kFirstStep = 1e-3;     // of the way to the next instant
constexpr double kShortest = 1e-14;     // of a step, relative to the time and to the way
constexpr double kSameInstant = 1e-12;  // likewise, of an event
constexpr int kMostEvents = 1000;       // at one time

// RODAS3, in the form that needs no products with J.
constexpr double kGamma = 0.5;
constexpr double kA[4][3] = {{}, {}, {2}, {2, 0, 1}};                      // of the states
constexpr double kC[4][3] = {{}, {4}, {1, -1}, {1, -1, -8.0 / 3}};         // of the stages, over h
constexpr double kTimes[4] = {0, 0, 1, 1}, kByTime[4] = {0.5, 1.5, 0, 0};  // over h
constexpr double kSolution[4] = {2, 0, 1, 1};  // the error is the last stage

}  // namespace

ExchangeSolver::ExchangeSolver(FmiCalls& fmu) : fmu_(fmu) {
  const auto [states, indicators] = fmu.exchangeSizes();
  for (Eigen::VectorXd* v : {&x_, &next_, &rates_, &atStart_, &byTime_, &nominals_})
    v->setZero(states);
  for (Eigen::VectorXd& s : stages_) s.setZero(states);
  for (Eigen::VectorXd* v : {&indicators_, &crossed_}) v->setZero(indicators);
  J_.setZero(states, states);
}

/// From the mode of events into that of continuous time.
void ExchangeSolver::goOn(double time) {
  eventTime_ = fmu_.leaveEvent();
  fmu_.setTime(time);
  fmu_.getStates(x_);
  fmu_.getNominals(nominals_);
  fmu_.getIndicators(indicators_);
}

const Eigen::VectorXd& ExchangeSolver::rates(double time, const Eigen::VectorXd& x) {
  fmu_.setTime(time);
  fmu_.setStates(x);
  fmu_.getRates(rates_);
  return rates_;
}

/// atStart_, J_ and byTime_ at (time, x_).
void ExchangeSolver::differentiate(double time) {
  atStart_ = rates(time, x_);
  const double dt = kDifference * std::max(std::abs(time), h_);
  byTime_ = (rates(time + dt, x_) - atStart_) / dt;
  next_ = x_;
  for (Eigen::Index i = 0; i < x_.size(); ++i) {
    next_[i] += kDifference * std::max(std::abs(x_[i]), std::abs(nominals_[i]));
    J_.col(i) = (rates(time, next_) - atStart_) / (next_[i] - x_[i]);
    next_[i] = x_[i];
  }
}

/// next_ after a step of length h behind differentiate(); its error relative to what is allowed.
double ExchangeSolver::trial(double time, double h) {
  const Eigen::Index n = x_.size();
  if (n == 0) return 0;
  lu_.compute(Eigen::MatrixXd::Identity(n, n) / (kGamma * h) - J_);
  for (int s = 0; s < 4; ++s) {
    next_ = x_;
    for (int j = 0; j < s; ++j) next_ += kA[s][j] * stages_[j];
    stages_[s] = s < 2 ? atStart_ : rates(time + kTimes[s] * h, next_);
    for (int j = 0; j < s; ++j) stages_[s] += kC[s][j] / h * stages_[j];
    stages_[s] = lu_.solve(stages_[s] + h * kByTime[s] * byTime_).eval();
  }
  next_ = x_;
  for (int s = 0; s < 4; ++s) next_ += kSolution[s] * stages_[s];
  double sum = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double allowed =
        kTolerance * (std::max(std::abs(x_[i]), std::abs(next_[i])) + std::abs(nominals_[i]));
    sum = std::max(sum, std::abs(stages_[3][i]) / allowed);
  }
  return next_.allFinite() && stages_[3].allFinite() ? sum
                                                     : std::numeric_limits<double>::infinity();
}

/// Brings the FMU to next_; true: an indicator has another sign there.
bool ExchangeSolver::crosses(double time) {
  fmu_.setTime(time);
  fmu_.setStates(next_);
  fmu_.getIndicators(crossed_);
  return ((crossed_.array() > 0) != (indicators_.array() > 0)).any();
}

/// The length of the step up to just behind the first change of a sign, by halving; leaves the FMU there.
double ExchangeSolver::untilCrossing(double time, double h) {
  double before = 0;
  while (h - before > kSameInstant * std::max(std::abs(time), h)) {
    const double middle = before + (h - before) / 2;
    trial(time, middle);
    (crosses(time + middle) ? h : before) = middle;
  }
  trial(time, h);
  crosses(time + h);
  return h;
}

void ExchangeSolver::integrate(double time, double end) {
  const double way = end - time;
  if (!(h_ > 0)) h_ = kFirstStep * way;
  for (int events = 0; time < end || eventTime_ <= time;) {
    const double to = std::min(end, eventTime_);
    bool isEvent = to <= time;
    if (!isEvent) {
      const double h = advance(time, std::min(h_, to - time), way);
      isEvent = h < 0;
      time = std::abs(h) >= to - time ? to : time + std::abs(h);
      events = 0;
      x_ = next_;
      indicators_ = crossed_;
      isEvent = fmu_.completedStep() || isEvent || time >= eventTime_;
    }
    if (!isEvent) continue;
    fmu_.enterEvent();
    goOn(time);
    if (++events > kMostEvents)
      throw FmuFailure(fmt::format("its events at {:g} s come to no end", time));
  }
}

/// One step of length h, or shorter, or up to an event: then minus its length is returned.
double ExchangeSolver::advance(double time, double h, double way) {
  differentiate(time);
  double error = trial(time, h);
  for (; error > 1; error = trial(time, h)) {
    h *= std::isfinite(error) ? std::max(0.2, 0.9 / std::cbrt(error)) : 0.2;
    h_ = h;
    if (h < kShortest * std::max(std::abs(time), way))
      throw FmuFailure(fmt::format("its states cannot be integrated beyond {:g} s", time));
  }
  const double longer = h * std::clamp(0.9 / std::cbrt(std::max(error, 1e-6)), 0.2, 5.0);
  h_ = h < h_ ? std::max(h_, longer) : longer;
  return crosses(time + h) ? -untilCrossing(time, h) : h;
}

}  // namespace cardan::cosimulation
