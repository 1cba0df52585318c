#include "engine/results/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace cardan {
namespace {

constexpr mode_t kMode = 0666;  // less what the user's mask takes

/// Returns how much was written; less than all: errno says why.
size_t writeAll(int file, std::string_view text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = ENOSPC;
    if (n <= 0) break;
    done += n;
  }
  return done;
}

/// Where a link leads; the path itself where there is nothing yet.
std::string target(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

/// Writes `text` over what is there. Returns errno, 0 where all is well.
int overwrite(const std::string& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kMode);
  if (file < 0) return errno;
  int error = writeAll(file, text) == text.size() ? 0 : errno;
  struct stat now {};
  if (error == 0 && ::fstat(file, &now) == 0 && S_ISREG(now.st_mode) &&
      ::ftruncate(file, static_cast<off_t>(text.size())) != 0) {
    error = errno;
  }
  if (::close(file) != 0 && error == 0) error = errno;
  return error;
}

enum class Replaced { yes, noPlaceBeside, notWritten };

/// Writes a file beside `path` and gives it that name; else nothing has changed, and errno says why the text
/// was not written.
Replaced replace(const std::string& path, const std::string& text) {
  struct stat old {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && (!S_ISREG(old.st_mode) || old.st_nlink > 1 || ::access(path.c_str(), W_OK) != 0)) {
    return Replaced::noPlaceBeside;  // a device, a file of two names, a file that is protected
  }
  const std::filesystem::path whole(path);
  const std::string beside =
      (whole.parent_path() / ("." + whole.filename().string() + "." + std::to_string(::getpid())))
          .string();
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
  if (file < 0) return Replaced::noPlaceBeside;
  bool good = writeAll(file, text) == text.size();
  int why = errno;
  if (exists) good = ::fchmod(file, old.st_mode & 07777) == 0 && good;
  if (::close(file) != 0 && good) good = false, why = errno;
  if (good && std::rename(beside.c_str(), path.c_str()) != 0) good = false, why = errno;
  if (!good) ::unlink(beside.c_str());
  errno = why;
  return good ? Replaced::yes : Replaced::notWritten;
}

}  // namespace

FileError OutputFile::error(int error) const { return cannotWrite(path_, error, content_); }

OutputFile::OutputFile(std::string path, std::string content)
    : path_(std::move(path)), content_(std::move(content)) {
  if (path_ == "-") {
    file_ = STDOUT_FILENO;
    return;
  }
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kMode);
  if (file_ < 0) throw error(errno);
  struct stat now {};
  regular_ = ::fstat(file_, &now) == 0 && S_ISREG(now.st_mode);
  // Not every file system knows locks: only a lock that another one holds is a reason to stop.
  if (regular_ && ::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(file_);
    file_ = -1;
    throw FileError("cannot write " + content_ + "'" + path_ + "': another run is writing it",
                    EWOULDBLOCK);
  }
}

OutputFile::~OutputFile() {
  if (file_ >= 0 && path_ != "-") ::close(file_);
}

void OutputFile::keep(size_t size) {
  if (regular_ && (::ftruncate(file_, static_cast<off_t>(size)) != 0 ||
                   ::lseek(file_, static_cast<off_t>(size), SEEK_SET) < 0)) {
    throw error(errno);
  }
  size_ = size;
}

size_t OutputFile::append(std::string_view lines) {
  size_t kept = writeAll(file_, lines);
  const int why = errno;
  if (kept < lines.size() && regular_) {
    const size_t line = kept == 0 ? lines.npos : lines.rfind('\n', kept - 1);
    kept = line == lines.npos ? 0 : line + 1;
    // What cannot be taken back stays: the error is told all the same.
    if (::ftruncate(file_, static_cast<off_t>(size_ + kept)) == 0) {
      ::lseek(file_, static_cast<off_t>(size_ + kept), SEEK_SET);
    }
  }
  size_ += kept;
  errno = why;
  return kept;
}

void OutputFile::close() {
  if (file_ < 0) return;
  const int file = file_;
  file_ = -1;
  if (path_ != "-" && ::close(file) != 0) throw error(errno);
}

FileError cannotWrite(const std::string& path, int error, const std::string& content) {
  const std::string what = path == "-" ? "standard output" : "'" + path + "'";
  return {"cannot write " + content + what +
              (error != 0 ? std::string(": ") + std::strerror(error) : ""),
          error};
}

void writeTextFile(const std::string& path, const std::string& text) {
  const std::string real = target(path);
  if (replace(real, text) == Replaced::yes) return;
  if (const int why = overwrite(real, text); why != 0) throw cannotWrite(path, why);
}

void saveTextFile(const std::string& path, const std::string& text) {
  const std::string real = target(path);
  const Replaced replaced = replace(real, text);
  if (replaced == Replaced::notWritten) throw cannotWrite(path, errno);
  if (replaced == Replaced::yes) return;
  if (const int why = overwrite(real, text); why != 0) throw cannotWrite(path, why);
}

}  // namespace cardan
