/// One spelling of the path of a file.
#pragma once

#include <filesystem>
#include <string>

namespace cardan {

/// The same for all paths to one file; of one that is not there, too.
inline std::string oneSpelling(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(path, ignored);
  return whole.empty() ? path : whole.string();
}

}  // namespace cardan
