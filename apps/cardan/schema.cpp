// cardan schema: what editors need to know of model files.
#include <memory>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/model_schema.h"

namespace cardan {
namespace {

constexpr const char* kSchemaFooter =
    R"(Prints a JSON schema (draft 07) of model files, made from the component types: editors complete and
check with it. Without MODEL it holds for every model file; with MODEL it knows the submodels, the
components and the connectors of that one, too. `cardan check` says all that is wrong with a model.

In VS Code the extension "YAML" (yaml-language-server) takes it from the first line of a model file:
  # yaml-language-server: $schema=cardan.schema.json

Examples:
  cardan schema -o cardan.schema.json
  cardan schema robot.yaml -o robot.schema.json)";

struct SchemaCommand {
  std::string model;
  std::string output;

  int run() const {
    const std::string text = (model.empty() ? modelSchema() : modelSchema(model)).dump(1) + "\n";
    protectFiles({{output, "--output-file"}}, {model});
    writeOutput(output, text);
    return kDone;
  }
};

}  // namespace

CommandRun addSchema(CLI::App& app) {
  auto command = std::make_shared<SchemaCommand>();
  app.footer(kSchemaFooter);
  addOption(app, "MODEL", command->model, "", "model file (YAML), whose submodels are known, too");
  addOption(app, "-o,--output-file", command->output, "FILE",
            "file to write; default: standard output");
  return [command] { return command->run(); };
}

}  // namespace cardan
