/// Bridge: when steps of one length lead over events that come without end, and for how long.
#pragma once

#include <array>
#include <limits>
#include <tuple>

namespace cardan {

/// Events of contacts and frictions crowd where their motion is a rattle too small to be seen, or none
/// that ends. A step of Euler's method that errs by a tolerance passes more of them than can be told
/// apart: such steps, which have surfaces for touching without an event (RunState::ahead), go on from
/// there, and twice as many of them where the events come again at once.
class Bridge {
 public:
  /// So many events within one step are a crowd.
  static constexpr int kCrowd = 50;

  /// An event of contacts or frictions at `t`, or (false) of something else. Returns in what time [s] the
  /// last kCrowd came, infinity where they are not so many. `longest` [s]: no step over a crowd is longer.
  double note(double t, bool isMechanical, double longest);
  /// [1]  By how much more than errors allow a step may be long: events that came faster than `longest`
  /// have gone on for so many crowds.
  double patience() const { return 1 + crowding_ / kCrowd; }
  /// One more at `t` would be a crowd, if a step were `step` [s] long.
  bool isNearlyCrowd(double t, double step) const {
    return count_ >= kCrowd && t - times_[next_] < step;
  }
  /// Bridges from `t` on with steps of the length `step` [s].
  void begin(double t, double step);
  bool isOn() const { return end_ < kNever; }
  /// [s]  When the method in force comes back; infinity: it is.
  double end() const { return end_; }
  double step() const { return step_; }  ///< [s]
  void leave();

  auto kept() { return std::tie(times_, next_, count_, crowding_, end_, step_, span_, left_); }

 private:
  static constexpr int kFirst = 16;  ///< steps of a bridge, at least
  static constexpr int kMost = 4096;
  /// Soon after the last bridge.
  bool comesAgain(double t) const { return t - left_ < 4 * span_; }

  static constexpr double kNever = std::numeric_limits<double>::infinity();

  std::array<double, kCrowd> times_{};  ///< [s]  the last events, in a ring
  int next_ = 0, count_ = 0;
  double crowding_ = 0;  ///< events of the crowd, beyond its first ones
  double end_ = kNever;
  double step_ = 0, span_ = 0;  ///< [s]  of the last bridge
  double left_ = -kNever;       ///< [s]  when that was left
};

}  // namespace cardan
