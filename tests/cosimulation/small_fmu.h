/// The small FMU of the tests (small_fmu.cpp), packed, and what else is put into its file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "apps/cosimulation/zip_file.h"
#include "engine/results/output_file.h"
#include "tests/folder.h"

namespace test {

/// How it misbehaves (its parameter `mode`).
enum SmallMode { fine, crash, sleeps, error, discard, warn, notANumber, fatal, exits, prints };

struct SmallFmu {
  std::string version = "2.0", guid = "{small}", interface = "CoSimulation", stepSize = "0.1";
  std::string library = "binaries/linux64/small.so";
  std::string capabilities =
      R"(canHandleVariableCommunicationStepSize="true" canGetAndSetFMUstate="true" canSerializeFMUstate="true")";
  std::string variables;  ///< more of them
  std::vector<std::pair<std::string, std::string>> files{};

  std::string description() const {
    return R"(<?xml version="1.0"?>
<fmiModelDescription fmiVersion=")" +
           version + R"(" modelName="small" guid=")" + guid + "\">\n  <" + interface +
           R"( modelIdentifier="small" )" + capabilities + R"(/>
  <DefaultExperiment)" +
           (stepSize.empty() ? "" : " stepSize=\"" + stepSize + "\"") + R"(/>
  <ModelVariables>
    <ScalarVariable name="gain" valueReference="0" causality="parameter"><Real start="1" unit="1"/></ScalarVariable>
    <ScalarVariable name="when" valueReference="1" causality="parameter"><Real start="0" unit="s"/></ScalarVariable>
    <ScalarVariable name="u" valueReference="2" causality="input"><Real start="0.25"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="3" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="mode" valueReference="4" causality="parameter"><Integer start="0"/></ScalarVariable>
    <ScalarVariable name="count" valueReference="5" causality="output"><Integer/></ScalarVariable>
    <ScalarVariable name="on" valueReference="6" causality="output"><Boolean/></ScalarVariable>)" +
           variables + R"(
  </ModelVariables>
  <ModelStructure/>
</fmiModelDescription>
)";
  }

  /// `small.fmu` in the folder.
  void write(const Folder& folder, const std::string& name = "small.fmu") const {
    cardan::ZipFile zip;
    zip.add("modelDescription.xml", description());
    if (!library.empty()) zip.add(library, readFile(CARDAN_SMALL_FMU));
    for (const auto& [file, content] : files) zip.add(file, content);
    zip.write(folder / name);
  }
};

}  // namespace test
