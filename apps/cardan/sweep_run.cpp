#include "apps/cardan/sweep_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <new>

#include "apps/cardan/run_options.h"
#include "apps/cardan/run_record.h"
#include "apps/cosimulation/types.h"
#include "engine/integration/solver_error.h"
#include "engine/model_file/model_source.h"
#include "engine/result_metadata.h"
#include "engine/results/csv_writer.h"
#include "engine/results/output_file.h"
#include "engine/study/csv_text.h"
#include "engine/text/message_order.h"

namespace cardan {
namespace {

/// A trajectory on its way to a file, which gets its name when it is whole.
class TrajectoryPart {
 public:
  /// `run`: from 0.
  TrajectoryPart(std::string path, TrajectoryFormat format, long run)
      : path_(std::move(path)), csv_(part()), record_(part(), run), format_(format) {}
  ~TrajectoryPart() {
    if (!finished_) std::remove(part().c_str());
  }
  TrajectoryPart(const TrajectoryPart&) = delete;
  TrajectoryPart& operator=(const TrajectoryPart&) = delete;

  void begin(const std::vector<Column>& columns) {
    columns_ = columns;
    begun_ = true;
    rows().begin(columns);
  }
  RowSink& rows() {
    return format_ == TrajectoryFormat::csv ? static_cast<RowSink&>(csv_) : record_;
  }
  /// A CSV file gets its sidecar, too: `metadata` without columns and file.
  void finish(const Simulation& simulation, ResultMetadata metadata) {
    if (!begun_) return;  // the run failed at its start
    if (format_ == TrajectoryFormat::csv) {
      csv_.close();
      metadata.resultFile = path_;
      metadata.columns = columns_;
      writeTextFile(metadataPath(path_), formatMetadata(simulation, metadata));
    } else {
      record_.close();
    }
    if (std::rename(part().c_str(), path_.c_str()) != 0) throw cannotWrite(path_, errno);
    finished_ = true;
  }

 private:
  std::string part() const { return path_ + ".part"; }

  std::string path_;
  CsvWriter csv_;
  RunRecord record_;
  TrajectoryFormat format_;
  std::vector<Column> columns_;
  bool begun_ = false, finished_ = false;
};

/// Gives rows to the kept values, and those of trajectories to a file.
class SweepSink final : public RowSink {
 public:
  /// `trajectory`: null: none.
  SweepSink(const KeptValues& kept, std::unique_ptr<TrajectoryPart> trajectory)
      : reduced_(kept), trajectory_(std::move(trajectory)) {
    for (const StudyVariable& v : kept.variables()) variables_.push_back(v.name);
  }

  void begin(const std::vector<Column>& columns) override {
    reduced_.begin(columns);
    const auto isOurs = [&](const Column& c) {
      const std::string name = c.name.substr(0, c.name.find('['));
      return std::ranges::find(variables_, name) != variables_.end();
    };
    // The study's own come first.
    first_ = std::ranges::find_if_not(columns, isOurs) - columns.begin();
    if (trajectory_) trajectory_->begin({columns.begin() + first_, columns.end()});
  }
  void row(double time, std::span<const double> values) override {
    reduced_.row(time, values);
    if (trajectory_) trajectory_->rows().row(time, values.subspan(first_));
  }
  void event(const std::vector<std::string>& changed) override { reduced_.event(changed); }
  bool wantsGrid() const override { return trajectory_ || reduced_.wantsGrid(); }
  /// The trajectory is whole as far as it goes: it gets its name.
  void finish(const Simulation& simulation, ResultMetadata metadata) {
    if (trajectory_) trajectory_->finish(simulation, std::move(metadata));
  }
  const ReducedRun& reduced() const { return reduced_; }

 private:
  ReducedRun reduced_;
  std::vector<std::string> variables_;
  std::unique_ptr<TrajectoryPart> trajectory_;
  size_t first_ = 0;
};

constexpr std::uint64_t kFirstHash = 0xCBF29CE484222325ULL;

/// FNV-1a, 64 bits.
void mix(std::uint64_t& hash, const std::string& bytes) {
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3ULL;
  }
}

}  // namespace

std::uint64_t fingerprintOf(const std::vector<std::string>& files) {
  std::uint64_t hash = kFirstHash;
  for (const std::string& path : files) {
    std::ifstream file(path, std::ios::binary);
    mix(hash, {std::istreambuf_iterator<char>(file), {}});
  }
  return hash;
}

std::string recordPath(const std::string& folder, long run) {
  return fmt::format("{}/shards/{}.record", folder, run + 1);
}

SweepModel::SweepModel(const Study& study, const Plan& plan, const ModelOptions& model)
    : study_(study), plan_(plan), fingerprint_(kFirstHash), model_(readTree(model)) {
  tryOut();
  if (fromStandardInput_) return;
  fingerprint_ = fingerprintOf(files_);
}

StudyModel SweepModel::readTree(const ModelOptions& model) {
  ModelTree tree(study_.modelFile, model, warnings_);
  fromStandardInput_ = study_.modelFile == "-";
  mix(fingerprint_, tree.typed);
  return {study_, plan_, allTypes(), std::move(tree.root), std::move(tree.files)};
}

void SweepModel::tryOut() {
  Simulation nominal = model_.nominal();
  const ModelSource& source = nominal.source();
  refuseLibrary(source);
  warnings_.add(nominal.warnings());
  name_ = source.name;
  files_ = sourcesOf(source);
  model_.tryOut(nominal);
}

std::string SweepModel::trajectoryPath(long run) const {
  if (study_.trajectories.empty() || folder_.empty()) return "";
  if (study_.format == TrajectoryFormat::hdf5) return recordPath(folder_, run);
  return fmt::format("{}/trajectories/{}.csv", folder_, run + 1);
}

std::string SweepModel::header() const {
  std::string line = "\"run\"";
  for (const std::string& p : plan_.parameters()) line += "," + csvText(p);
  line += R"(,"status","reason","steps")";
  for (const std::string& r : model_.results()) line += "," + csvText(r);
  return line;
}

std::string SweepModel::lineStart(long run, const std::string& status,
                                  const std::string& reason) const {
  std::string line = std::to_string(run + 1);
  for (const std::string& v : plan_.values(run)) line += "," + csvValue(v);
  return line + "," + status + "," + (reason.empty() ? "" : csvText(reason)) + ",";
}

std::string SweepModel::lineOfFailure(long run, const std::string& status,
                                      const std::string& reason) const {
  return lineStart(run, status, reason) + std::string(model_.results().size(), ',');
}

SweptRun SweepModel::operator()(long run) const {
  const auto begun = std::chrono::steady_clock::now();
  SweptRun result;
  result.good = false;
  const auto failed = [&](const std::string& reason) {
    result.line = lineOfFailure(run, "failed", reason);
  };
  try {
    Simulation simulation = model_.load(run);
    const std::string path = trajectoryPath(run);
    SweepSink sink(study_.kept, path.empty()
                                    ? nullptr
                                    : std::make_unique<TrajectoryPart>(path, study_.format, run));
    std::string failure;
    try {
      simulation.run(sink, study_.settings);
    } catch (const SolverError& e) {
      failure = e.what();
    }
    const RunReport& report = simulation.report();
    const RunStatus status = !failure.empty() ? RunStatus{RunStatus::Kind::failed, failure}
                             : report.terminated.empty()
                                 ? RunStatus{RunStatus::Kind::completed, ""}
                                 : RunStatus{RunStatus::Kind::terminated, report.terminated};
    if (!path.empty()) {
      Diagnostics none;  // the settings have been checked
      const RunSettings settings =
          RunSettings::of(simulation.source().simulation, study_.settings, none);
      sink.finish(simulation, {status, settings, "", {}, report});
    }
    if (!failure.empty()) {
      result.line = lineStart(run, "failed", failure) + std::to_string(report.integrator.steps) +
                    std::string(model_.results().size(), ',');
    } else {
      result.line = lineStart(run, word(status.kind), status.message) +
                    std::to_string(report.integrator.steps);
      for (const std::optional<double>& x : model_.kept(simulation, sink.reduced()))
        result.line += x ? fmt::format(",{}", *x == 0 ? 0.0 : *x) : ",";
      result.good = true;
    }
  } catch (const ModelError& e) {
    failed(firstErrorOf(e));
  } catch (const std::bad_alloc&) {
    failed("not enough memory");
  } catch (const std::exception& e) {
    failed(e.what());
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return result;
}

}  // namespace cardan
