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
#include "engine/results/recorder.h"

namespace cardan {

class EventSystem;

/// How to run; what is not given is as the model file says.
struct RunOptions {
  std::optional<double> startTime;       ///< [s]
  std::optional<double> stopTime;        ///< [s]
  std::optional<double> outputInterval;  ///< [s]
  std::optional<double> tolerance;       ///< [1]  relative, of the local error
  std::optional<double> maximumStep;     ///< [s]
  std::vector<std::string> outputs;      ///< names or globs
  bool eventRows = true;                 ///< a row before and one after each event
  bool timing = false;                   ///< measure the time shares in the statistics
  bool strict = false;                   ///< redundant constraints are an error (ModelError)
  /// Called now and then with the time reached; false ends the run, with the rows so far.
  std::function<bool(double time)> progress;
};

/// Receives a result row by row.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void begin(const std::vector<Column>& columns) = 0;
  /// `values`: one per column.
  virtual void row(double time, std::span<const double> values) = 0;
};

/// A result in memory.
class Trajectory final : public RowSink {
 public:
  void begin(const std::vector<Column>& columns) override;
  void row(double time, std::span<const double> values) override;

  const std::vector<double>& time() const { return time_; }
  const std::vector<Column>& columns() const { return columns_; }
  /// Values of the column `name`; throws std::out_of_range where there is none.
  const std::vector<double>& operator[](const std::string& name) const;

 private:
  std::vector<Column> columns_;
  std::vector<double> time_;
  std::vector<std::vector<double>> values_;
};

/// An instant at which the run stopped to switch.
struct EventRecord {
  double time = 0;                   ///< [s]
  std::vector<std::string> changed;  ///< components and expressions that switched
};
/// A report lists so many; further ones are only counted.
inline constexpr size_t kMostEventRecords = 100000;

/// What a run has done.
struct RunReport {
  IntegratorStatistics integrator;
  long rows = 0;
  long events = 0;
  std::vector<EventRecord> eventRecords;  ///< the first kMostEventRecords
  double stopTime = 0;                    ///< [s]  time reached
  bool interrupted = false;               ///< ended by `progress`
  std::string terminated;                 ///< not empty: ended by the model, why
  long chartChanges = 0;                  ///< new references of orientation angles
  double initialisationSeconds = 0, integrationSeconds = 0, outputSeconds = 0;  ///< [s] wall time
  std::vector<std::string> warnings;
};

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

  Model& model() { return *model_; }
  const Diagnostics& warnings() const { return diagnostics_; }
  /// Unknowns and rates at the start or the end of the last run.
  const std::vector<double>& y() const { return y_; }
  const std::vector<double>& yp() const { return yp_; }

 private:
  Simulation() = default;
  void finishLoading();

  Diagnostics diagnostics_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<EventSystem> events_;
  std::vector<double> y_, yp_;
  RunReport report_;
};

}  // namespace cardan
