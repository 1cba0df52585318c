// Numbers in pages that are counts are those of the program: they are measured again.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <sstream>
#include <string>

#include "components/catalogue.h"
#include "engine/simulation.h"
#include "tests/apps/process.h"
#include "tests/manual/markdown.h"

using namespace test;

namespace {

const std::string kCountsSource = CARDAN_SOURCE_DIR;

std::string pageOfCounts(const std::string& name) { return readFile(kCountsSource + "/" + name); }

/// The table whose first heading is `first`.
MarkdownTable tableOf(const std::string& text, const std::string& first) {
  for (const MarkdownTable& t : tablesOf(text)) {
    if (!t.header.empty() && t.header[0] == first) return t;
  }
  FAIL("there is no table '" << first << "'");
  return {};
}

cardan::RunReport reportOf(const std::string& model, cardan::IntegratorChoice integrator) {
  cardan::Simulation s(cardan::catalogue(), kCountsSource + "/" + model);
  cardan::Trajectory rows;
  return s.run(rows, {.tolerance = 1e-8, .integrator = integrator});
}

/// Other compilers round otherwise, and then a few steps are refused or not.
void checkAbout(const std::string& written, long measured) {
  const double number = std::stod(written);
  CHECK_MESSAGE(std::abs(number - static_cast<double>(measured)) <= 0.03 * number,
                written << " is now " << measured);
}

/// The number in front of the words in a page.
long numberBefore(const std::string& text, const std::string& words) {
  const size_t at = text.find(words);
  REQUIRE_MESSAGE(at != std::string::npos, "the page says nothing of '" << words << "'");
  size_t from = at;
  while (from > 0 && std::isdigit(static_cast<unsigned char>(text[from - 1])) != 0) --from;
  REQUIRE_MESSAGE(from < at, "no number before '" << words << "'");
  return std::stol(text.substr(from, at - from));
}

}  // namespace

TEST_CASE(
    "engine/integration/README: steps, matrices and events of both methods are as in its table") {
  const MarkdownTable table = tableOf(pageOfCounts("engine/integration/README.md"), "At 1e-8");
  REQUIRE(table.rows.size() == 4);
  for (const auto& row : table.rows) {
    REQUIRE(row.size() == 5);
    const std::string model = codeOf(row[0]).at(0);
    CAPTURE(model);
    const cardan::RunReport ida = reportOf(model, cardan::IntegratorChoice::ida);
    const cardan::RunReport explicitly = reportOf(model, cardan::IntegratorChoice::explicitMethod);
    checkAbout(row[1], ida.integrator.steps);
    checkAbout(row[2], ida.integrator.newtonMatrices);
    checkAbout(row[3], explicitly.integrator.steps);
    CHECK(std::stol(row[4]) == ida.events);
    CHECK(ida.events == explicitly.events);
  }
}

TEST_CASE("apps/README: its study has as many runs as the page says") {
  const std::string text = pageOfCounts("apps/README.md");
  const Folder folder;
  for (const Block& b : blocksOf(text)) {
    if (b.text.starts_with("# swings.yaml\n")) folder.write("swings.yaml", b.text);
  }
  std::filesystem::create_directory_symlink(kCountsSource + "/models", folder / "models");
  const Process p = test::runCardan(folder, "sweep swings.yaml --dry-run");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  // A header, and a line a run.
  CHECK(std::count(p.out.begin(), p.out.end(), '\n') == 1 + numberBefore(text, " runs\n```"));
}
