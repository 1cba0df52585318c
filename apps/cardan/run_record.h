/// Records: the trajectories of a shard, one behind the other in a file that only grows.
#pragma once

#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/results/output_file.h"
#include "engine/results/rows.h"

namespace cardan {

/// The trajectory of one run, in a file of its own while the run is made.
class RunRecord final : public RowSink {
 public:
  /// `run`: from 0. The file is made by begin().
  RunRecord(std::string path, long run) : path_(std::move(path)), run_(run) {}

  void begin(const std::vector<Column>& columns) override;
  void row(double time, std::span<const double> values) override;
  /// The record is whole as far as the run came. Throws FileError.
  void close();

 private:
  void writeHead();

  std::string path_;
  std::ofstream file_;
  long run_, rows_ = 0;
  size_t columns_ = 0, textBytes_ = 0;
};

/// Where a record stands in a file of them, and what it holds.
struct RecordPlace {
  long run = 0;                ///< from 0
  long rows = 0, columns = 0;  ///< the first column is time
  std::string names, units;    ///< of the columns, each with a line end
  std::streamoff values = 0;   ///< of the rows, one behind the other
  std::streamoff end = 0;
};

/// Reads the whole records of a file; one that is cut short ends it. Returns the end of the last.
std::streamoff forEachRecord(const std::string& path,
                             const std::function<void(const RecordPlace&)>& f);

/// A file of records that is being written. One writer at a time.
class RecordFile {
 public:
  /// Keeps the whole records that are there. Throws FileError.
  explicit RecordFile(const std::string& path);
  /// Moves a record from its own file behind the others; none is there: nothing.
  void take(const std::string& path);
  void close() { file_.close(); }

 private:
  OutputFile file_;
};

}  // namespace cardan
