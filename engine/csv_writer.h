/// CsvWriter: a result as a CSV file, row by row as it comes.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/simulation.h"

namespace cardan {

/// A file cannot be written: which, and why.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Header `"time","revolute1.phi",...`; then one line a row, every number the shortest decimal that
/// reads back as the same double, Booleans as 0 and 1. What was written stays when a run fails.
class CsvWriter final : public RowSink {
 public:
  /// "-" is standard output. The file is opened, and an older one lost, by begin().
  explicit CsvWriter(std::string path) : path_(std::move(path)) {}
  ~CsvWriter() override;
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  // All three throw FileError.
  void begin(const std::vector<Column>& columns) override;
  void row(double time, std::span<const double> values) override;
  /// Writes what is left. To be called at the end; the destructor does it silently.
  void close();

  const std::vector<Column>& columns() const { return columns_; }
  long rows() const { return rows_; }

 private:
  void append(double x);
  void flush();
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::FILE* file_ = nullptr;
  std::string buffer_;
  std::vector<Column> columns_;
  long rows_ = 0;
};

/// Writes a whole text file; throws FileError.
void writeTextFile(const std::string& path, const std::string& text);

}  // namespace cardan
