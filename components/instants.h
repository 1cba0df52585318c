/// Instants: when two times are one, and the times at which a clock ticks.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

/// [s] Times no farther apart than this are one instant: so much, 4 units in the last place, is left
/// open by the sums and products that make them.
inline double instantWidth(double time) {
  return 4 * std::numeric_limits<double>::epsilon() * std::abs(time);
}
/// `instant` is `now` or before it.
inline bool hasCome(double instant, double now) { return instant - now <= instantWidth(now); }
inline bool isSameInstant(double a, double b) {
  return std::abs(a - b) <= instantWidth(std::min(std::abs(a), std::abs(b)));
}

/// Of two times that are one instant the one with fewer digits; of equals the first.
double plainerOf(double a, double b);

/// The first of several instants; of times that are one the plainest.
class FirstInstant {
 public:
  void offer(double time) {
    if (isSameInstant(time, at_)) {
      at_ = plainerOf(at_, time);
    } else {
      at_ = std::min(at_, time);
    }
  }
  double at() const { return at_; }  ///< [s]  infinity: none was offered

 private:
  double at_ = std::numeric_limits<double>::infinity();
};

/// start, start + interval, start + 2 interval, ... Where both numbers are short decimals, but for the
/// last digits that products of decimals leave, every time is the double nearest to the decimal that
/// is meant: seven times 0.1 is 0.7, not 0.7000000000000001. Other numbers (1/3, powers of two) are
/// multiplied as they are.
class Ticks {
 public:
  Ticks() = default;
  /// Pre: interval > 0
  Ticks(double start, double interval);
  /// `parts` equal intervals between start and stop, and more of them.
  static Ticks equalParts(double start, double stop, int parts);

  /// [s] Tick k, a whole number.
  double at(double k) const;
  /// Number of the first tick that is not before `time`, and of the first one after it; never
  /// negative.
  double from(double time) const;
  double after(double time) const;
  double start() const { return start_; }
  double interval() const { return interval_; }

 private:
  double estimate(double time) const;

  double start_ = 0, interval_ = 1;
  // at(k) = (first_ + k step_) / divisor_, all of them whole; divisor_ 0: no such decimals
  double first_ = 0, step_ = 0, divisor_ = 0;
};

}  // namespace cardan
