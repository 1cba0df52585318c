// The pages of the project say what is so: their models run, their commands work, what they show is
// what comes out, their links lead somewhere.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "engine/expression/constant_evaluation.h"
#include "engine/expression/functions.h"
#include "engine/expression/orientation_functions.h"
#include "tests/manual/page_run.h"

using namespace test;

namespace {

const std::string kPagesSource = CARDAN_SOURCE_DIR;

std::string pageOfPages(const std::string& name) { return readFile(kPagesSource + "/" + name); }

std::string withoutComments(const std::string& yaml) {
  std::istringstream in(yaml);
  std::string rest;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("#")) rest += line + "\n";
  }
  return rest;
}

}  // namespace

TEST_CASE("README: its commands and its first model are so, in their order") {
  PageRun run(kPagesSource + "/README.md");
  const std::string first = pageOfPages("models/elementary/double_pendulum.yaml");
  int programs = 0;
  run.run([&](const Block& block) {
    if (block.text == "# yaml-language-server: $schema=cardan.schema.json\n") return true;
    if (block.kind == "yaml") {
      CHECK(block.text == withoutComments(first));
      return true;
    }
    programs += block.kind == "cpp" || block.kind == "cmake";
    // tests/models, tests/install, tests/python
    return block.kind == "cpp" || block.kind == "cmake" || block.kind == "python";
  });
  CHECK(run.commands >= 10);
  CHECK(run.outputs >= 1);
  CHECK(programs == 3);
}

TEST_CASE("models/README: every model and every piece of one runs, every command works") {
  PageRun run(kPagesSource + "/models/README.md");
  run.run();
  CHECK(run.models >= 12);
  CHECK(run.pieces >= 7);
  CHECK(run.commands >= 10);
  CHECK(run.outputs >= 4);
}

TEST_CASE("apps/README: its models run and its commands work") {
  PageRun run(kPagesSource + "/apps/README.md");
  run.run();
}

TEST_CASE("apps/fmu/README: its model runs and its commands work") {
  const Folder folder;
  if (contains(runCardan(folder, "export none.yaml -o none.fmu").err, "libzip")) {
    MESSAGE("TEST SKIPPED: no libzip");
    return;
  }
  PageRun run(kPagesSource + "/apps/fmu/README.md");
  run.run();
  CHECK(run.models == 1);
  CHECK(run.commands == 2);
}

TEST_CASE("pages: no link leads nowhere") {
  std::vector<std::filesystem::path> pages{kPagesSource + "/README.md"};
  for (const char* room : {"apps", "components", "engine", "models", "tests"}) {
    for (const auto& e : std::filesystem::recursive_directory_iterator(kPagesSource + "/" + room)) {
      if (e.path().filename() == "README.md") pages.push_back(e.path());
    }
  }
  CHECK(pages.size() > 20);
  for (const std::filesystem::path& page : pages) {
    CAPTURE(page.string());
    for (const std::string& link : deadLinksOf(readFile(page), page.parent_path().string())) {
      FAIL_CHECK("dead link: " << link);
    }
  }
}

TEST_CASE("gallery: shows every model that ships, and none besides") {
  const std::filesystem::path models = kPagesSource + "/models";
  std::set<std::string> shipped;
  for (const auto& e : std::filesystem::recursive_directory_iterator(models)) {
    const std::string kind = e.path().extension().string();
    const bool study = e.path().parent_path().filename() == "studies";
    if ((kind != ".yaml" && kind != ".mo" && kind != ".urdf") || study) continue;
    const bool library =
        kind == ".yaml" && ("\n" + readFile(e.path())).find("\nmodel:") == std::string::npos;
    if (!library) shipped.insert("../" + std::filesystem::relative(e.path(), models).string());
  }
  std::set<std::string> shown;
  for (const std::string& link : linksOf(pageOfPages("models/gallery/README.md"))) {
    if (link.starts_with("../")) shown.insert(link);
  }
  CHECK(shown == shipped);
}

TEST_CASE("models/README: tells of every function of expressions, and of no other") {
  const std::string manual = pageOfPages("models/README.md");
  std::set<std::string> mentioned;
  for (const MarkdownTable& table : tablesOf(manual)) {
    if (table.header.empty() || table.header[0] != "Function") continue;
    for (const auto& row : table.rows) {
      for (const std::string& code : codeOf(row[0])) {
        mentioned.insert(code.substr(0, code.find('(')));
      }
    }
  }
  const std::vector<std::string>& names = cardan::functionNames();
  CHECK(mentioned == std::set<std::string>(names.begin(), names.end()));

  std::set<std::string> ofFrames;
  for (const MarkdownTable& table : tablesOf(manual)) {
    for (const auto& row : table.rows) {
      if (row.size() != 2 || !row[0].starts_with("`Frames.")) continue;
      for (const std::string& code : codeOf(row[1])) ofFrames.insert(codeOf(row[0])[0] + code);
    }
  }
  const std::vector<std::string> frames = cardan::orientationFunctionNames();
  CHECK(ofFrames == std::set<std::string>(frames.begin(), frames.end()));
}

TEST_CASE("models/README: the examples of functions have the values that stand beside them") {
  int examples = 0;
  for (const MarkdownTable& table : tablesOf(pageOfPages("models/README.md"))) {
    if (table.header.size() != 4 || table.header[3] != "Value") continue;
    for (const auto& row : table.rows) {
      if (row[2].empty()) continue;
      const auto valueOf = [](const std::string& cell) {
        const std::string text = codeOf(cell).at(0);
        CAPTURE(text);
        cardan::Diagnostics diagnostics;
        const auto e = cardan::parseExpression(text, {}, diagnostics);
        REQUIRE(e);
        const auto value = cardan::evaluateConstant(
            *e, [](const auto&) { return std::nullopt; }, diagnostics);
        CAPTURE(diagnostics.format());
        REQUIRE(value);
        return *value;
      };
      const cardan::ExpressionValue shown = valueOf(row[3]), found = valueOf(row[2]);
      CAPTURE(row[2]);
      CHECK(found.shape() == shown.shape());
      for (size_t i = 0; i < std::min(found.elements().size(), shown.elements().size()); ++i) {
        CHECK(found.elements()[i] == doctest::Approx(shown.elements()[i]).epsilon(1e-12));
      }
      ++examples;
    }
  }
  CHECK(examples >= 25);
}

TEST_CASE("models/README: tells of every section, every key of the simulation and every constant") {
  const std::string manual = pageOfPages("models/README.md");
  for (const std::string word :
       {"components", "connections", "description", "equations",  "include",   "initial_equations",
        "model",      "outputs",     "parameters",  "simulation", "submodels", "variables",
        "world",      "connectors",  "start",       "stop",       "interval",  "tolerance",
        "integrator", "fixed",       "stateSelect", "redeclare",  "cut: true", "pi",
        "deg",        "time",        "contacts",    "exclude"}) {
    CAPTURE(word);
    CHECK(manual.find("`" + word + "`") != std::string::npos);
  }
}

TEST_CASE("test of pages: what is not so is noticed") {
  CHECK(missingIn("a b\n c", "b c") == "");
  CHECK(missingIn("a b\n c", "a\n...\nc") == "");
  CHECK(missingIn("a b\n c", "c\n...\na") == "a");
  CHECK(missingIn("a b c", "b d") == "b d");
  CHECK(blocksOf("x\n```yaml\na: 1\n```\n").at(0).text == "a: 1\n");
  CHECK(blocksOf("```yaml\n# m.yaml\n```\n").at(0).fileName() == "m.yaml");
  CHECK(anchorsOf("## What differs from X (really)?") ==
        std::vector<std::string>{"what-differs-from-x-really"});
  CHECK(deadLinksOf("# A b\n[x](#a-b) [y](#c) [z](no.md) `[code](no)`", ".") ==
        std::vector<std::string>{"#c", "no.md"});
}
