#include "engine/results/output_grid.h"

namespace cardan {
namespace {

constexpr double kRoundOff = 1e-9;  // of an interval: times that are meant to be `stop`

}  // namespace

OutputGrid::OutputGrid(double start, double stop, double interval)
    : ticks_(start, interval), stop_(stop) {}

OutputGrid OutputGrid::equalParts(double start, double stop, int parts) {
  OutputGrid grid;
  grid.ticks_ = Ticks::equalParts(start, stop, parts);
  grid.stop_ = stop;
  return grid;
}

double OutputGrid::time(long k) const {
  if (k <= 0) return ticks_.start();
  const double at = ticks_.at(static_cast<double>(k));
  return at > stop_ - kRoundOff * interval() ? stop_ : at;
}

double OutputGrid::meant(double time) const {
  if (isSameInstant(time, stop_)) return stop_;
  const double row = ticks_.at(ticks_.from(time));
  return isSameInstant(row, time) ? plainerOf(row, time) : time;
}

}  // namespace cardan
