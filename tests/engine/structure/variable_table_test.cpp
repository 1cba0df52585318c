// VariableTable: only what is asked for is there, and what is found does not depend on who asked
// before.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "components/catalogue.h"
#include "engine/equations/model.h"
#include "engine/simulation.h"

namespace cardan {
namespace {

/// Bodies in a row on revolute joints, whose start values are given.
std::string chain(int bodies, const std::string& more) {
  std::string components = "components:\n", connections = "connections:\n", end = "world.frame_b";
  for (int i = 1; i <= bodies; ++i) {
    components += fmt::format(
        "  j{0}: {{type: Revolute, phi: {{start: 0.1, fixed: true}}, w: {{start: 0}}}}\n"
        "  b{0}: {{type: BodyBox, r: [1, 0, 0], width: 0.1}}\n",
        i);
    connections +=
        fmt::format("  - [{0}, j{1}.frame_a]\n  - [j{1}.frame_b, b{1}.frame_a]\n", end, i);
    end = fmt::format("b{}.frame_b", i);
  }
  return components + connections + more;
}

Simulation loadChain(int bodies, const std::string& more) {
  return Simulation::fromText(catalogue(), chain(bodies, more), "chain.yaml", {});
}

const VariableTable& tableOf(const Simulation& s) { return s.model().assembly().variables; }

std::vector<std::string> namesOf(const VariableTable& table, const std::vector<int>& variables) {
  std::vector<std::string> names;
  for (int v : variables) names.push_back(table[v].name);
  return names;
}

std::vector<std::string> namesOf(const VariableTable& table,
                                 const std::vector<VariableElement>& elements) {
  std::vector<std::string> names;
  for (const VariableElement& e : elements) names.push_back(table.nameOf(e));
  return names;
}

}  // namespace

TEST_CASE("VariableTable: of a model only what start values name and what is asked for is there") {
  const auto count = [](int bodies, const std::string& outputs) {
    const Simulation s = loadChain(bodies, "outputs: [" + outputs + "]\n");
    return tableOf(s).size();
  };
  // phi and w of every joint, for their start values
  CHECK(count(20, "j1.phi") - count(10, "j1.phi") == 20);
  CHECK(count(20, "b3.body.r_0") - count(10, "b3.body.r_0") == 20);
  CHECK(count(20, "'j1.*'") - count(10, "'j1.*'") == 20);
  CHECK(count(10, "b3.body.r_0") > count(10, "j1.phi"));
  CHECK(count(20, "'**.phi'") - count(10, "'**.phi'") > 200);
}

TEST_CASE("VariableTable: knownElements() asks no component, elements() asks those of the name") {
  const Simulation s = loadChain(3, "outputs: [j1.phi]\n");
  const VariableTable& table = tableOf(s);
  const int before = table.size();
  CHECK(table.knownElements("j2.phi").size() == 1);
  CHECK(table.knownElements("j2.tau").empty());
  CHECK(table.size() == before);
  CHECK(table.elements("j2.tau").size() == 1);
  CHECK(table.knownElements("j2.tau").size() == 1);
  CHECK(table.knownElements("j3.tau").empty());
  CHECK(table.elements("b1.r_0").size() == 3);  // another name of b1.body's
  CHECK(table.elements("b1.r_0[4]").empty());
  CHECK(table.elements("b1.what").empty());
  CHECK(table.elements("what").empty());
}

TEST_CASE("VariableTable: names, places and globs are the same, whatever was asked for before") {
  int models = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(CARDAN_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path().string());
    std::optional<Simulation> one, other;
    try {
      one.emplace(catalogue(), entry.path().string());
      other.emplace(catalogue(), entry.path().string());
    } catch (const ModelError&) {
      continue;  // a library of submodels may need parameters
    }
    if (!one->model().complete()) continue;
    ++models;
    const VariableTable &a = tableOf(*one), &b = tableOf(*other);
    const std::vector<std::string> all = namesOf(a, a.all());
    // The last ones first, every seventh
    for (size_t i = all.size(); i > 0; i -= std::min<size_t>(i, 7)) {
      const std::vector<VariableElement> found = b.elements(all[i - 1]);
      const std::vector<VariableElement> same = a.elements(all[i - 1]);
      REQUIRE(namesOf(b, found) == namesOf(a, same));
      REQUIRE(b[found[0].variable].place == a[same[0].variable].place);
    }
    for (const char* glob : {"*.phi", "**.r_0", "?*.frame_a.*", "**[1]"})
      CHECK(namesOf(b, b.matching(glob)) == namesOf(a, a.matching(glob)));
    CHECK(namesOf(b, b.results()) == namesOf(a, a.results()));
    CHECK(namesOf(b, b.all()) == all);
    CHECK(b.names() == a.names());
  }
  CHECK(models > 15);  // all that ship
}

TEST_CASE("VariableTable: several may ask at the same time") {
  const Simulation s = loadChain(40, "outputs: [j1.phi]\n");
  const VariableTable& table = tableOf(s);
  std::vector<std::thread> threads;
  std::vector<size_t> found(4, 0);
  for (size_t t = 0; t < found.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 1; i <= 40; ++i) {
        for (const char* name : {".tau", ".R_rel.T", ".frame_a.f"}) {
          for (const VariableElement& e : table.elements(fmt::format("j{}{}", i, name)))
            found[t] += table[e.variable].function != nullptr ? 1U : 0U;
        }
      }
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK(found == std::vector<size_t>(4, 40 * (1 + 9 + 3)));
}

}  // namespace cardan
