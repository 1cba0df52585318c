/// A simulation tool of its own for model exchange: the method of Dormand and Prince of order 5 with steps
/// of any length, events by bisection on the signs of the indicators.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/fmu/importer.h"

namespace test {

class ExchangeRun {
 public:
  using Vector = std::vector<double>;

  /// `inputs`: sets them at a time, before anything is asked there.
  ExchangeRun(const Fmu& fmu, const Slave::Setup& setup,
              std::function<void(Slave&, double t)> inputs = {})
      : slave(fmu, "", false, SlaveKind::exchange),
        time(setup.start),
        inputs_(std::move(inputs)),
        tolerance_(setup.tolerance),
        x_(fmu.states),
        scales_(fmu.states),
        z_(fmu.indicators),
        end_(fmu.states) {
    for (Vector& k : k_) k.resize(fmu.states);
    must(slave.instance() ? kFmuOk : kFmuError, "instantiate");
    must(slave.enter(setup), "enter");
    move(time);
    must(slave.exit(), "exit");
    update();
  }

  /// To `end` [s]; less far where the model ends the run.
  void advance(double end) {
    while (time < end && !slave.terminated) step(std::min(end, next_));
    if (!slave.terminated) place(time, x_);
  }

  /// An event from outside, here.
  void handle(const std::function<void(Slave&)>& change) {
    place(time, x_);
    must(slave.enterEvents(), "enter events");
    change(slave);
    update();
  }

  /// Where the method stands, beside what the FMU knows.
  struct Own {
    double time, h, next;  ///< [s]
    Vector x, scales, z;
  };
  Own own() const { return {time, h_, next_, x_, scales_, z_}; }
  void goOnFrom(const Own& o) {
    time = o.time;
    h_ = o.h;
    next_ = o.next;
    x_ = o.x;
    scales_ = o.scales;
    z_ = o.z;
  }

  Slave slave;
  double time;
  long steps = 0, events = 0;
  long stepEvents = 0;  ///< that the end of a step asked for
  long moved = 0,
       begun = 0;  ///< events that changed states; behind which a method is to begin anew

 private:
  void must(int status, const char* call) {
    if (status != kFmuOk)
      throw std::runtime_error(std::string(call) + " at " + std::to_string(time) + ": " +
                               slave.log());
  }
  void move(double t) {
    if (inputs_) inputs_(slave, t);
  }
  void place(double t, const Vector& x) {
    must(slave.setTime(t), "set time");
    if (!x.empty()) must(slave.setStates(x), "set states");
    move(t);
  }
  /// False: not there.
  bool rates(double t, const Vector& x, Vector& k) {
    place(t, x);
    const int status = slave.derivatives(k);
    if (status != kFmuDiscard) must(status, "derivatives");
    return status == kFmuOk;
  }
  /// Of a step of length h from here into end_, in tolerances; infinite: not computable.
  double attempt(double h) {
    static constexpr double c[] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
    static constexpr double a[7][6] = {
        {},
        {1.0 / 5},
        {3.0 / 40, 9.0 / 40},
        {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static constexpr double e[] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                   -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    for (int s = 0; s < 7; ++s) {
      end_ = x_;
      for (int j = 0; j < s; ++j) {
        for (size_t i = 0; i < end_.size(); ++i) end_[i] += h * a[s][j] * k_[j][i];
      }
      if (!rates(time + c[s] * h, end_, k_[s])) return std::numeric_limits<double>::infinity();
    }
    double largest = 0;
    for (size_t i = 0; i < end_.size(); ++i) {
      double error = 0;
      for (int s = 0; s < 7; ++s) error += h * e[s] * k_[s][i];
      largest =
          std::max(largest, std::abs(error) / (tolerance_ * (scales_[i] + std::abs(end_[i]))));
    }
    return largest;
  }
  /// At the end of the last attempt.
  bool hasChanged() {
    if (z_.empty()) return false;
    const Vector before = z_;
    const int status = slave.indicators(z_);
    const Vector now = std::exchange(z_, before);
    if (status == kFmuDiscard) return true;
    must(status, "indicators");
    for (size_t i = 0; i < z_.size(); ++i) {
      if ((now[i] > 0) != (before[i] > 0)) return true;
    }
    return false;
  }
  void step(double stop) {
    double h = std::min(h_, stop - time);
    double error = attempt(h);
    if (!(error <= 1)) {
      h_ = h * std::clamp(0.9 * std::pow(error, -0.2), 0.1, 0.9);
      if (time + h_ == time) throw std::runtime_error("no step: " + slave.log());
      return;
    }
    const bool isWhole = h == stop - time;
    const double grown = h * std::clamp(0.9 * std::pow(error + 1e-12, -0.2), 0.5, 5.0);
    h_ = isWhole ? std::max(h_, grown) : grown;
    const bool isEvent = hasChanged();
    if (isEvent) {
      double before = 0;
      while (h - before > 1e-14 * std::max(1.0, time) && h - before > 1e-13 * h) {
        const double middle = 0.5 * (before + h);
        const bool beyond = !std::isfinite(attempt(middle)) || hasChanged();
        (beyond ? h : before) = middle;
      }
      attempt(h);
    }
    time = isWhole && !isEvent ? stop : time + h;
    x_ = end_;
    ++steps;
    place(time, x_);
    bool asked = false;
    must(slave.completeStep(asked), "complete a step");
    if (asked && !isEvent) ++stepEvents;
    if (isEvent || asked || time >= next_) {
      must(slave.enterEvents(), "enter events");
      update();
      h_ = std::min(h_, 1e-2);
    } else if (!z_.empty()) {
      must(slave.indicators(z_), "indicators");
    }
  }
  void update() {
    Slave::Update u;
    u.again = true;
    while (u.again) must(slave.update(u), "update");
    ++events;
    moved += u.values ? 1 : 0;
    begun += u.values || u.nominals ? 1 : 0;
    next_ = u.next;
    if (slave.terminated) return;
    must(slave.enterMotion(), "enter motion");
    must(slave.states(x_), "states");
    must(slave.nominals(scales_), "nominals");
    must(slave.indicators(z_), "indicators");
    for (const double z : z_) {
      if (!(z > 0)) throw std::runtime_error("an indicator is not positive behind an event");
    }
  }

  std::function<void(Slave&, double)> inputs_;
  double tolerance_;
  double h_ = 1e-4, next_ = 1e300;  ///< [s]
  Vector x_, scales_, z_, end_;
  std::array<Vector, 7> k_;
};

}  // namespace test
