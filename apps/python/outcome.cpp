#include "apps/python/outcome.h"

#include <limits>
#include <utility>

#include "apps/python/errors.h"
#include "components/instants.h"

namespace cardan::python {
namespace {

namespace py = pybind11;

/// Signals are Python's main thread's; no other one needs its lock for them.
bool isMainThread() {
  static const unsigned long main = [] {
    const py::gil_scoped_acquire locked;
    return py::module_::import("threading")
        .attr("main_thread")()
        .attr("ident")
        .cast<unsigned long>();
  }();
  return PyThread_get_thread_ident() == main;
}

py::dict statisticsOf(const RunReport& r) {
  const IntegratorStatistics& s = r.integrator;
  using namespace py::literals;
  return py::dict(
      "rows"_a = r.rows, "events"_a = r.events, "steps"_a = s.steps, "residuals"_a = s.residuals,
      "rates"_a = s.rates, "newtonMatrices"_a = s.newtonMatrices,
      "newtonIterations"_a = s.newtonIterations, "errorTestFailures"_a = s.errorTestFailures,
      "newtonFailures"_a = s.newtonFailures, "restarts"_a = s.restarts,
      "chartChanges"_a = r.chartChanges, "contactViolations"_a = r.contactViolations,
      "initialisationSeconds"_a = r.initialisationSeconds,
      "integrationSeconds"_a = r.integrationSeconds, "outputSeconds"_a = r.outputSeconds);
}

}  // namespace

void CollectedRows::begin(const std::vector<Column>& columns) {
  columns_ = columns;
  values_.clear();
  hasBegun_ = true;
}

double CollectedRows::last() const {
  return values_.empty() ? std::numeric_limits<double>::quiet_NaN()
                         : values_[values_.size() - columns_.size() - 1];
}

void CollectedRows::row(double time, std::span<const double> values) {
  if (once_ && isSameInstant(time, last())) {
    time = last();  // that of the grid
    values_.resize(values_.size() - columns_.size() - 1);
  }
  values_.push_back(time);
  values_.insert(values_.end(), values.begin(), values.end());
}

py::list CollectedRows::columns() const {
  py::list all;
  for (const Column& c : columns_)
    all.append(py::make_tuple(textOf(c.name), textOf(c.unit), textOf(c.description), c.isBoolean));
  return all;
}

py::array_t<double> CollectedRows::take() {
  values_.shrink_to_fit();
  auto values = std::make_unique<std::vector<double>>(std::move(values_));
  values_.clear();
  const auto width = static_cast<py::ssize_t>(columns_.size() + 1);
  const auto height = static_cast<py::ssize_t>(values->size()) / width;
  const double* const data = values->data();
  const py::capsule owner(values.get(),
                          [](void* p) { delete static_cast<std::vector<double>*>(p); });
  values.release();
  return py::array_t<double>({height, width}, data, owner);
}

bool Attention::operator()(double time) {
  if (stop_ && stop_->isSet()) return false;
  if (progress_.is_none() && !isMainThread()) return true;
  const py::gil_scoped_acquire locked;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    return progress_.is_none() || !progress_(time).is(py::bool_(false));
  } catch (const py::error_already_set&) {
    raised_ = std::current_exception();
    return false;
  }
}

void Attention::rethrow() {
  if (const std::exception_ptr error = raised()) std::rethrow_exception(error);
}

py::dict dictOf(const RunReport& report) {
  py::list events, methods, warnings;
  for (const EventRecord& e : report.eventRecords) {
    py::list changed;
    for (const std::string& name : e.changed) changed.append(textOf(name));
    events.append(py::make_tuple(e.time, changed));
  }
  for (const MethodChange& m : report.methods)
    methods.append(py::make_tuple(m.time, textOf(m.method), textOf(m.reason)));
  for (const std::string& w : report.warnings) warnings.append(textOf(w));
  using namespace py::literals;
  return py::dict("events"_a = events, "methods"_a = methods, "warnings"_a = warnings,
                  "stats"_a = statisticsOf(report), "terminated"_a = textOf(report.terminated),
                  "interrupted"_a = report.interrupted);
}

py::tuple outcomeOf(CollectedRows& rows, const RunReport& report, const py::object& error) {
  return py::make_tuple(rows.columns(), rows.take(), dictOf(report), error);
}

}  // namespace cardan::python
