/// The facade: load a model, check it, simulate it, read the result.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "components/catalogue_entry.h"
#include "engine/initialisation/initial_report.h"
#include "engine/integration/run_report.h"
#include "engine/results/rows.h"
#include "engine/results/run_options.h"
#include "engine/text/imported_model.h"
#include "engine/text/yaml_document.h"

namespace cardan {

class Model;
class ModelDocument;
class MotionExchange;
class Run;
struct ModelSource;
struct RunSnapshot;
struct SavedState;
struct SimulationParts;

/// A variable among the outputs of a started run.
struct VariableHandle {
  size_t column;
};
/// An input that the model file gives a number.
struct InputHandle {
  int number;
};

/// One model, ready to run; as a whole by run(), or step by step by start() and advance(). Throws
/// ModelError for a wrong model, SolverError where a run cannot go on.
///
///   Simulation s(catalogue(), "arm.yaml");
///   s.start({.stopTime = 5, .outputs = {"j1.phi"}});
///   const VariableHandle phi = s.variable("j1.phi");
///   const InputHandle torque = s.input("motor.tau");
///   for (double t = 0.01; t <= 5; t += 0.01) {
///     s.set(torque, controller(s.value(phi)));
///     s.advance(t);
///   }
///
/// The model itself does not change while it runs: simulations of the same model (another()) run in
/// threads of their own.
class Simulation {
 public:
  /// Reads the model file at `path`; `overrides` are "NAME=VALUE".
  Simulation(const Catalogue& catalogue, const std::string& path, const Overrides& overrides = {});
  /// Reads the model from a text; `name` stands for its file in messages.
  static Simulation fromText(const Catalogue& catalogue, const std::string& text,
                             const std::string& name = "model.yaml",
                             const Overrides& overrides = {});
  /// Reads a file of any of `formats`, or a model file; what a translation warns of is among
  /// warnings().
  static Simulation open(const Catalogue& catalogue, const ModelFormats& formats,
                         const std::string& path, const Overrides& overrides = {});
  /// The same from a tree, as another kind of file gives it; `files` are those that it was made
  /// from, the model's own the first.
  static Simulation fromTree(const Catalogue& catalogue, const YamlNode& root,
                             const std::vector<std::string>& files,
                             const Overrides& overrides = {});
  /// The same from what such a tree says, for many simulations that differ in their overrides.
  static Simulation fromDocument(const Catalogue& catalogue, const ModelDocument& document,
                                 const std::vector<std::string>& files, const Overrides& overrides);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  /// One more simulation of the same model, not loaded again. Throws std::logic_error where the
  /// start determines parameters, or branches that an assembly of joints keeps: load it again.
  Simulation another() const;

  /// Finds consistent start values; run() and start() do it too.
  InitialReport initialise(std::optional<double> startTime = std::nullopt);
  /// The start that was found gives way to a point from outside; constraints and accelerations follow.
  void startFrom(const StartPoint& from, double time);
  RunReport run(RowSink& sink, const RunOptions& options = {});

  /// Initialises, and stands at the start time. `options.outputs` (else those of the file) are the
  /// variables that can be read. `rows`: gets the rows of the run as it is advanced, null: none are
  /// written; outlives the run.
  void start(const RunOptions& options = {}, RowSink* rows = nullptr);
  /// On to `time` [s], events included; less far where the model ends the run, or
  /// `options.progress` interrupts it: with `options.saves` the next call goes on from there. Throws
  /// std::invalid_argument before the time reached and beyond the stop time.
  void advance(double time);
  /// advance() has ended before an event (RunOptions::stopsAtEvents), which the next call handles, also one
  /// that goes no further.
  bool isAtEvent() const;
  double time() const;  ///< [s]  reached
  /// Names of the variables that can be read.
  std::vector<std::string> outputs() const;
  /// Throws std::out_of_range if it is not among the outputs.
  VariableHandle variable(const std::string& name) const;
  /// Value at time().
  double value(VariableHandle variable);
  /// "u1", "motor.tau", "push.force[2]". Throws std::out_of_range if it has no number in the file.
  InputHandle input(const std::string& name) const;
  /// From now on, until RunOptions::inputs say something else. A jump of an input is an event;
  /// before start() it is part of the start.
  void set(InputHandle input, double value);
  /// To set it to this number changes nothing.
  bool is(InputHandle input, double value) const;
  /// The run as it stands. Restored, here or in another simulation of the same model that was
  /// started with the same options, it goes on bit for bit as from there; std::invalid_argument
  /// where its method or its number of unknowns is another.
  RunSnapshot save() const;
  /// The same for a file; `options`: that the run was started with.
  SavedState save(const RunOptions& options) const;
  void restore(const RunSnapshot& snapshot);

  /// What the last run has done, also one that failed.
  const RunReport& report() const { return report_; }
  /// What the model file says.
  const ModelSource& source() const;
  const Model& model() const;
  const Diagnostics& warnings() const { return diagnostics_; }
  /// Unknowns and rates at the start or the end of the last run.
  const std::vector<double>& y() const { return y_; }
  const std::vector<double>& yp() const { return yp_; }

  /// What it is made of; from outside, nobody can look into it.
  SimulationParts& parts() { return *parts_; }
  const SimulationParts& parts() const { return *parts_; }

 private:
  friend class MotionExchange;  // goes on without advance()
  Simulation();
  void finishLoading();
  void prepare();
  void feed(const RunOptions& options);
  void tellOverlaps(const RunOptions& options);
  void begin(RowSink* sink, const RunOptions& options);
  void finish();
  Run& running() const;

  Diagnostics diagnostics_;
  std::unique_ptr<SimulationParts> parts_;
  std::vector<double> y_, yp_;
  RunReport report_;
};

}  // namespace cardan
