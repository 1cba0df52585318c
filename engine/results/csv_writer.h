/// CsvWriter: a result as a CSV file, row by row as it comes.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "engine/results/output_file.h"
#include "engine/results/rows.h"

namespace cardan {

/// Header `"time","revolute1.phi",...`; then one line a row, every number the shortest decimal that
/// reads back as the same double, Booleans as 0 and 1. The file holds whole rows only, none older
/// than a second waits to be written, and what was written stays when a run fails.
class CsvWriter final : public RowSink {
 public:
  /// "-" is standard output. The file is opened by open() or begin().
  explicit CsvWriter(std::string path) : path_(std::move(path)) {}
  ~CsvWriter() override;
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  // All of these throw FileError.
  /// Takes the file for this run; an older result in it stays until begin().
  void open();
  void begin(const std::vector<Column>& columns) override;
  void row(double time, std::span<const double> values) override;
  /// Writes the rows that have waited for a second.
  void flushIfDue();
  /// Writes what is left. To be called at the end; the destructor does it silently.
  void close();

  /// After open(): a file that keeps what is written, no pipe or device.
  bool isRegular() const { return file_ && file_->isRegular(); }
  const std::vector<Column>& columns() const { return columns_; }
  /// Those in the file and those that wait; where writing has failed, those in the file.
  long rows() const { return rows_; }

 private:
  /// A number as it was last written in its column: many stay.
  struct Written {
    double value = 0;
    int length = 1;
    char text[28] = {'0'};
  };

  static char* write(char* to, double x, Written& last);
  void flush();

  std::string path_;
  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<char[]> buffer_;  ///< its first used_ characters are text
  size_t used_ = 0;
  std::vector<Written> last_;                      ///< per column
  std::chrono::steady_clock::duration flushed_{};  ///< a CoarseClock's time
  std::vector<Column> columns_;
  long rows_ = 0;
  bool failed_ = false;
};

}  // namespace cardan
