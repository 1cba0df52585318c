// Who asks what a variable depends on, as a condition of time alone does, relies on its level and on its
// list of inputs: nothing else may reach it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/equations/equations.h"
#include "engine/simulation_parts.h"
#include "tests/class_models.h"

using namespace cardan;

namespace {

constexpr double kPoison = std::numeric_limits<double>::quiet_NaN();

std::vector<double> valueOf(const VariableTable::Variable& v,
                            const EvaluationTables<double>& tables) {
  std::vector<double> out(static_cast<size_t>(v.size));
  EvaluationTables<double> mine = tables;
  v.function->evaluate(View<double>(mine), out.data());
  return out;
}

/// Numbers that are not given to `v` are made no numbers.
std::vector<double> poisoned(const VariableTable::Variable& v, Workspace<double> w,
                             const std::vector<int>& offsets,
                             const EvaluationTables<double>& tables) {
  EvaluationTables<double> t = tables;
  std::vector<double> signals(w.signals.size(), kPoison);
  for (const SignalId s : v.info.reads) {
    // Up to where the next input begins.
    const int from = offsets[static_cast<size_t>(s.index)];
    int to = static_cast<int>(signals.size());
    for (const int other : offsets) {
      if (other > from) to = std::min(to, other);
    }
    std::copy(w.signals.begin() + from, w.signals.begin() + to, signals.begin() + from);
  }
  t.signals = signals.data();
  if (v.info.level <= Level::Time) {
    for (auto* all : {&w.y, &w.yp, &w.multipliers, &w.flangeLoads, &w.connectorFlows})
      std::fill(all->begin(), all->end(), kPoison);
    for (FrameState<double>& f : w.frames) f.r_0.setConstant(kPoison);
    for (FlangeState<double>& f : w.flanges) f = {kPoison, kPoison, kPoison};
    t.y = w.y.data();
    t.yp = w.yp.data();
    t.multipliers = w.multipliers.data();
    t.flangeLoads = w.flangeLoads.data();
    t.connectorFlows = w.connectorFlows.data();
    t.frames = w.frames.data();
    t.flanges = w.flanges.data();
  }
  return valueOf(v, t);
}

}  // namespace

TEST_CASE(
    "classes: variables of time, positions and velocities read what they say, and no other input") {
  int checked = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    CAPTURE(entry.type);
    std::string text = classes::modelOf(entry, false);
    std::unique_ptr<Simulation> s;
    try {
      s = std::make_unique<Simulation>(Simulation::fromText(catalogue(), text));
      s->initialise();
    } catch (const std::exception&) {
      continue;  // some cannot stand as they are here
    }
    const Equations& equations = *s->parts().equations;
    Workspace<double> w = equations.makeWorkspace<double>();
    w.y = s->y();
    w.yp = s->yp();
    equations.evaluate(w, {.connectorLoads = true, .measure = true});
    const VariableTable& table = s->model().assembly().variables;
    for (const int i : table.all()) {
      const VariableTable::Variable& v = table[i];
      if (v.instance < 0 || v.expression || v.info.level > Level::Velocity) continue;
      CAPTURE(v.name);
      const std::vector<double> clean = valueOf(v, w.tables),
                                poor = poisoned(v, w, equations.signals().offsets(), w.tables);
      for (size_t k = 0; k < clean.size(); ++k) {
        CHECK((clean[k] == poor[k] || std::isnan(clean[k])));
        ++checked;
      }
    }
  }
  CHECK(checked > 1000);
}
