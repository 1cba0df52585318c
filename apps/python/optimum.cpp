// Parameters that make runs best, for Python.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "apps/cosimulation/types.h"
#include "apps/python/module.h"
#include "apps/python/outcome.h"
#include "engine/derivative_tools.h"
#include "engine/optimum/optimum.h"
#include "engine/sensitivities/sensitivities.h"

namespace cardan::python {
namespace {

namespace py = pybind11;
using namespace py::literals;

OptimumTask taskOf(const std::vector<std::tuple<std::string, double, double>>& parameters,
                   const std::string& goal, bool maximize,
                   const std::vector<std::string>& constraints, const std::string& method,
                   long starts, std::uint64_t seed, long runs, const RunOptions& settings) {
  OptimumTask task;
  Diagnostics diagnostics;
  for (const auto& [name, low, high] : parameters)
    task.parameters.push_back({.name = name, .low = low, .high = high});
  task.addGoal(goal, maximize, {}, diagnostics);
  for (const std::string& c : constraints) task.addConstraint(c, {}, diagnostics);
  task.method = method;
  task.starts = starts;
  task.seed = seed;
  task.runs = runs;
  task.settings = settings;
  task.check(diagnostics);
  diagnostics.throwIfErrors();
  return task;
}

py::dict dictOf(const OptimumRuns& runs, const OptimumResult& r,
                const std::vector<std::string>& differences, int nfev, int njev) {
  std::vector<double> values, multipliers;
  py::array_t<bool> violated(std::ssize(r.constraints));
  for (size_t i = 0; i < r.constraints.size(); ++i) {
    const OptimumResult::Constraint& c = r.constraints[i];
    violated.mutable_at(i) = c.isViolated;
    values.push_back(c.value);
    multipliers.push_back(c.multiplier);
  }
  std::vector<std::string> names, warnings;
  for (const BoundedParameter& p : runs.task().parameters) names.push_back(p.name);
  for (const Diagnostic& d : runs.warnings().all()) warnings.push_back(d.format());
  const auto array = [](const std::vector<double>& x) {
    return py::array_t<double>(std::ssize(x), x.data());
  };
  const std::vector<std::int64_t> active(r.atBound.begin(), r.atBound.end());
  return py::dict("names"_a = names, "units"_a = runs.units(), "x"_a = array(r.x),
                  "fun"_a = r.goals[0], "jac"_a = array(r.slopes), "success"_a = r.found,
                  "message"_a = textOf(r.reason), "nit"_a = r.iterations, "nfev"_a = nfev,
                  "njev"_a = njev, "constraints"_a = array(values), "violated"_a = violated,
                  "multipliers"_a = array(multipliers),
                  "active_mask"_a = py::array_t<std::int64_t>(std::ssize(active), active.data()),
                  "differences"_a = differences, "warnings"_a = warnings);
}

py::dict optimize(const LoadedModel& model, const OptimumTask& given, const py::object& progress) {
  Attention attention(progress), signals;
  OptimumTask task = given;
  task.overrides = model.overrides();
  std::optional<OptimumRuns> runs;
  const DerivativeTools tools = derivativeTools(allTypes());
  OptimumResult result;
  std::vector<std::string> differences;
  int nfev = 0, njev = 0;
  bool goesOn = true;
  {
    const py::gil_scoped_release unlocked;
    runs.emplace(task, allTypes(), model.tree(), model.files(), tools);
    Optimum optimum(
        *runs,
        [&](const std::vector<OptimumRun>& some) {
          std::vector<OptimumOutcome> all;
          for (const OptimumRun& run : some) {
            goesOn = goesOn && signals(0);
            if (goesOn) ++(run.kind == OptimumRun::Kind::derivatives ? njev : nfev);
            all.push_back(goesOn ? (*runs)(run) : OptimumOutcome{});
          }
          return all;
        },
        [&](const Optimum::Progress& p) { goesOn = goesOn && attention(p.objective); });
    result = optimum.run();
    differences = optimum.differences();
  }
  attention.rethrow();
  signals.rethrow();
  return dictOf(*runs, result, differences, nfev, njev);
}

}  // namespace

void addOptimum(ModelClass& model, py::module_& m) {
  py::class_<OptimumTask>(m, "OptimumTask").def(py::init(&taskOf));
  model.def("optimize", &optimize);
}

}  // namespace cardan::python
