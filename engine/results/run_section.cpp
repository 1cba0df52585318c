#include "engine/results/run_section.h"

#include <fmt/format.h>

#include "engine/expression/constant_evaluation.h"
#include "engine/model_file/known_keys.h"
#include "engine/model_file/sections.h"

namespace cardan {

void readRunSection(const YamlNode* section, RunOptions& options, Diagnostics& diagnostics) {
  if (!isSectionMap(section, "simulation", kSimulationRule, diagnostics)) return;
  std::vector<std::string> known = simulationKeys();
  known.emplace_back("maximum_step");
  reportUnknownKeys(*section, "key of simulation:", known, diagnostics);
  const auto read = [&](const char* key, std::optional<double>& x, bool positive) {
    const YamlNode* node = section->find(key);
    if (!node) return;
    if (!node->isScalar() || node->text.empty()) {
      diagnostics.error(node->mark(),
                        fmt::format("'{}' must be a number, found {}", key, node->describe()));
      return;
    }
    x = readConstant(node->text, node->markInText(0), diagnostics);
    if (x && positive && !(*x > 0)) {
      diagnostics.error(
          node->mark(),
          fmt::format("simulation: '{}' must be greater than 0, found {}", key, node->describe()));
    }
  };
  read("start", options.startTime, false);
  read("stop", options.stopTime, false);
  read("interval", options.outputInterval, true);
  read("tolerance", options.tolerance, true);
  read("maximum_step", options.maximumStep, true);
  read("step", options.step, true);
  if (const YamlNode* n = section->find("integrator"))
    options.integrator = readSetting<IntegratorChoice>(*n, "integrator", diagnostics);
  if (const YamlNode* n = section->find("impact"))
    options.impact = readSetting<ImpactLaw>(*n, "impact", diagnostics);
}

}  // namespace cardan
