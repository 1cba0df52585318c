#include "apps/cardan/result_files.h"

#include <filesystem>

namespace cardan {
namespace {

/// Blanks behind the first sidecar, so that the last one finds its place where the disk is full.
constexpr size_t kReserve = 8192;

}  // namespace

ResultFiles::ResultFiles(const Simulation& simulation, const RunSettings& settings,
                         std::string path, std::string events)
    : simulation_(simulation),
      settings_(settings),
      path_(std::move(path)),
      events_(std::move(events)),
      csv_(path_) {}

void ResultFiles::begin(const std::vector<Column>& columns) {
  csv_.open();
  regular_ = csv_.isRegular();
  interruption_ = std::make_unique<Interruption>();
  if (hasSidecar()) {
    // Before the old rows go: from here on nothing says that what is in the file is complete.
    ResultMetadata data;
    data.status.kind = RunStatus::Kind::running;
    data.settings = settings_;
    data.resultFile = std::filesystem::path(path_).filename().string();
    data.columns = columns;
    std::string text = formatMetadata(simulation_, data);
    text.insert(text.size() - 1, kReserve, ' ');
    writeTextFile(metadataPath(path_), text);
  }
  begun_ = true;
  csv_.begin(columns);
}

void ResultFiles::end(const RunStatus& status, const RunReport& report) {
  ResultMetadata data;
  data.status = status;
  data.report = report;
  std::exception_ptr failure;
  try {
    csv_.close();
  } catch (const FileError& e) {
    failure = std::current_exception();
    if (status.kind != RunStatus::Kind::failed) {
      data.status = {RunStatus::Kind::failed, e.what()};
    }
  }
  data.report.rows = csv_.rows();
  if (hasSidecar()) writeLastMetadata(std::move(data));
  if (failure) std::rethrow_exception(failure);
  if (!events_.empty()) writeTextFile(events_, formatEvents(report));
}

void ResultFiles::writeLastMetadata(ResultMetadata data) {
  data.settings = settings_;
  data.resultFile = std::filesystem::path(path_).filename().string();
  data.columns = csv_.columns();
  try {
    writeTextFile(metadataPath(path_), formatMetadata(simulation_, data));
  } catch (const FileError&) {
    // A full disk may have room for a shorter one.
    data.report.eventRecords.clear();
    writeTextFile(metadataPath(path_), formatMetadata(simulation_, data));
  }
}

}  // namespace cardan
