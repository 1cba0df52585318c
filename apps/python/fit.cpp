// Parameters from measurements, for Python.
#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/cosimulation/types.h"
#include "apps/python/module.h"
#include "apps/python/outcome.h"
#include "engine/fit/fit.h"
#include "engine/fit/measurement.h"
#include "engine/study/sampling.h"

namespace cardan::python {
namespace {

namespace py = pybind11;
using namespace py::literals;

void addRun(FitTask& task, const std::string& name, const std::vector<double>& time,
            const std::vector<std::string>& names, const std::vector<std::vector<double>>& values,
            const RunOptions& options, bool hold) {
  auto data = std::make_shared<Measurement>();
  data->file = name;
  data->time = time;
  for (size_t i = 0; i < names.size(); ++i)
    data->columns.push_back({names[i], std::nullopt, "", values[i]});
  FitExperiment e;
  e.name = e.file = name;
  e.data = std::move(data);
  e.settings = options;
  e.held = hold;
  task.experiments.push_back(std::move(e));
}

void search(FitTask& task, const std::string& loss, double lossScale, double confidence,
            long starts, std::uint64_t seed) {
  const std::optional<Loss> found = lossOf(loss);
  if (!found) throw py::value_error("loss must be linear, soft_l1, huber or cauchy, found " + loss);
  if (!(lossScale > 0)) throw py::value_error("loss_scale must be greater than 0");
  if (!(confidence > 0 && confidence < 1)) throw py::value_error("confidence must be in 0 .. 1");
  if (starts < 1) throw py::value_error("starts must be at least 1");
  task.loss = *found;
  task.lossScale = lossScale;
  task.confidence = confidence;
  task.starts = starts;
  task.seed = seed;
}

py::dict dictOf(const FitResult& r, const std::vector<std::string>& warnings) {
  const auto texts = [](const std::vector<std::string>& list) {
    py::list all;
    for (const std::string& text : list) all.append(textOf(text));
    return all;
  };
  const auto array = [](const std::vector<double>& x) {
    return py::array_t<double>(std::ssize(x), x.data());
  };
  std::vector<std::string> names, units;
  Eigen::VectorXd errors(std::ssize(r.estimates));
  Eigen::MatrixXd intervals(errors.size(), 2);
  for (Eigen::Index k = 0; k < errors.size(); ++k) {
    const FitEstimate& e = r.estimates[k];
    names.push_back(e.label);
    units.push_back(e.unit);
    errors[k] = e.error;
    intervals.row(k) << e.from, e.to;
  }
  py::list signals;
  for (const FittedSignal& s : r.signals) {
    signals.append(py::make_tuple(textOf(s.experiment), textOf(s.variable), textOf(s.unit), s.sigma,
                                  array(s.time), array(s.measured), array(s.before), array(s.after),
                                  array(s.band)));
  }
  const LeastSquaresResult& s = r.search;
  const std::vector<std::int64_t> active(s.active.begin(), s.active.end());
  return py::dict("names"_a = texts(names), "units"_a = texts(units), "x"_a = s.x,
                  "errors"_a = errors, "intervals"_a = intervals,
                  "active_mask"_a = py::array_t<std::int64_t>(std::ssize(active), active.data()),
                  "covariance"_a = r.covariance, "correlation"_a = r.correlation, "cost"_a = s.cost,
                  "fun"_a = s.r, "jac"_a = s.jacobian, "success"_a = isFound(s.stop),
                  "message"_a = textOf(reasonOf(s.stop)), "nfev"_a = s.residualRuns,
                  "njev"_a = s.jacobianRuns, "untold"_a = texts(r.untold), "bent"_a = texts(r.bent),
                  "differences"_a = texts(r.differences), "warnings"_a = texts(warnings),
                  "signals"_a = signals);
}

py::dict fit(const LoadedModel& model, const FitTask& task, const py::object& progress) {
  Attention attention(progress);
  std::optional<FitResult> result;
  std::vector<std::string> warnings;
  {
    const py::gil_scoped_release unlocked;
    Fit of(
        task, [&](const Overrides& more) { return model.reloaded(more); }, allTypes());
    warnings = of.warnings();
    const Sampling latin(SamplingMethod::latin, static_cast<int>(of.start().size()),
                         std::max(1L, task.starts - 1), task.seed, false);
    result = of.run([&](long k, int dimension) { return latin(k - 1, dimension); },
                    [&](const Fit::Progress& p) { return attention(p.cost); });
  }
  attention.rethrow();
  return dictOf(*result, warnings);
}

}  // namespace

void addFit(ModelClass& model, py::module_& m) {
  py::class_<FitTask>(m, "FitTask")
      .def(py::init<>())
      .def("parameter",
           [](FitTask& task, const std::string& name, double low, double high) {
             FitParameter p;
             p.name = name;
             p.low = low;
             p.high = high;
             task.parameters.push_back(std::move(p));
           })
      .def("signal",
           [](FitTask& task, const std::string& name, std::optional<double> sigma) {
             if (sigma && !(*sigma > 0))
               throw py::value_error("sigma of '" + name + "' must be greater than 0");
             FitSignal s;
             s.variable = s.column = name;
             s.sigma = sigma;
             task.signals.push_back(std::move(s));
           })
      .def("file",
           [](FitTask& task, const std::string& path, const RunOptions& options, bool hold) {
             task.addData(path, {});
             task.experiments.back().settings = options;
             task.experiments.back().held = hold;
           })
      .def("run", &addRun)
      .def("search", &search);
  model.def("fit", &fit);
}

}  // namespace cardan::python
