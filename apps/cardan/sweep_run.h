/// SweepModel: the model of a study, read once and run many times.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/cardan/model_options.h"
#include "engine/study/study_model.h"

namespace cardan {

/// What a run leaves: its line of the index (without line end), and whether it is good.
struct SweptRun {
  std::string line;
  bool good = true;  ///< completed, or ended by the model
  double seconds = 0;
};

/// Of what files hold.
std::uint64_t fingerprintOf(const std::vector<std::string>& files);

/// Where a run leaves its record until its shard takes it, `run` from 0.
std::string recordPath(const std::string& folder, long run);

/// Each run loads the model's tree with its own parameters; the file is read and parsed once.
class SweepModel {
 public:
  /// Reads the model of the study and tries it without varying anything. Throws ModelError with all
  /// that is wrong: in the model, in the kept values, in the names of parameters. `study` and
  /// `plan` outlive it.
  SweepModel(const Study& study, const Plan& plan, const ModelOptions& model);

  /// Trajectories, if the study wants them, go to FOLDER from now on: CSV files to trajectories/,
  /// or records.
  void writeTrajectoriesTo(const std::string& folder) { folder_ = folder; }

  /// Run `run`, from 0. Whatever goes wrong is told in its line.
  SweptRun operator()(long run) const;
  /// The line of a run that has left none.
  std::string lineOfFailure(long run, const std::string& status, const std::string& reason) const;
  /// Header of the index.
  std::string header() const;

  const std::string& name() const { return name_; }
  const std::vector<std::string>& files() const { return files_; }
  /// Of what the files of the model hold.
  std::uint64_t fingerprint() const { return fingerprint_; }
  const Diagnostics& warnings() const { return warnings_; }

 private:
  StudyModel readTree(const ModelOptions& model);
  void tryOut();
  std::string trajectoryPath(long run) const;
  std::string lineStart(long run, const std::string& status, const std::string& reason) const;

  const Study& study_;
  const Plan& plan_;
  std::string folder_;
  std::uint64_t fingerprint_ = 0;
  Diagnostics warnings_;
  bool fromStandardInput_ = false;
  StudyModel model_;
  std::vector<std::string> files_;  ///< all that were read
  std::string name_;
};

}  // namespace cardan
