#include "apps/cardan/model_options.h"

#include <cmath>

#include "apps/cardan/console.h"
#include "components/catalogue.h"

namespace cardan {

void ModelOptions::add(CLI::App& command) {
  command.add_option("MODEL", path, "model file (YAML)")->required()->type_name("");
  command
      .add_option("--set", overrides,
                  "value of a parameter of the model or of a component, as in\n"
                  "--set L=0.7 --set boxBody1.width=0.1 (repeatable)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

Simulation ModelOptions::load(bool quiet) const {
  Simulation simulation(catalogue(), path, overrides);
  if (!quiet && !simulation.warnings().all().empty()) {
    printMessages(simulation.warnings().format());
  }
  return simulation;
}

CLI::Validator finiteNumber() {
  return {[](std::string& text) {
            double x = 0;
            const bool number = CLI::detail::lexical_cast(text, x) && std::isfinite(x);
            return number ? std::string() : "'" + text + "' is not a finite number";
          },
          ""};
}

CLI::Validator positiveNumber() {
  return {[](std::string& text) {
            double x = 0;
            const bool number = CLI::detail::lexical_cast(text, x) && std::isfinite(x) && x > 0;
            return number ? std::string() : "'" + text + "' is not a positive number";
          },
          ""};
}

}  // namespace cardan
