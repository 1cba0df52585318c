#include "engine/csv_writer.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>

namespace cardan {
namespace {

constexpr size_t kBufferBytes = 1 << 16;

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

void CsvWriter::begin(const std::vector<Column>& columns) {
  columns_ = columns;
  rows_ = 0;
  errno = 0;
  file_ = path_ == "-" ? stdout : std::fopen(path_.c_str(), "wb");
  if (!file_) fail(errno);
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
  if (buffer_.size() >= kBufferBytes) flush();
}

void CsvWriter::close() {
  if (!file_) return;
  std::FILE* file = file_;
  try {
    flush();
  } catch (...) {
    file_ = nullptr;
    if (file != stdout) std::fclose(file);
    throw;
  }
  file_ = nullptr;
  errno = 0;
  if (file != stdout && std::fclose(file) != 0) fail(errno);
}

void CsvWriter::append(double x) {
  fmt::format_to(std::back_inserter(buffer_), "{}", x == 0 ? 0.0 : x);  // no -0
}

void CsvWriter::flush() {
  errno = 0;
  const size_t written = std::fwrite(buffer_.data(), 1, buffer_.size(), file_);
  const bool good = written == buffer_.size() && std::fflush(file_) == 0;
  buffer_.clear();
  if (!good) fail(errno);
}

void CsvWriter::fail(int error) const {
  const std::string what = path_ == "-" ? "standard output" : "'" + path_ + "'";
  throw FileError("cannot write the result to " + what +
                  (error != 0 ? std::string(": ") + std::strerror(error) : ""));
}

void writeTextFile(const std::string& path, const std::string& text) {
  errno = 0;
  std::FILE* file = std::fopen(path.c_str(), "wb");
  bool good = file != nullptr;
  if (file) {
    good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    good = std::fclose(file) == 0 && good;
  }
  if (!good) {
    throw FileError("cannot write '" + path + "'" +
                    (errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
  }
}

}  // namespace cardan
