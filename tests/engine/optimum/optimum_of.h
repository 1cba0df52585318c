/// Looks for an optimum of a model's text, one run after the other.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/derivative_tools.h"
#include "engine/optimum/optimum.h"
#include "engine/sensitivities/sensitivities.h"

namespace test {

using namespace cardan;

struct SoughtOptimum {
  std::vector<std::string> parameters;
  std::string goal;
  std::vector<std::string> constraints = {};
  bool isMaximised = false;
  std::function<void(OptimumTask&)> more = {};

  OptimumTask task() const {
    OptimumTask t;
    Diagnostics d;
    for (const std::string& p : parameters) t.addParameter(p, {}, d);
    if (!goal.empty()) t.addGoal(goal, isMaximised, {}, d);
    for (const std::string& c : constraints) t.addConstraint(c, {}, d);
    if (more) more(t);
    t.check(d);
    d.throwIfErrors();
    return t;
  }

  /// `with`: the search, of runs that are counted.
  template <class F>
  auto in(const std::string& model, F with) const {
    const OptimumTask t = task();
    Diagnostics d;
    auto tree = parseYaml(model, "model.yaml", d);
    d.throwIfErrors();
    const DerivativeTools tools = derivativeTools(catalogue());
    const OptimumRuns runs(t, catalogue(), std::move(*tree), {"model.yaml"}, tools);
    Optimum optimum(runs, [&](const std::vector<OptimumRun>& some) {
      std::vector<OptimumOutcome> all;
      for (const OptimumRun& run : some) all.push_back(runs(run));
      return std::optional(all);
    });
    return with(optimum, runs);
  }
  OptimumResult of(const std::string& model) const {
    return in(model, [](Optimum& o, const OptimumRuns&) { return o.run(); });
  }
};

}  // namespace test
