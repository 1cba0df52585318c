/// ModelVariant: a model, often with another value of a parameter, asked at the instants of a run
/// that is not its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/dynamics/completion.h"
#include "engine/equations/model.h"
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
        startHeld(model.whens().held.start()) {
    completion.useTreeSolver();
  }
  ModelVariant(const ModelVariant&) = delete;

  /// Modes, relations, inputs, memories of the run; discrete variables `shift` along `held`.
  void follow(const RunState& run, double shift, const std::vector<double>& held) {
    const std::uint64_t changes = std::max(equations.state.changes, run.changes) + 1;
    equations.state = run;
    equations.state.changes = changes;
    if (shift == 0) return;
    for (size_t i = 0; i < held.size(); ++i) equations.state.held[i] += shift * held[i];
  }

  /// Everything at (t, y, yp), loads too.
  void evaluate(double t, const std::vector<double>& y, const std::vector<double>& yp) {
    std::ranges::copy(y, w.y.begin());
    std::ranges::copy(yp, w.yp.begin());
    w.tables.time = t;
    equations.evaluate(w, {.kinematicRows = false, .connectorLoads = true, .measure = true});
  }

  Equations equations;
  Completion completion;
  EventSystem events;
  Recorder recorder;
  Workspace<double> w;
  std::vector<double> startY;     ///< consistent values of its start
  std::vector<double> startHeld;  ///< RunState::held there
};

}  // namespace cardan
