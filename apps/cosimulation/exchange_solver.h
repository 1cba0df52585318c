/// ExchangeSolver: integrates the states of an FMU for model exchange, which brings no solver of its own, from
/// one instant to the next.
#pragma once

#include <fmt/format.h>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/cosimulation/fmi_calls.h"

namespace cardan::cosimulation {

/// A Rosenbrock method of order 3 with four stages, stiffly accurate, so that stiff FMUs are no harder than
/// others, and of one step, as inputs jump at every instant; derivatives of the right side by differences.
/// An event lies where an indicator changes its sign within a step, and where the FMU says.
///
/// Source  RODAS3: A. Sandu et al., Benchmarking stiff ODE solvers for atmospheric chemistry problems II,
///         Atmospheric Environment 31 (1997)
class ExchangeSolver {
 public:
  explicit ExchangeSolver(FmiCalls& fmu) : fmu_(fmu) {
    const auto [states, indicators] = fmu.exchangeSizes();
    for (Eigen::VectorXd* v : {&x_, &next_, &rates_, &atStart_, &byTime_, &nominals_})
      v->setZero(states);
    for (Eigen::VectorXd& s : stages_) s.setZero(states);
    for (Eigen::VectorXd* v : {&indicators_, &crossed_}) v->setZero(indicators);
    J_.setZero(states, states);
  }

  /// The instance has left its initialisation, at `time` [s].
  void begin(double time) { goOn(time); }

  /// In between the FMU takes new inputs; afterwards it is at `time + length` [s], its outputs are those of then.
  /// Throws FmuFailure where a call fails, or steps come to nothing.
  /// setInputs(): tells them.
  template <class SetInputs>
  void step(double time, double length, SetInputs setInputs) {
    fmu_.enterEvent();
    setInputs();
    goOn(time);
    integrate(time, time + length);
  }

  /// [s]  that the last error suggests: all that it knows besides the FMU; 0: nothing yet.
  double nextStep() const { return h_; }
  void setNextStep(double h) { h_ = h; }

 private:
  static constexpr double kTolerance =
      1e-7;  // of a state, relative to itself and to its nominal value
  static constexpr double kDifference = 1e-8;    // likewise, for derivatives
  static constexpr double kFirstStep = 1e-3;     // of the way to the next instant
  static constexpr double kShortest = 1e-14;     // of a step, relative to the time and to the way
  static constexpr double kSameInstant = 1e-12;  // likewise, of an event
  static constexpr double kApart = 1e-10;        // likewise, of events that are not at one time
  static constexpr int kMostEvents = 1000;       // at one time

  // RODAS3, in the form that needs no products with J.
  static constexpr double kGamma = 0.5;
  static constexpr double kA[4][3] = {{}, {}, {2}, {2, 0, 1}};  // of the states
  static constexpr double kC[4][3] = {
      {}, {4}, {1, -1}, {1, -1, -8.0 / 3}};  // of the stages, over h
  static constexpr double kTimes[4] = {0, 0, 1, 1}, kByTime[4] = {0.5, 1.5, 0, 0};  // over h
  static constexpr double kSolution[4] = {2, 0, 1, 1};  // the error is the last stage

  /// From the mode of events into that of continuous time.
  void goOn(double time) {
    eventTime_ = fmu_.leaveEvent();
    fmu_.setTime(time);
    fmu_.getStates(x_);
    fmu_.getNominals(nominals_);
    fmu_.getIndicators(indicators_);
  }
  void integrate(double time, double end) {
    const double way = end - time;
    if (!(h_ > 0)) h_ = kFirstStep * way;
    for (int events = 0; time < end || eventTime_ <= time;) {
      const double to = std::min(end, eventTime_);
      bool isEvent = to <= time;
      if (!isEvent) {
        const double h = advance(time, std::min(h_, to - time), way);
        isEvent = h < 0;
        time = std::abs(h) >= to - time ? to : time + std::abs(h);
        if (std::abs(h) > kApart * std::max(std::abs(time), way)) events = 0;
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
  double advance(double time, double h, double way) {
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
    return crosses(time + h) ? -untilCrossing(time, h, kSameInstant * std::max(std::abs(time), way))
                             : h;
  }
  /// atStart_, J_ and byTime_ at (time, x_).
  void differentiate(double time) {
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
  const Eigen::VectorXd& rates(double time, const Eigen::VectorXd& x) {
    fmu_.setTime(time);
    fmu_.setStates(x);
    fmu_.getRates(rates_);
    return rates_;
  }
  /// next_ after a step of length h behind differentiate(); its error relative to what is allowed.
  double trial(double time, double h) {
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
  bool crosses(double time) {
    fmu_.setTime(time);
    fmu_.setStates(next_);
    fmu_.getIndicators(crossed_);
    return ((crossed_.array() > 0) != (indicators_.array() > 0)).any();
  }
  /// The length of the step up to just behind the first change of a sign, by halving; leaves the FMU there.
  double untilCrossing(double time, double h, double instant) {
    double before = 0;
    while (h - before > instant) {
      const double middle = before + (h - before) / 2;
      trial(time, middle);
      (crosses(time + middle) ? h : before) = middle;
    }
    trial(time, h);
    crosses(time + h);
    return h;
  }

  FmiCalls& fmu_;
  Eigen::VectorXd x_, next_, rates_, atStart_, byTime_, nominals_;
  Eigen::VectorXd indicators_, crossed_;
  Eigen::VectorXd stages_[4];
  Eigen::MatrixXd J_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  double eventTime_ = std::numeric_limits<double>::infinity();  ///< [s]  that it has named
  double h_ = 0;                                                ///< nextStep()
};

}  // namespace cardan::cosimulation
