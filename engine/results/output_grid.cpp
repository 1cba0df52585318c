#include "engine/results/output_grid.h"

#include <algorithm>

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

OutputGrid OutputGrid::listed(double start, double stop, std::vector<double> times) {
  OutputGrid grid;
  grid.ticks_ = Ticks(start, stop > start ? stop - start : 1);
  grid.stop_ = stop;
  std::ranges::sort(times);
  grid.list_.push_back(start);
  for (const double t : times) {
    if (t > grid.list_.back() && !isSameInstant(t, start) && t < stop && !isSameInstant(t, stop))
      grid.list_.push_back(t);
  }
  return grid;
}

double OutputGrid::time(long k) const {
  if (!list_.empty()) return k < std::ssize(list_) ? list_[std::max(k, 0L)] : stop_;
  if (k <= 0) return ticks_.start();
  const double at = ticks_.at(static_cast<double>(k));
  return at > stop_ - kRoundOff * interval() ? stop_ : at;
}

double OutputGrid::meant(double time) const {
  if (isSameInstant(time, stop_)) return stop_;
  if (!list_.empty()) {
    const auto next = std::ranges::lower_bound(list_, time - instantWidth(time));
    return next != list_.end() && isSameInstant(*next, time) ? plainerOf(*next, time) : time;
  }
  const double row = ticks_.at(ticks_.from(time));
  return isSameInstant(row, time) ? plainerOf(row, time) : time;
}

}  // namespace cardan
