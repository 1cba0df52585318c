/// The model file that a Modelica file becomes.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "components/catalogue.h"
#include "engine/modelica/import.h"
#include "engine/simulation.h"

namespace test {

/// `name`: of the class; "": the only one. It can be loaded, by its tree and by its text.
inline std::string importedText(const std::string& text, const std::string& name = "") {
  using namespace cardan;
  modelica::ImportOptions options;
  options.readsModelicaPath = false;
  options.className = name;
  Diagnostics diagnostics;
  const auto model = modelica::importText(catalogue(), text, "m.mo", options, diagnostics);
  REQUIRE_MESSAGE(model.has_value(), diagnostics.format());
  Simulation::fromTree(catalogue(), model->tree(), {"m.mo"});
  Simulation::fromText(catalogue(), model->text());
  return model->text();
}

}  // namespace test
