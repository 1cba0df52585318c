#include "engine/results/csv_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

namespace cardan {
namespace {

constexpr size_t kBufferBytes = 1 << 16;
constexpr std::chrono::seconds kLongestWait{1};  // of a row that is not yet written

/// A field in quotes; quotes inside are doubled.
void appendQuoted(std::string& out, const std::string& text) {
  out += '"';
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace

CsvWriter::~CsvWriter() {
  try {
    close();
  } catch (const FileError&) {  // an error is on its way already
  }
}

void CsvWriter::open() {
  if (!file_) file_ = std::make_unique<OutputFile>(path_, "the result to ");
}

void CsvWriter::begin(const std::vector<Column>& columns) {
  open();
  file_->clear();
  columns_ = columns;
  rows_ = 0;
  failed_ = false;
  buffer_.clear();
  appendQuoted(buffer_, "time");
  for (const Column& c : columns_) {
    buffer_ += ',';
    appendQuoted(buffer_, c.name);
  }
  buffer_ += '\n';
  flush();
}

void CsvWriter::row(double time, std::span<const double> values) {
  append(time);
  for (double x : values) {
    buffer_ += ',';
    append(x);
  }
  buffer_ += '\n';
  ++rows_;
  if (buffer_.size() >= kBufferBytes) {
    flush();
  } else {
    flushIfDue();
  }
}

void CsvWriter::flushIfDue() {
  if (!buffer_.empty() && Clock::now() - flushed_ >= kLongestWait) flush();
}

void CsvWriter::close() {
  if (!file_) return;
  if (!failed_) flush();
  file_->close();
  file_.reset();
}

void CsvWriter::append(double x) {
  fmt::format_to(std::back_inserter(buffer_), "{}", x == 0 ? 0.0 : x);  // no -0
}

void CsvWriter::flush() {
  const size_t kept = file_->append(buffer_);
  const int why = errno;
  if (kept < buffer_.size()) {
    failed_ = true;
    rows_ -= std::count(buffer_.begin() + kept, buffer_.end(), '\n');
    rows_ = std::max(0L, rows_);  // the header is none
  }
  buffer_.clear();
  flushed_ = Clock::now();
  if (failed_) throw file_->error(why);
}

}  // namespace cardan
