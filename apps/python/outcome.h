/// What a run leaves for Python: its rows as one NumPy array, its report, and what has ended it early.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <atomic>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "apps/python/errors.h"
#include "engine/integration/run_report.h"
#include "engine/results/rows.h"
#include "engine/results/run_options.h"

namespace cardan::python {

/// Rows one behind the other, time first.
class CollectedRows final : public RowSink {
 public:
  /// `once`: of each time there is one row, the last.
  explicit CollectedRows(bool once = false) : once_(once) {}

  void begin(const std::vector<Column>& columns) override;
  void row(double time, std::span<const double> values) override;

  bool hasBegun() const { return hasBegun_; }
  /// [s]  Time of the last one; not a number where there is none.
  double last() const;
  /// Name, unit, description, whether it is a Boolean; without time.
  pybind11::list columns() const;
  /// The rows so far, which are given away: (rows, 1 + columns).
  pybind11::array_t<double> take();

 private:
  bool once_, hasBegun_ = false;
  std::vector<Column> columns_;
  std::vector<double> values_;
};

/// Set from any thread: runs that look at it end.
class StopFlag {
 public:
  void set() { isSet_ = true; }
  bool isSet() const { return isSet_; }

 private:
  std::atomic<bool> isSet_ = false;
};

/// Looks after Python while a run goes on without its lock: Ctrl-C, a function that wants to know the
/// time, a flag. Made and destroyed with the lock held.
class Attention {
 public:
  explicit Attention(pybind11::object progress = pybind11::none(),
                     std::shared_ptr<StopFlag> stop = nullptr)
      : progress_(std::move(progress)), stop_(std::move(stop)) {}

  /// RunOptions::progress: false ends the run.
  bool operator()(double time);
  /// What Python has raised meanwhile; null: nothing. It is given away.
  std::exception_ptr raised() { return std::exchange(raised_, nullptr); }
  void rethrow();

 private:
  pybind11::object progress_;
  std::shared_ptr<StopFlag> stop_;
  std::exception_ptr raised_;
};

pybind11::dict dictOf(const RunReport& report);

/// (columns, values, report, exception or None)
pybind11::tuple outcomeOf(CollectedRows& rows, const RunReport& report,
                          const pybind11::object& error = pybind11::none());

/// Does `run(rows, options)` without Python's lock; what it throws is part of the outcome. `report`: of
/// the run, also of one that has failed.
template <class Run, class Report>
pybind11::tuple recorded(RunOptions options, const pybind11::object& progress,
                         const std::shared_ptr<StopFlag>& stop, Run run, Report report) {
  CollectedRows rows;
  Attention attention(progress, stop);
  options.progress = [&](double time) { return attention(time); };
  std::exception_ptr error;
  {
    const pybind11::gil_scoped_release unlocked;
    try {
      run(rows, options);
    } catch (...) {
      error = std::current_exception();
    }
  }
  if (std::exception_ptr raised = attention.raised()) error = raised;
  return outcomeOf(rows, report(), error ? exceptionOf(error) : pybind11::none());
}

}  // namespace cardan::python
