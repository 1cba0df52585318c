// The README's commands, run in their order as a reader would.
#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "tests/apps/process.h"

using test::Folder;
using test::Process;

TEST_CASE("README: its commands agree with one another in their order") {
  const Folder folder;
  std::filesystem::create_directory_symlink(CARDAN_SOURCE_DIR "/models", folder / "models");
  std::istringstream readme(test::readFile(CARDAN_SOURCE_DIR "/README.md"));
  std::string script = "set -e\ncardan() { echo \"cardan $*\"; $cardan \"$@\"; }\n";
  // A program built without three.js writes no pages.
  const bool pages =
      test::shell(folder, "$cardan animate models/elementary/pendulum.yaml -o probe.html").code ==
      0;
  bool inside = false;
  int commands = 0;
  for (std::string line; std::getline(readme, line);) {
    if (line.starts_with("```")) inside = line == "```sh";
    if (!inside) continue;
    if (line.starts_with("./cardan ")) line.erase(0, 2);
    const bool ours = line.starts_with("cardan ") && !line.starts_with("cardan test");
    // Models and references of the reader's own.
    if (!ours || line.find("my_models") != std::string::npos) continue;
    // A test of its own runs all models.
    if (line.starts_with("cardan regress models ")) continue;
    const bool page = line.starts_with("cardan animate ") && line.find(".glb") == line.npos;
    if (page && !pages) continue;
    script += line + "\n";
    ++commands;
  }
  CHECK(commands >= 5);
  const Process p = test::shell(folder, script);
  CAPTURE(p.out);
  CAPTURE(p.err);
  CHECK(p.code == 0);
  CHECK(p.out.find("equal: 6 of 6 signals") != std::string::npos);
}
