/// The facade: load a model, check it, simulate it, read the result. The command line uses nothing
/// else.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "components/catalogue_entry.h"
#include "engine/equations/model.h"
#include "engine/initialisation/initialisation.h"
#include "engine/integration/ida_integrator.h"
#include "engine/results/rows.h"
#include "engine/results/run_report.h"
#include "engine/results/run_settings.h"

namespace cardan {

class EventSystem;
class MultibodySystem;

/// One model, ready to run. Throws ModelError for a wrong model, SolverError where a run cannot go
/// on.
class Simulation {
 public:
  /// Reads the model file at `path`; `overrides` are "NAME=VALUE".
  Simulation(const Catalogue& catalogue, const std::string& path, const Overrides& overrides = {});
  /// Reads the model from a text; `name` stands for its file in messages.
  static Simulation fromText(const Catalogue& catalogue, const std::string& text,
                             const std::string& name = "model.yaml",
                             const Overrides& overrides = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;

  /// Finds consistent start values; run() does it too.
  InitialReport initialise(std::optional<double> startTime = std::nullopt);
  RunReport run(RowSink& sink, const RunOptions& options = {});
  /// What the last run has done, also one that failed.
  const RunReport& report() const { return report_; }

  const Model& model() const { return *model_; }
  const Equations& equations() const { return *equations_; }
  /// The equations as the integrator sees them.
  MultibodySystem& system() { return *system_; }
  const Diagnostics& warnings() const { return diagnostics_; }
  /// Unknowns and rates at the start or the end of the last run.
  const std::vector<double>& y() const { return y_; }
  const std::vector<double>& yp() const { return yp_; }

 private:
  Simulation() = default;
  void finishLoading();

  Diagnostics diagnostics_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Equations> equations_;  ///< of this run
  std::unique_ptr<MultibodySystem> system_;
  std::unique_ptr<EventSystem> events_;
  std::vector<double> y_, yp_;
  RunReport report_;
};

}  // namespace cardan
