/// OutputGrid: the times at which a result has its rows.
#pragma once

#include <vector>

#include "components/instants.h"

namespace cardan {

/// start, start + interval, ..., stop: ticks of a clock, and the end of the run; or a list.
class OutputGrid {
 public:
  OutputGrid() = default;
  /// Pre: interval > 0, stop >= start
  OutputGrid(double start, double stop, double interval);
  /// Of `parts` equal intervals.
  static OutputGrid equalParts(double start, double stop, int parts);
  /// start, those of `times` between, in their order of time and each once, and stop.
  static OutputGrid listed(double start, double stop, std::vector<double> times);

  /// The k-th time, k >= 0; the last one, and all beyond, is `stop`.
  double time(long k) const;
  double interval() const { return ticks_.interval(); }
  /// [s] `time`, or the stop if that is the same instant, or the plainer of it and of a row that is.
  double meant(double time) const;

 private:
  Ticks ticks_;
  double stop_ = 0;
  std::vector<double> list_;  ///< [s]  all but the stop, rising; empty: ticks
};

}  // namespace cardan
