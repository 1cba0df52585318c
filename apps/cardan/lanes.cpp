#include "apps/cardan/lanes.h"

#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <string>

#include "frames/dual.h"

namespace cardan {
namespace {

namespace fs = std::filesystem;

struct Width {
  int lanes;
  const char* architecture;  ///< as the compiler calls it, and the folder of its program
  bool (*here)();
};

#if defined(__x86_64__) && defined(__GNUC__)
#define CARDAN_SUPPORTS(architecture) (__builtin_cpu_supports(architecture) != 0)
#else
#define CARDAN_SUPPORTS(architecture) false
#endif
constexpr std::array<Width, 2> kWidths{
    {{8, "x86-64-v4", [] { return CARDAN_SUPPORTS("x86-64-v4"); }},
     {4, "x86-64-v3", [] { return CARDAN_SUPPORTS("x86-64-v3"); }}}};
#undef CARDAN_SUPPORTS

/// The value of `--lanes` before the first other word, or null.
const char* askedFor(int argc, char** argv) {
  const size_t length = std::strlen(kLanesOption);
  for (int i = 1; i < argc && argv[i][0] == '-'; ++i) {
    if (std::strncmp(argv[i], kLanesOption, length) != 0) continue;
    if (argv[i][length] == '=') return argv[i] + length + 1;
    if (argv[i][length] == '\0' && i + 1 < argc) return argv[i + 1];
  }
  return nullptr;
}

/// The program for an architecture beside this one: installed, or in the build.
fs::path programFor(const char* architecture) {
  std::error_code none;
  const fs::path self = fs::read_symlink("/proc/self/exe", none);
  if (none) return {};
  const fs::path above = self.parent_path().parent_path();
  for (const fs::path& p : {above / "libexec" / "cardan" / architecture / "cardan",
                            above / "widths" / architecture / "bin" / "cardan"}) {
    if (fs::exists(p, none)) return p;
  }
  return {};
}

}  // namespace

std::string becomeProgramFor(int argc, char** argv) {
  const char* asked = askedFor(argc, argv);
  const std::string wanted = asked ? asked : "";
  if (wanted == std::to_string(kLanes)) return "";
  bool known = false;
  std::string possible = std::to_string(kLanes);
  for (const Width& w : kWidths) {
    if (w.lanes <= kLanes) continue;
    const fs::path program = programFor(w.architecture);
    if (program.empty() || !w.here()) continue;
    possible += ", " + std::to_string(w.lanes);
    known = known || wanted == std::to_string(w.lanes);
    if (asked && wanted != std::to_string(w.lanes)) continue;
    execv(program.c_str(), argv);  // returns only if it fails
  }
  if (!asked || known) return "";
  return std::string(kLanesOption) +
         " must be one of those that this program has here: " + possible + "; found '" + wanted +
         "'";
}

}  // namespace cardan
