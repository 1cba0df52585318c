/// Looks for an optimum of a model's text, one run after the other.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
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
  size_t mostRuns = SIZE_MAX;  ///< then it is stopped
  std::function<void(const OptimumRun& made)> after = {};
  std::function<void(const Optimum::Progress&)> progress = {};

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
    size_t made = 0;
    const auto evaluate = [&](const std::vector<OptimumRun>& some) {
      std::vector<OptimumOutcome> all(some.size());
      for (size_t i = 0; i < some.size() && made < mostRuns; ++i, ++made) {
        all[i] = runs(some[i]);
        if (after) after(some[i]);
      }
      return all;
    };
    Optimum optimum(runs, evaluate, progress);
    return with(optimum, runs);
  }
  OptimumResult of(const std::string& model) const {
    return in(model, [](Optimum& o, const OptimumRuns&) { return o.run(); });
  }
};

}  // namespace test
