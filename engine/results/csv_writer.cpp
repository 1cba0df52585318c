#include "engine/results/csv_writer.h"

#include "engine/results/coarse_clock.h"
#include "engine/text/escaped.h"

#include <fmt/compile.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace cardan {
namespace {

constexpr size_t kBufferBytes = 1 << 16;
constexpr std::chrono::seconds kLongestWait{1};  // of a row that is not yet written
constexpr size_t kWidest = 32;                   // characters of a number and what parts it

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
  last_.assign(columns.size(), {});
  rows_ = 0;
  failed_ = false;
  std::string header = csvText("time");
  for (const Column& c : columns_) header += "," + csvText(c.name);
  header += '\n';
  // Not set to anything: a short run writes on little of it.
  buffer_ = std::make_unique_for_overwrite<char[]>(
      std::max(header.size(), kBufferBytes + kWidest * (columns_.size() + 2)));
  used_ = header.copy(buffer_.get(), header.size());
  flush();
}

void CsvWriter::row(double time, std::span<const double> values) {
  char* end = fmt::format_to(buffer_.get() + used_, FMT_COMPILE("{}"), time + 0.0);  // no -0
  for (size_t i = 0; i < values.size(); ++i) {
    *end++ = ',';
    end = write(end, values[i], last_[i]);
  }
  *end++ = '\n';
  used_ = end - buffer_.get();
  ++rows_;
  if (used_ >= kBufferBytes) {
    flush();
  } else {
    flushIfDue();
  }
}

void CsvWriter::flushIfDue() {
  if (used_ > 0 && CoarseClock::now().time_since_epoch() - flushed_ >= kLongestWait) flush();
}

void CsvWriter::close() {
  if (!file_) return;
  if (!failed_) flush();
  file_->close();
  file_.reset();
}

/// The shortest decimal that reads back as x, without a sign of zero, to where there is room for
/// kWidest characters. Returns its end.
char* CsvWriter::write(char* to, double x, Written& last) {
  static_assert(sizeof last.text <= kWidest);
  if (x != last.value) {
    last.value = x;
    last.length = fmt::format_to(last.text, FMT_COMPILE("{}"), x == 0 ? 0.0 : x) - last.text;
  }
  std::memcpy(to, last.text, sizeof last.text);
  return to + last.length;
}

void CsvWriter::flush() {
  const size_t kept = file_->append({buffer_.get(), used_});
  const int why = errno;
  if (kept < used_) {
    failed_ = true;
    rows_ -= std::count(buffer_.get() + kept, buffer_.get() + used_, '\n');
    rows_ = std::max(0L, rows_);  // the header is none
  }
  used_ = 0;
  flushed_ = CoarseClock::now().time_since_epoch();
  if (failed_) throw file_->error(why);
}

}  // namespace cardan
