/// ModelVariant: a model, often with another value of a parameter, asked at the instants of a run
/// that is not its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/dynamics/completion.h"
#include "engine/equations/model.h"
#include "engine/integration/charts.h"
#include "engine/integration/event_system.h"
#include "engine/results/recorder.h"

namespace cardan {

struct ModelVariant {
  /// `initialised`: of `model`, as its start left them; both outlive the variant.
  ModelVariant(const Model& model, const Equations& initialised,
               const std::vector<OutputPattern>& outputs, Diagnostics& diagnostics)
      : equations(initialised),
        completion(equations),
        events(model, equations),
        recorder(model, equations, outputs, diagnostics),
        w(equations.makeWorkspace<double>()),
        startHeld(initialised.state.held) {
    completion.useTreeSolver();
    std::vector<int> start;
    for (const FlatModel::Mode& m : equations.flatModel().modes) start.push_back(m.start);
    for (const FlatModel::Number& n : equations.flatModel().numbers)
      startHeld.push_back(numberIn(start, n));
  }
  ModelVariant(const ModelVariant&) = delete;

  /// Modes, relations, inputs, memories of the run; what heldNow() gives `shift` along `held`.
  void follow(const RunState& run, double shift, const std::vector<double>& held) {
    const std::uint64_t changes = std::max(equations.state.changes, run.changes) + 1;
    equations.state = run;
    equations.state.changes = changes;
    shift_ = shift;
    if (shift == 0) return;
    RunState& state = equations.state;
    const size_t discrete = state.held.size();
    for (size_t i = 0; i < discrete; ++i) state.held[i] += shift * held[i];
    const auto& numbers = equations.flatModel().numbers;
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (held[discrete + i] == 0) continue;
      const double moved = numberIn(state.modes, numbers[i]) + shift * held[discrete + i];
      const HalvesOfNumber h = HalvesOfNumber::of(moved);
      state.modes[numbers[i].modes.high.index] = h.high;
      state.modes[numbers[i].modes.low.index] = h.low;
    }
  }
  /// From here on coordinates are counted as in `run`; `y` becomes so, nearest to `near`.
  void countAs(const RunState& run, const std::vector<double>& near, std::vector<double>& y) {
    const std::vector<double> own = equations.state.charts;
    equations.state.charts = run.charts;
    if (own != run.charts) Charts(equations).tell(own, near, y);
  }
  /// Of the parameter, as it follows the run.
  double shift() const { return shift_; }

  /// Discrete variables (RunState::held) and behind them the numbers that components hold.
  std::vector<double> heldNow() const {
    std::vector<double> all = equations.state.held;
    for (const FlatModel::Number& n : equations.flatModel().numbers)
      all.push_back(numberIn(equations.state.modes, n));
    return all;
  }
  static double numberIn(const std::vector<int>& modes, const FlatModel::Number& n) {
    return HalvesOfNumber{modes[n.modes.high.index], modes[n.modes.low.index]}.number();
  }

  /// Everything at (t, y, yp), loads too.
  void evaluate(double t, const std::vector<double>& y, const std::vector<double>& yp) {
    equations.evaluateAt(w, t, y, yp);
  }

  Equations equations;
  Completion completion;
  EventSystem events;
  Recorder recorder;
  Workspace<double> w;
  std::vector<double> startY;     ///< consistent values of its start
  std::vector<double> startHeld;  ///< heldNow() there

 private:
  double shift_ = 0;
};

}  // namespace cardan
