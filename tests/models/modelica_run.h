/// Models from Modelica texts, imported and run for 1 s, against what their variables are then.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/modelica/import.h"
#include "tests/models/model_run.h"

namespace test {

struct ModelicaCase {
  const char* text;                                 ///< with a model M
  std::vector<std::pair<std::string, double>> end;  ///< variables after 1 s
};

inline constexpr double kModelicaTolerance = 1e-8;

/// The model file of M; `diagnostics` gets what is said on the way.
inline std::string modelOfModelica(const std::string& text, cardan::Diagnostics& diagnostics) {
  cardan::modelica::ImportOptions options;
  options.readsModelicaPath = false;
  options.className = "M";
  const auto model =
      cardan::modelica::importText(cardan::catalogue(), text, "m.mo", options, diagnostics);
  REQUIRE_MESSAGE(model.has_value(), text << diagnostics.format());
  return model->text();
}

inline std::string modelOfModelica(const std::string& text) {
  cardan::Diagnostics diagnostics;
  return modelOfModelica(text, diagnostics);
}

/// Tolerance  100 times that of the integration, relative to the value and to 1
inline void checkModelica(const std::vector<ModelicaCase>& cases) {
  for (const ModelicaCase& one : cases) {
    std::vector<std::string> names;
    for (const auto& [name, value] : one.end) names.push_back(name);
    const ModelRun run =
        runModel(modelOfModelica(one.text), {.tolerance = kModelicaTolerance, .outputs = names});
    for (const auto& [name, value] : one.end) {
      INFO(std::string(one.text) << name);
      CHECK(std::abs(run.last(name) - value) < 100 * kModelicaTolerance * (1 + std::abs(value)));
    }
  }
}

}  // namespace test
