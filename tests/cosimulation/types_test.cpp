// Vectors and numbers of all kinds of FMI 3.0, against what the FMU makes of them.
#include <doctest/doctest.h>

#include "apps/cosimulation/types.h"
#include "apps/cosimulation/zip_file.h"
#include "engine/integration/solver_error.h"
#include "engine/results/output_file.h"
#include "engine/simulation.h"
#include "engine/text/diagnostics.h"
#include "tests/folder.h"

namespace test {
namespace {

using namespace cardan;

void writeTypes(const Folder& folder, const std::string& dimension, const std::string& more = "") {
  ZipFile zip;
  zip.add("modelDescription.xml", R"(<?xml version="1.0"?>
<fmiModelDescription fmiVersion="3.0" modelName="types" instantiationToken="{types}">
  <CoSimulation modelIdentifier="types"/>
  <TypeDefinitions><Float32Type name="Length" unit="m"/></TypeDefinitions>
  <DefaultExperiment stepSize="0.1"/>
  <ModelVariables>
    <Float64 name="v" valueReference="0" causality="input" start="1 2 3">)" +
                                      dimension + R"(</Float64>
    <Float64 name="w" valueReference="1" causality="output"><Dimension start="3"/></Float64>
    <UInt8 name="m" valueReference="2" causality="input" start="1"/>
    <Int64 name="k" valueReference="3" causality="parameter" start="5"/>
    <Int64 name="n" valueReference="4" causality="output"/>
    <Float32 name="g" valueReference="5" causality="input" start="0.5" declaredType="Length"/>
    <Float32 name="f" valueReference="6" causality="output" declaredType="Length"/>
    <Boolean name="a" valueReference="7" causality="input" start="false"/>
    <Boolean name="b" valueReference="8" causality="output"/>
    <Float64 name="last" valueReference="9" causality="parameter" start="1e300"/>
    <String name="word" valueReference="10" causality="parameter"><Start value="plus"/></String>
    <UInt64 name="size" valueReference="11" causality="structuralParameter" start="3"/>)" +
                                      more + R"(
  </ModelVariables>
  <ModelStructure/>
</fmiModelDescription>
)");
  zip.add("binaries/x86_64-linux/types.so", readFile(CARDAN_TYPES_FMU));
  zip.write(folder / "types.fmu");
}

/// A model with the FMU, and these keys of it.
Simulation withTypes(const Folder& folder, const std::string& keys) {
  folder.write("m.yaml", "model: M\ncomponents:\n  c: {type: FMU, file: types.fmu" + keys +
                             "}\nsimulation: {stop: 1}\n"
                             "outputs: [\"c.w\", c.n, c.f, c.b]\n");
  return Simulation(allTypes(), folder / "m.yaml");
}

std::vector<double> resultsAt(Simulation& s, double time) {
  s.start();
  s.advance(time);
  std::vector<double> row;
  for (const std::string& name : s.outputs()) row.push_back(s.value(s.variable(name)));
  return row;
}

}  // namespace

TEST_CASE("FMU: vectors and numbers of all kinds come through as they are") {
  if (!ZipFile::whyNone().empty()) return;
  const Folder folder;
  for (const char* dimension : {"<Dimension start=\"3\"/>", "<Dimension valueReference=\"11\"/>"}) {
    CAPTURE(dimension);
    writeTypes(folder, dimension);
    using Row = std::vector<double>;
    Simulation plain = withTypes(folder, "");
    CHECK(resultsAt(plain, 1) == Row{2, 4, 6, 6, -0.5, 1});
    Simulation given = withTypes(folder,
                                 ", v: [1, time, \"-2\"], m: 300, g: 2 mm, a: true, "
                                 "parameters: {k: -7, word: minus}");
    const Row row = resultsAt(given, 1);
    REQUIRE(row.size() == 6);
    CHECK(row[0] == 2);
    CHECK(row[1] == doctest::Approx(2 * 0.9).epsilon(1e-14));
    CHECK(row[2] == -4);
    CHECK(row[3] == -(255 - 7));  // the nearest number of 8 bits
    CHECK(row[4] == -static_cast<double>(2e-3F));
    CHECK(row[5] == 0);
  }
}

TEST_CASE("FMU: parameters that are vectors or matrices are set as a whole, rows first") {
  if (!ZipFile::whyNone().empty()) return;
  const Folder folder;
  writeTypes(folder, "<Dimension start=\"3\"/>", R"(
    <UInt64 name="two" valueReference="14" causality="structuralParameter" start="2"/>
    <Float64 name="A" valueReference="12" causality="parameter" start="0 0 0 0 0 0">
      <Dimension valueReference="11"/><Dimension valueReference="14"/></Float64>
    <Float64 name="z" valueReference="13" causality="parameter" start="0">
      <Dimension valueReference="14"/></Float64>
    <Float64 name="cube" valueReference="15" causality="parameter" start="0">
      <Dimension start="2"/><Dimension start="2"/><Dimension start="2"/></Float64>)");
  const std::vector<double> plain = [&] {
    Simulation s = withTypes(folder, "");
    return resultsAt(s, 1);
  }();
  CHECK(plain[0] == 2);
  Simulation given = withTypes(folder, ", parameters: {A: [[1, 2], [3, 4], [5, 6]], z: [10, 100]}");
  const std::vector<double> row = resultsAt(given, 1);
  CHECK(row[0] == 2 + 210);
  CHECK(row[1] == 4 + 430);
  CHECK(row[2] == 6 + 650);
  const auto refused = [&](const char* keys, const char* why) {
    CHECK_THROWS_WITH_AS(withTypes(folder, keys), doctest::Contains(why), ModelError);
  };
  refused(", parameters: {A: [[1, 2], [3, 4]]}", "'parameters.A' must have 3 rows and 2 columns");
  refused(", parameters: {z: [1, 2, 3]}", "'parameters.z' must have 2 elements");
  refused(", parameters: {cube: 1}", "unknown key 'parameters.cube'");
}

TEST_CASE("FMU: an FMU of 3.0 that wants to end, ends the run") {
  if (!ZipFile::whyNone().empty()) return;
  const Folder folder;
  writeTypes(folder, "<Dimension start=\"3\"/>");
  Simulation s = withTypes(folder, ", parameters: {last: 0.45}");
  s.start();
  CHECK_THROWS_WITH_AS(s.advance(1), doctest::Contains("asks for the end of the simulation"),
                       SolverError);
}

TEST_CASE("FMU: a matrix among its signals is refused by name") {
  if (!ZipFile::whyNone().empty()) return;
  const Folder folder;
  writeTypes(folder, "<Dimension start=\"3\"/><Dimension start=\"1\"/>");
  CHECK_THROWS_WITH_AS(withTypes(folder, ""),
                       doctest::Contains("its variable 'v' is an array of more"), ModelError);
  writeTypes(folder, "<Dimension start=\"3\"/>");
  CHECK_THROWS_WITH_AS(withTypes(folder, ", parameters: {size: 4}"),
                       doctest::Contains("unknown key 'parameters.size'"), ModelError);
}

}  // namespace test
