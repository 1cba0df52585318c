#include "apps/cosimulation/program_files.h"

#include <dlfcn.h>

#include <array>

namespace cardan {
namespace {

namespace fs = std::filesystem;

/// The nearest folder above a file in which one of these is.
template <class Candidates>
fs::path above(fs::path folder, const Candidates& candidates, const fs::path& inside) {
  std::error_code none;
  while (folder.has_relative_path()) {
    folder = folder.parent_path();
    for (const char* candidate : candidates) {
      const fs::path p = folder / candidate;
      if (fs::exists(p / inside, none)) return p;
    }
  }
  return {};
}

fs::path program() {
  std::error_code none;
  return fs::read_symlink("/proc/self/exe", none);
}

/// The file that this code was loaded from; empty where nobody knows.
fs::path thisLibrary() {
  Dl_info info{};
  std::error_code none;
  if (::dladdr(reinterpret_cast<const void*>(&thisLibrary), &info) == 0 || !info.dli_fname)
    return {};
  return fs::canonical(info.dli_fname, none);
}

}  // namespace

fs::path fileOfProgram(const std::string& name) {
  const fs::path inside = fs::path("cardan") / name;
  const std::array folders{"lib", CARDAN_LIBDIR};
  for (const fs::path& from : {program(), thisLibrary()}) {
    const fs::path folder = above(from, folders, inside);
    if (!folder.empty()) return folder / inside;
  }
  const fs::path installed = fs::path(CARDAN_FULL_LIBDIR) / inside;
  std::error_code none;
  return fs::exists(installed, none) ? installed : fs::path();
}

fs::path modelsOfProgram() {
  return above(program(), std::array{"share/cardan/models", "models"},
               "elementary/double_pendulum.yaml");
}

}  // namespace cardan
