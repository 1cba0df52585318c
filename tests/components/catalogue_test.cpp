// What holds for every class of the catalogue: a new class is tested by being listed.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "tests/components/specimens.h"

namespace cardan {
namespace {

using fake::Specimen;
using fake::specimen;

TEST_CASE("catalogue: every class has a name of its own, a package and a line that describes it") {
  std::set<std::string> types;
  for (const CatalogueEntry& entry : catalogue()) {
    CAPTURE(entry.type);
    CHECK(types.insert(entry.type).second);
    CHECK(!entry.package.empty());
    CHECK(!entry.description.empty());
    CHECK(entry.description.find('\n') == std::string::npos);
  }
}

/// The readers and recorders check that names are not used twice and that all have a description.
void checkDocumentation(const Specimen& s) {
  for (const auto& [name, info] : s.described.infos) {
    CHECK_MESSAGE(!info.unit.empty(), name << " has a unit");
  }
  const auto check = [](const std::vector<UnknownInfo>& list) {
    for (const UnknownInfo& u : list) {
      CHECK_MESSAGE(!u.unit.empty(), u.name << " has a unit");
      CHECK_MESSAGE(!u.description.empty(), u.name << " is documented");
    }
  };
  for (const auto& e : s.declared.edges) {
    check(e.positions);
    check(e.velocities);
  }
  for (const auto& r : s.declared.roots) {
    check(r.positions);
    check(r.velocities);
  }
  check(s.declared.unknowns);
  for (const auto& [name, starts] : s.described.starts) {
    CHECK_MESSAGE(s.has(name), name << ", which has a start value, is a variable");
  }
  for (const auto& [name, target] : s.described.aliases) {
    CHECK_MESSAGE(s.has(target), target << ", which " << name << " stands for, is a variable");
  }
  for (const auto& [name, part] : s.parts) {
    CAPTURE(name);
    checkDocumentation(*part);
  }
}

TEST_CASE("catalogue: parameters and variables of every class are there once and documented") {
  for (const CatalogueEntry& entry : catalogue()) {
    CAPTURE(entry.type);
    const auto s = specimen(entry);
    CHECK(s->declared.errors.empty());
    checkDocumentation(*s);
  }
}

TEST_CASE("catalogue: a class can be read, declared and described with parameters of all kinds") {
  int tried = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    CAPTURE(entry.type);
    for (int number = 1; number < fake::kVariations; ++number) {
      if (const auto s = specimen(entry, number)) ++tried;
    }
  }
  CHECK(tried > static_cast<int>(catalogue().size()));
}

}  // namespace
}  // namespace cardan
