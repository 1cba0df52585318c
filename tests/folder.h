/// A folder of files that goes with the test.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace test {

inline std::string readFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A folder with a name that no other process has, gone at the end with all that is in it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "cardan_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no folder " + name);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  /// Path of the file `name`, which now has this text; folders in its name are made.
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return *this / name;
  }
  std::string read(const std::string& name) const { return readFile(path_ / name); }
  bool has(const std::string& name) const { return std::filesystem::exists(path_ / name); }
  /// `text` with the paths of files in here shortened to their names.
  std::string shortened(std::string text) const {
    const std::string mine = *this / "";
    for (size_t at; (at = text.find(mine)) != std::string::npos;) text.erase(at, mine.size());
    return text;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace test
