/// OutputGrid: the times at which a result has its rows.
#pragma once

namespace cardan {

/// start, start + interval, ..., stop. Where the numbers are short decimals, every time is the
/// double nearest to the decimal that is meant: seven times 0.1 is 0.7, not 0.7000000000000001.
/// Other numbers (1/3, powers of two) are multiplied as they are.
class OutputGrid {
 public:
  OutputGrid() = default;
  /// Pre: interval > 0, stop >= start
  OutputGrid(double start, double stop, double interval);
  /// Of `parts` equal intervals.
  static OutputGrid equalParts(double start, double stop, int parts);

  /// The k-th time, k >= 0; the last one, and all beyond, is `stop`.
  double time(long k) const;
  double interval() const { return interval_; }

 private:
  double start_ = 0, stop_ = 0, interval_ = 1;
  // time(k) = (first_ + k step_) / divisor_, all of them whole; divisor_ 0: no such decimals
  double first_ = 0, step_ = 0, divisor_ = 0;
};

}  // namespace cardan
