// The first stage of the program: what it has is that of the whole program byte for byte, and what it
// has not is said. The launcher chooses between them by the words of the command.
#include <doctest/doctest.h>

#include <string>

#include "tests/apps/process.h"

using test::contains;
using test::Folder;
using test::Process;

namespace {

/// The same call of both programs.
struct BothStages {
  Process whole, first;
};
BothStages callBoth(const Folder& folder, const std::string& arguments) {
  const auto call = [&](const std::string& ending) {
    return test::shell(folder, "\"$cardan\"" + ending + " " + arguments + "\n");
  };
  return {call(""), call("-first")};
}

constexpr const char* kFirstStageModel = R"yaml(
components:
  rev: {type: Revolute, phi: {start: 0.3, fixed: true}}
  b:   {type: Body, m: 1, r_CM: [0.5, 0, 0]}
connections: [[world.frame_b, rev.frame_a], [rev.frame_b, b.frame_a]]
simulation: {stop: 0.5}
)yaml";

}  // namespace

TEST_CASE("cardan-first: help, messages and results are those of the whole program") {
  const Folder folder;
  folder.write("m.yaml", kFirstStageModel);
  folder.write("wrong.yaml", "components: {rev: {type: Revolut}}\n");
  for (const char* arguments :
       {"", "--help", "--version", "simulate --help", "check --help", "simulat m.yaml",
        "simulate m.yaml --stop", "simulate wrong.yaml", "simulate missing.yaml", "check m.yaml",
        "check m.yaml --json -", "simulate m.yaml -q -o -",
        "simulate m.yaml -q --events e.csv -o r.csv"}) {
    CAPTURE(arguments);
    const BothStages b = callBoth(folder, arguments);
    CHECK(b.first.code == b.whole.code);
    CHECK(b.first.out == b.whole.out);
    CHECK(b.first.err == b.whole.err);
    CHECK((b.whole.out + b.whole.err).empty() == std::string(arguments).ends_with("r.csv"));
  }
}

TEST_CASE("cardan-first: what it has not is said, with what builds it") {
  const Folder folder;
  folder.write("m.yaml", kFirstStageModel);
  folder.write("fmu.yaml", "components: {c: {type: FMU, file: c.fmu}}\n");
  for (const auto& [arguments, what] :
       {std::pair{"animate m.yaml", "'cardan animate'"},
        std::pair{"sweep --help", "'cardan sweep'"}, std::pair{"simulate x.mo", "'x.mo'"},
        std::pair{"check arm.urdf", "'arm.urdf'"},
        std::pair{"check fmu.yaml", "a component of type FMU"},
        std::pair{"simulate m.yaml --animate m.html", "--animate"}}) {
    CAPTURE(arguments);
    const BothStages b = callBoth(folder, arguments);
    CHECK(b.first.code == 2);
    CHECK(b.first.out.empty());
    CHECK(contains(b.first.err, "error: " + std::string(what) +
                                    " needs the whole program, and this is its first stage"));
    CHECK(contains(b.first.err, "'./cardan build' builds the rest"));
    CHECK_FALSE(contains(b.whole.err, "first stage"));
  }
}

TEST_CASE("launcher: a model file is run by the first stage, all else by the whole program") {
  // The launcher's own choice, with programs that say their names.
  const Folder folder;
  const Process p = test::shell(folder, R"(
mkdir -p tree/build/release/bin
cp ')" CARDAN_SOURCE_DIR R"(/cardan' tree/
cd tree
mkdir frames components engine apps .cmake
touch CMakeLists.txt CMakePresets.json
for program in cardan-first cardan; do
  printf '#!/bin/sh\necho %s "$@"\n' $program >build/release/bin/$program
  chmod +x build/release/bin/$program
  touch -d '+1 hour' build/release/$program.stamp
done
mv build/release/cardan.stamp whole
./cardan simulate m.yaml -o r.csv
./cardan check m.yaml
./cardan --help
mv whole build/release/cardan.stamp
./cardan simulate m.yaml
./cardan animate m.yaml
)");
  CHECK(p.err == "");
  CHECK(p.code == 0);
  CHECK(p.out ==
        "cardan-first simulate m.yaml -o r.csv\ncardan-first check m.yaml\ncardan-first --help\n"
        "cardan simulate m.yaml\ncardan animate m.yaml\n");
}
