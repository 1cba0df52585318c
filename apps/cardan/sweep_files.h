/// SweepFolder: what a study leaves behind: lines of runs as they end, and the index of all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/cardan/run_record.h"
#include "apps/cardan/sweep_run.h"
#include "apps/cardan/sweep_shard.h"
#include "engine/results/output_file.h"

namespace cardan {

/// How many runs have which end.
struct SweepCounts {
  long runs = 0;  ///< of the study, or of the shard
  long completed = 0, terminated = 0, failed = 0;

  long ended() const { return completed + terminated + failed; }
  void count(const std::string& status);
};

/// Files in the folder:
///   study.json         what is run; another study in the same folder is refused
///   shards/K-of-N.csv  a line for each run of the shard that has ended, in the order of their ends
///   index.csv          a line a run, in the order of their numbers
///   timing.csv         seconds and host of each run
///   trajectories/      RUN.csv; or K-of-N.h5, which begins as shards/K-of-N.records, and
///                      trajectories.h5 beside the folder, with links to the runs of all
/// Once the index has all runs, shards/ is gone.
class SweepFolder {
 public:
  explicit SweepFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string indexPath() const { return path_ + "/index.csv"; }

  /// Makes the folder and its study.json, or compares with the one that is there. Throws ModelError
  /// where it holds another study; or this one, and it is not to be resumed.
  void open(const std::string& studyJson, const Study& study, const Shard& shard, bool resume);
  /// The study is finished: its index has all runs.
  bool isFinished() const;
  /// By number from 0: runs whose line is there, in whatever shard; their ends go to `counts`, of
  /// those of `shard`.
  std::vector<bool> ended(long runs, const Shard& shard, SweepCounts& counts) const;

  /// Opens the lines of a shard, and its records where the study wants HDF5; what is whole of them
  /// stays. `header`: of the index.
  void begin(const Shard& shard, const std::string& header);
  /// Adds a run that has ended, `number` from 0: its record, then its line; both are in their files
  /// when this returns.
  void add(long number, const SweptRun& run);
  /// In a process that does not write: the files are not kept from being taken by others.
  void forget();
  void end();
  /// Makes the HDF5 file of a shard that has all its runs.
  void finishTrajectories(const Shard& shard) const;

  /// Writes index.csv and timing.csv of all lines that are there, and HDF5 files of all records; if
  /// that are all, the shards go.
  /// Throws ModelError where the folder holds no study.
  SweepCounts merge() const;

 private:
  std::string shardsPath() const { return path_ + "/shards"; }
  std::string shardPath(const Shard& shard, const char* extension) const;
  std::vector<std::string> shardFiles() const;
  void collectTrajectories(const std::string& shard, long runs) const;
  void mergeTrajectories(long runs) const;
  long runsOfStudy() const;

  std::string path_, host_;
  std::unique_ptr<OutputFile> lines_;
  std::unique_ptr<RecordFile> records_;
  bool inRecords_ = false;  ///< the study wants HDF5
};

/// The study as JSON: how it is told from another one.
std::string formatStudy(const Study& study, const Plan& plan, const SweepModel& model);

}  // namespace cardan
