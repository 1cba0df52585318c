/// OutputFile: a file that grows by whole pieces; and whole files that are replaced at once.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace cardan {

/// A file cannot be written: which, and why.
class FileError : public std::runtime_error {
 public:
  FileError(const std::string& what, int error) : std::runtime_error(what), error_(error) {}
  int error() const { return error_; }  ///< errno, 0 where there is none

 private:
  int error_;
};

/// One writer at a time: while it is open, another one on the same file is refused.
class OutputFile {
 public:
  /// "-" is standard output. Opens the file, and creates it where there is none; what it holds
  /// stays until clear(). Throws FileError, also where another process is writing it. `content`:
  /// "the result to ", for messages.
  explicit OutputFile(std::string path, std::string content = "");
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Empties it.
  void clear() { keep(0); }
  /// Keeps its first `size` characters: append() goes on behind them.
  void keep(size_t size);
  /// Appends lines. Where that fails, the lines that fit are kept whole: a cut one is taken back.
  /// Returns how many characters are kept; less than all: errno says why.
  size_t append(std::string_view lines);
  /// Throws FileError where the system has kept an error until now.
  void close();

  /// A file on a disk: neither a pipe nor a device nor standard output.
  bool isRegular() const { return regular_; }

  /// "cannot write the result to 'PATH': No space left on device"
  FileError error(int error) const;

 private:
  std::string path_, content_;
  int file_ = -1;
  bool regular_ = false;
  size_t size_ = 0;
};

/// "cannot write CONTENT'PATH': No space left on device"; "-" is standard output.
FileError cannotWrite(const std::string& path, int error, const std::string& content = "");

/// Replaces a whole file, or creates it: a reader sees the old one or the new one, never a part.
/// Where no file can be made beside it, or has no room there, it is overwritten in place: what is new counts
/// more than what is old. Throws FileError.
void writeTextFile(const std::string& path, const std::string& text);
/// The same for what a user has written: where the new text has no room, the old one stays.
void saveTextFile(const std::string& path, const std::string& text);

}  // namespace cardan
