/// Zip files, written and read by libzip, which is loaded when it is wanted.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cardan {

/// A zip file to be written: files by their names in it. Of the same files the same bytes come about.
class ZipFile {
 public:
  /// "" where zip files can be written and read; else what is missing.
  static std::string whyNone();

  void add(std::string name, std::string content) {
    files_.emplace_back(std::move(name), std::move(content));
  }
  /// Replaces the file as a whole. Throws FileError.
  void write(const std::string& path) const;

 private:
  std::vector<std::pair<std::string, std::string>> files_;
};

/// One that is there.
class ZipArchive {
 public:
  /// Throws FileError where it is none, or libzip is not here.
  explicit ZipArchive(const std::string& path);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  struct Entry {
    std::string name;
    std::uint64_t size = 0;  ///< [bytes]  as the file says
    bool isLink = false;     ///< or anything else that is neither file nor folder
  };
  const std::vector<Entry>& entries() const { return entries_; }
  /// Hands on what entry `i` holds, piece by piece. Throws FileError where that is broken or more than it says.
  void read(std::size_t i, const std::function<void(std::string_view)>& take) const;

 private:
  std::string path_;
  void* zip_ = nullptr;
  std::vector<Entry> entries_;
};

}  // namespace cardan
