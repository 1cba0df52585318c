// The reference of the components: a page for every type, with what there is to say of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "components/catalogue.h"
#include "engine/model_file/parameter_documentation.h"
#include "engine/simulation.h"
#include "tests/apps/process.h"
#include "tests/manual/markdown.h"

using namespace test;

namespace {

const std::string kPages = "components --markdown ref --models '" CARDAN_SOURCE_DIR "/models'";

/// The first block of a kind; "" where there is none.
std::string blockOf(const std::string& page, const std::string& kind) {
  for (const Block& b : blocksOf(page)) {
    if (b.kind == kind) return b.text;
  }
  return "";
}

/// Every parameter of the type, with its unit, is a row of the page.
std::string missingParameters(const cardan::CatalogueEntry& entry, const std::string& page) {
  cardan::WorldSettings world;
  world.prepare();
  cardan::ParameterDocumentation documentation(world);
  entry.make()->read(documentation);
  std::set<std::pair<std::string, std::string>> rows;
  for (const MarkdownTable& table : tablesOf(page)) {
    if (table.header.empty() || table.header[0] != "Parameter") continue;
    for (const auto& row : table.rows) rows.insert({codeOf(row[0])[0], row[1]});
  }
  std::string missing;
  for (const cardan::DocumentedParameter& p : documentation.parameters()) {
    if (!rows.contains({p.name, p.unit == "1" ? "" : p.unit})) missing += p.name + " ";
  }
  return missing;
}

/// The example runs, moves something or gives some result.
void checkExample(const cardan::CatalogueEntry& entry, const std::string& example) {
  CHECK(example.find("type: " + entry.type) != (entry.type == "World" ? 0 : std::string::npos));
  try {
    auto s = cardan::Simulation::fromText(cardan::catalogue(), example);
    cardan::Trajectory rows;
    s.run(rows);
    CHECK(rows.time().size() > 10);
  } catch (const std::exception& e) {
    FAIL_CHECK(std::string(e.what()));
  }
}

using cardan::Simulation;

/// What an input states, from the names of others: differences of the first along the run are those of
/// the second.
struct StatedRate {
  const char* type;
  const char* of;    ///< expression
  const char* rate;  ///< expression of its derivative by time
};
constexpr StatedRate kStatedRates[] = {
    {"Contact.PointSurface", "x.height", "x.slope[1]*der(x.x) + x.slope[2]*der(x.y) + x.rate"},
    {"Rotational.Move", "x.u[1]", "x.u[2]"},
    {"Rotational.Move", "x.u[2]", "x.u[3]"},
    {"Translational.Move", "x.u[1]", "x.u[2]"},
    {"Translational.Move", "x.u[2]", "x.u[3]"},
};

/// The largest difference between the rate that an example states and that of its signal, relative.
double worstRate(std::string example, const StatedRate& stated) {
  example += std::string("variables: {value_: \"") + stated.of + "\", rate_: \"" + stated.rate +
             "\"}\noutputs: [value_, rate_]\n";
  auto s = Simulation::fromText(cardan::catalogue(), example);
  cardan::Trajectory rows;
  s.run(rows, {.outputInterval = 1e-3, .tolerance = 1e-10, .eventRows = false});
  const std::vector<double>&t = rows.time(), &x = rows["value_"], &v = rows["rate_"];
  double worst = 0, largest = 0;
  for (size_t k = 1; k + 1 < t.size(); ++k) {
    worst = std::max(worst, std::abs((x[k + 1] - x[k - 1]) / (t[k + 1] - t[k - 1]) - v[k]));
    largest = std::max(largest, std::abs(v[k]));
  }
  return worst / largest;
}

}  // namespace

TEST_CASE("cardan components --markdown: every type has a page that is whole, its example runs") {
  const Folder folder;
  const Process p = test::runCardan(folder, kPages);
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  for (const cardan::CatalogueEntry& e : cardan::catalogue()) {
    CAPTURE(e.type);
    const std::string name = "ref/docs/" + e.package + "/" + e.type + ".md";
    const std::string page = folder.read(name);
    CHECK(page.starts_with("# " + e.type + "\n"));
    CHECK(missingParameters(e, page) == "");
    checkExample(e, blockOf(page, "yaml"));
    const bool hasPicture = page.find("\n![" + e.type + "](") != std::string::npos;
    const bool hasResults = page.find("\n## Variables") != std::string::npos ||
                            page.find("\n## Outputs") != std::string::npos;
    CHECK((hasPicture || !hasResults));
    // Comments are for readers of C++, too; what is only for them has no place here.
    for (const char* word : {"template <", "static constexpr"})
      CHECK(page.find(word) == std::string::npos);
    if (e.package != "visualizers") {
      const std::string above = page.substr(0, page.find("\n## Example"));
      CHECK((above.find("\n## Equations") != std::string::npos ||
             std::count(above.begin(), above.end(), '\n') > 3));
    }
    for (const std::string& link : deadLinksOf(page, folder / ("ref/docs/" + e.package)))
      FAIL_CHECK("dead link: " << link);
  }
  for (const auto& e : std::filesystem::recursive_directory_iterator(folder / "ref")) {
    if (e.path().extension() != ".md") continue;
    for (const std::string& link : deadLinksOf(readFile(e.path()), e.path().parent_path().string()))
      FAIL_CHECK("dead link in " << e.path().string() << ": " << link);
  }
  // Central differences over 2 ms, of motions whose accelerations may jump; what contradicts is off by
  // its own size.
  for (const StatedRate& stated : kStatedRates) {
    CAPTURE(stated.type + std::string(" ") + stated.of);
    const std::string package =
        std::ranges::find(cardan::catalogue(), stated.type, &cardan::CatalogueEntry::type)->package;
    const std::string page = folder.read("ref/docs/" + package + "/" + stated.type + ".md");
    CHECK(worstRate(blockOf(page, "yaml"), stated) < 0.01);
  }
  const std::string revolute = folder.read("ref/docs/joints/Revolute.md");
  CHECK(blockOf(revolute, "text") ==
        "Unknowns   phi [rad], w [rad/s]\n"
        "Equations  der(phi) = w;  0 = tau + e.t_b   (d'Alembert along the free axis)\n"
        "Source     MSL 4.0 Joints.Revolute\n");
  CHECK(revolute.find("](../models/") != std::string::npos);
}

TEST_CASE(
    "cardan components --markdown: inputs that are rates of others are known to the test above") {
  for (const cardan::CatalogueEntry& e : cardan::catalogue()) {
    cardan::WorldSettings world;
    world.prepare();
    cardan::ParameterDocumentation documentation(world);
    e.make()->read(documentation);
    for (const cardan::DocumentedParameter& p : documentation.parameters()) {
      if (!p.type.starts_with("input") || p.description.find("derivative") == std::string::npos)
        continue;
      CHECK_MESSAGE(std::ranges::count(kStatedRates, e.type, &StatedRate::type) > 0,
                    e.type << "." << p.name << ": " << p.description);
    }
  }
}

TEST_CASE("cardan components --markdown: what it cannot do is one line") {
  const Folder folder;
  CHECK(test::runCardan(folder, "components Body --markdown ref").code == 2);
  CHECK(test::runCardan(folder, "components --models models").code == 2);
  const Process none = test::runCardan(folder, "components --markdown ref --models none");
  CHECK(none.code == 2);
  CHECK(none.err == "error: --models: there is no folder 'none'\n");
  folder.write("file", "");
  const Process onto = test::runCardan(folder, "components --markdown file");
  CHECK(onto.code == 1);
  CHECK(onto.err.find("cannot write") != std::string::npos);
}

TEST_SUITE("slow") {
  TEST_CASE("cardan components --markdown: mkdocs makes a site of it, without a warning") {
    if (std::system("command -v mkdocs >/dev/null 2>&1") != 0) {
      MESSAGE("TEST SKIPPED: mkdocs is not installed");
      return;
    }
    const Folder folder;
    REQUIRE(test::runCardan(folder, kPages).code == 0);
    const Process p = shell(folder, "cd ref && mkdocs build --strict --site-dir site");
    CAPTURE(p.err);
    CHECK(p.code == 0);
    CHECK(p.err.find("WARNING") == std::string::npos);
    for (const cardan::CatalogueEntry& e : cardan::catalogue()) {
      CAPTURE(e.type);
      const std::string html = folder.read("ref/site/" + e.package + "/" + e.type + "/index.html");
      CHECK(html.find("<h1 id=") != std::string::npos);
    }
  }
}
