// Files without a model, unknown results, and warnings of a run.
#include <doctest/doctest.h>

#include <string>

#include "tests/apps/process.h"

using test::Folder;
using test::Process;
using test::runCardan;

namespace {

const char* const kLibrary =
    "submodels:\n"
    "  Link: {components: {b: {type: Body}}}\n"
    "  Arm: {components: {b: {type: Body}}}\n";

}  // namespace

TEST_CASE("cardan check: a file of submodels is called a library, and cannot be simulated") {
  const Folder folder;
  folder.write("parts.yaml", kLibrary);
  Process p = runCardan(folder, "check parts.yaml");
  CHECK(p.code == 0);
  CHECK(p.out.find("a library file: it defines Arm, Link and no model") != std::string::npos);
  p = runCardan(folder, "simulate parts.yaml");
  CHECK(p.code == 2);
  CHECK(p.err ==
        "parts.yaml: error: a library file cannot be run: it defines Arm, Link and no model\n");
  CHECK_FALSE(folder.has("parts.csv"));
}

TEST_CASE("cardan simulate: submodels of equations alone make a model, too") {
  const Folder folder;
  folder.write("m.yaml",
               "submodels:\n"
               "  Cell: {parameters: {v: 1}, variables: {y: v*time}}\n"
               "variables: {q: 2*a.y}\n"
               "components: {a: {type: Cell, v: 3}}\n");
  const Process p = runCardan(folder, "simulate m.yaml --stop-time 1 --output-interval 1 -o r.csv");
  CHECK(p.code == 0);
  CHECK(folder.read("r.csv") == "\"time\",\"a.y\",\"q\"\n0,0,0\n1,3,6\n");
}

TEST_CASE("cardan simulate --output-variable: an unknown one is told with the model's file") {
  const Folder folder;
  folder.write("p.yaml",
               "components:\n"
               "  j: {type: Revolute}\n"
               "  b: {type: Body, m: 1}\n"
               "connections: [[world.frame_b, j.frame_a], [j.frame_b, b.frame_a]]\n");
  const Process p = runCardan(folder, "simulate p.yaml --output-variable j.phj");
  CHECK(p.code == 2);
  CHECK(p.err == "p.yaml: error: no variable 'j.phj'; did you mean 'j.phi'?\n");
}
