/// ScratchFolder: a folder for a while, which nobody else can look into.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "engine/results/output_file.h"

namespace cardan {

class ScratchFolder {
 public:
  /// Throws FileError.
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "cardan_XXXXXX").string();
    if (!::mkdtemp(name.data())) {
      const int error = errno;
      throw FileError("cannot make a folder '" + name + "': " + std::strerror(error), error);
    }
    path_ = std::filesystem::canonical(name);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace cardan
