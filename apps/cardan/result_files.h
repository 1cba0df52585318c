/// ResultFiles: what a run leaves behind: the rows, the sidecar that says how it ended, the events.
#pragma once

#include <memory>
#include <string>

#include "apps/cardan/interruption.h"
#include "engine/result_metadata.h"
#include "engine/results/csv_writer.h"

namespace cardan {

/// Takes the rows of a run. From the first one on the sidecar says "running", and the signals that
/// end a program only end the run; end() writes how it ended. A process that is killed leaves the
/// rows so far and "running".
class ResultFiles final : public RowSink {
 public:
  /// `path`: "-" is standard output, which has no sidecar; nor has a pipe or a device.
  /// `events`: where the events go, "" for nowhere.
  ResultFiles(const Simulation& simulation, const RunSettings& settings, std::string path,
              std::string events);

  // These throw FileError.
  void begin(const std::vector<Column>& columns) override;
  void row(double time, std::span<const double> values) override { csv_.row(time, values); }
  /// To be called now and then: rows do not wait for long.
  void flushIfDue() { csv_.flushIfDue(); }
  /// Writes what is left, how the run ended, and the events. Where the rows cannot be written, the
  /// sidecar says so.
  void end(const RunStatus& status, const RunReport& report);

  /// Something has been written.
  bool begun() const { return begun_; }
  /// The wish to stop; null before begin(), when there is nothing to keep.
  const Interruption* interruption() const { return interruption_.get(); }
  /// In the file.
  long rows() const { return csv_.rows(); }

 private:
  bool hasSidecar() const { return path_ != "-" && regular_; }
  void writeLastMetadata(ResultMetadata data);

  const Simulation& simulation_;
  RunSettings settings_;
  std::string path_, events_;
  CsvWriter csv_;
  bool regular_ = false, begun_ = false;
  std::unique_ptr<Interruption> interruption_;
};

}  // namespace cardan
