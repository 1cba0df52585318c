/// OutputGrid: the times at which a result has its rows.
#pragma once

#include "components/instants.h"

namespace cardan {

/// start, start + interval, ..., stop: ticks of a clock, and the end of the run.
class OutputGrid {
 public:
  OutputGrid() = default;
  /// Pre: interval > 0, stop >= start
  OutputGrid(double start, double stop, double interval);
  /// Of `parts` equal intervals.
  static OutputGrid equalParts(double start, double stop, int parts);

  /// The k-th time, k >= 0; the last one, and all beyond, is `stop`.
  double time(long k) const;
  double interval() const { return ticks_.interval(); }
  /// [s] `time`, or the stop if that is the same instant, or the plainer of it and of a row that is.
  double meant(double time) const;

 private:
  Ticks ticks_;
  double stop_ = 0;
};

}  // namespace cardan
