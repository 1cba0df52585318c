#include "apps/cardan/program_files.h"

#include <array>

namespace cardan {
namespace {

namespace fs = std::filesystem;

/// The nearest folder above the program in which one of these is.
template <class Candidates>
fs::path above(const Candidates& candidates, const fs::path& inside) {
  std::error_code none;
  fs::path folder = fs::read_symlink("/proc/self/exe", none);
  while (folder.has_relative_path()) {
    folder = folder.parent_path();
    for (const char* candidate : candidates) {
      const fs::path p = folder / candidate;
      if (fs::exists(p / inside, none)) return p;
    }
  }
  return {};
}

}  // namespace

fs::path fileOfProgram(const std::string& name) {
  const fs::path inside = fs::path("cardan") / name;
  const fs::path folder = above(std::array{"lib", CARDAN_LIBDIR}, inside);
  return folder.empty() ? folder : folder / inside;
}

fs::path modelsOfProgram() {
  return above(std::array{"share/cardan/models", "models"}, "elementary/double_pendulum.yaml");
}

}  // namespace cardan
