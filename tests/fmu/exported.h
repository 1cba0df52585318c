/// FMUs of models, exported by the program under test.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "tests/apps/process.h"
#include "tests/fmu/importer.h"

namespace test {

/// True where this build can write FMUs and the standard's headers are there; says what is missing.
inline bool canExport() {
#if !__has_include("fmi3FunctionTypes.h")
  MESSAGE("TEST SKIPPED: no headers of FMI beside the project");
  return false;
#else
  const Folder folder;
  const Process p = runCardan(folder, "export none.yaml -o none.fmu");
  if (shell(folder, "command -v unzip").code != 0) {
    MESSAGE("TEST SKIPPED: no unzip");
    return false;
  }
  const bool can = !contains(p.err, "libzip") && !contains(p.err, "cardan_fmu.so");
  if (!can) MESSAGE("TEST SKIPPED: " << p.err);
  return can;
#endif
}

/// The file of a shipped model ("loops/fourbar.yaml"), or one called `name` in `folder` for the text of one.
inline std::string pathOf(const Folder& folder, const std::string& model, const std::string& name) {
  if (contains(model, "\n")) return folder.write(name + ".yaml", model);
  return std::string(CARDAN_SOURCE_DIR) + "/models/" + model;
}

/// The FMU of such a model, in `folder`.
inline std::unique_ptr<Fmu> exported(const Folder& folder, const std::string& model, int version,
                                     const std::string& arguments = "") {
  static int count = 0;
  const std::string name = "fmu" + std::to_string(++count);
  const Process p =
      runCardan(folder, "export '" + pathOf(folder, model, name) + "' -o " + name +
                            ".fmu --no-page -q --fmi " + std::to_string(version) + " " + arguments);
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  return std::make_unique<Fmu>(folder / (name + ".fmu"));
}

}  // namespace test
