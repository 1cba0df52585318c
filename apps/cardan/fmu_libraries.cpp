#include "apps/cardan/fmu_libraries.h"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

#include "apps/cardan/console.h"
#include "apps/cosimulation/program_files.h"
#include "engine/text/file_text.h"

namespace cardan {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 8> kOfEveryLinux{
    "libc.", "libm.", "libstdc++.", "libgcc_s.", "ld-linux", "libpthread.", "libdl.", "librt."};

struct Licence {
  std::string_view begin;  ///< of the library's name
  const char* text;
};
constexpr std::array<Licence, 8> kLicences{{
    {"libklu.", "KLU, LGPL-2.1-or-later"},
    {"libbtf.", "BTF, LGPL-2.1-or-later"},
    {"libamd.", "AMD, BSD-3-Clause"},
    {"libcolamd.", "COLAMD, BSD-3-Clause"},
    {"libsuitesparseconfig.", "SuiteSparse_config, BSD-3-Clause"},
    {"libsundials_", "SUNDIALS, BSD-3-Clause"},
    {"libyaml-cpp.", "yaml-cpp, MIT"},
    {"libfmt.", "fmt, MIT"},
}};

fs::path runtimePath() {
  const fs::path path = fileOfProgram("cardan_fmu.so");
  if (path.empty())
    refuse("the library of all FMUs, lib/cardan/cardan_fmu.so, is not beside this program");
  return path;
}

/// Names of the libraries that a loaded one asks for.
std::vector<std::string> neededBy(const link_map& library) {
  const char* strings = nullptr;
  for (const ElfW(Dyn)* d = library.l_ld; d->d_tag != DT_NULL; ++d) {
    if (d->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(d->d_un.d_ptr);
  }
  std::vector<std::string> names;
  for (const ElfW(Dyn)* d = library.l_ld; strings && d->d_tag != DT_NULL; ++d) {
    if (d->d_tag == DT_NEEDED) names.emplace_back(strings + d->d_un.d_val);
  }
  return names;
}

/// "libsundials_ida.so.6" -> "libsundials-ida6", Debian's package.
std::string packageOf(const std::string& library) {
  const size_t so = library.find(".so.");
  if (so == std::string::npos) return library;
  std::string name = library.substr(0, so);
  for (char& c : name) c = c == '_' ? '-' : c;
  return name + library.substr(so + 4);
}

}  // namespace

FmuLibraries FmuLibraries::find() {
  FmuLibraries libraries;
  const fs::path runtime = runtimePath();
  libraries.runtime = runtime.string();
  Diagnostics ignored;
  libraries.processor =
      readFileText((runtime.parent_path() / "processor.txt").string(), 1000, "file", ignored)
          .value_or("unknown");
  // The loader knows what it needs and where that is.
  void* handle = dlopen(libraries.runtime.c_str(), RTLD_NOW | RTLD_LOCAL);
  link_map* own = nullptr;
  if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&own)) != 0 || !own)
    refuse(std::string("the library of all FMUs cannot be loaded: ") + dlerror());
  std::map<std::string, const link_map*> loaded;
  const link_map* first = own;
  while (first->l_prev) first = first->l_prev;
  for (const link_map* l = first; l; l = l->l_next)
    loaded.emplace(fs::path(l->l_name).filename().string(), l);
  std::vector<std::string> open = neededBy(*own);
  std::set<std::string> seen;
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    bool isEverywhere = false;
    for (const std::string_view begin : kOfEveryLinux)
      isEverywhere = isEverywhere || name.starts_with(begin);
    if (isEverywhere || !seen.insert(name).second) continue;
    const auto at = loaded.find(name);
    if (at == loaded.end()) refuse("the library " + name + " of every FMU is not here");
    libraries.needed.push_back({name, at->second->l_name});
    for (std::string& more : neededBy(*at->second)) open.push_back(std::move(more));
  }
  return libraries;
}

std::string FmuLibraries::licences() const {
  std::string text =
      "This FMU is made of a model, whose licence is its author's, and of these libraries:\n\n"
      "  the FMU's own     Cardan, BSD-3-Clause (cardan.txt); compiled into it: Eigen, MPL-2.0\n"
      "                    (https://eigen.tuxfamily.org), nlohmann/json, MIT\n";
  for (const File& f : needed) {
    const char* licence = "see the file of its name";
    for (const Licence& l : kLicences) {
      if (f.name.starts_with(l.begin)) licence = l.text;
    }
    text += "  " + f.name + std::string(f.name.size() < 26 ? 26 - f.name.size() : 1, ' ') +
            licence + "\n";
  }
  text +=
      "\nThe libraries of their own beside the FMU's are those of the distribution that it was "
      "exported on\n(Debian: `apt-get source PACKAGE` has their sources). Each may be replaced by "
      "another build of it\nin the same folder: so the LGPL wants it for KLU and BTF.\n";
  return text;
}

std::vector<FmuLibraries::File> FmuLibraries::licenceFiles() const {
  std::vector<File> files{{"cardan.txt", (fs::path(runtime).parent_path() / "LICENSE").string()}};
  std::error_code none;
  for (const File& f : needed) {
    // Beside it where it travels with the program, else where Debian has them.
    const fs::path beside = fs::path(f.path).parent_path() / "licenses" / (f.name + ".txt");
    const fs::path debian = fs::path("/usr/share/doc") / packageOf(f.name) / "copyright";
    for (const fs::path& path : {beside, debian}) {
      if (!fs::exists(path, none)) continue;
      files.push_back({f.name + ".txt", path.string()});
      break;
    }
  }
  return files;
}

}  // namespace cardan
