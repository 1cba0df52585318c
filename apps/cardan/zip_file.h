/// ZipFile: a zip file, written by libzip, which is loaded when it is wanted.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cardan {

/// Files by their names in it. Of the same files the same bytes come about.
class ZipFile {
 public:
  /// "" where zip files can be written; else what is missing.
  static std::string whyNone();

  void add(std::string name, std::string content) {
    files_.emplace_back(std::move(name), std::move(content));
  }
  /// Replaces the file as a whole. Throws FileError.
  void write(const std::string& path) const;

 private:
  std::vector<std::pair<std::string, std::string>> files_;
};

}  // namespace cardan
