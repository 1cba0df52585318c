/// Folder: the files that a studio may read and write: those below one folder, whatever a page asks for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cardan::studio {

class Folder {
 public:
  static constexpr size_t kMostFiles = 2000;          ///< in a list
  static constexpr uintmax_t kMostBytes = 16U << 20;  ///< of a file

  explicit Folder(const std::filesystem::path& root) : root_(std::filesystem::canonical(root)) {}

  const std::filesystem::path& root() const { return root_; }
  /// The file of a name such as "loops/fourbar.yaml", which need not be there. Throws std::runtime_error where
  /// the name goes out of the folder, also by a link, is hidden, or is none of a file.
  std::filesystem::path file(const std::string& name) const;
  /// Names of the files that a studio can open, and their folders, in order.
  std::vector<std::string> names() const;

  /// Throws std::runtime_error where it cannot be read, or is no text.
  std::string read(const std::string& name) const;
  /// Nothing where there is no such file.
  std::optional<std::string> readIfThere(const std::string& name) const;
  /// Tells two contents apart.
  static std::string stampOf(const std::string& content);

  /// True of files that are models, or are read by them.
  static bool isShown(const std::filesystem::path& name);

 private:
  std::filesystem::path root_;
};

}  // namespace cardan::studio
